internal import Foundation

/// A random script of edits, saves, rollbacks, refreshes and a second context, compared with a naive graph.
///
/// The graph's invariants are looked at after every step. Everything that the context shows is compared after every
/// step of every second stretch of ten; in the others only at the end, so that lists and rows which nobody has read
/// take part in what follows.
public struct EditScript: Sendable, CustomStringConvertible {
  public let seed: UInt64
  public let steps: Int

  public var description: String { "seed \(self.seed), \(self.steps) steps" }

  /// Three seeds: 1,000 steps each, or 10,000 when `FEDERATED_LONG_TESTS` is set.
  public static let all = Self.scripts(short: 1000)
  /// The same for stores in files, where a save takes its time: 400 steps each, or 10,000.
  public static let overFiles = Self.scripts(short: 400)

  private static func scripts(short: Int) -> [EditScript] {
    let isLong = ProcessInfo.processInfo.environment["FEDERATED_LONG_TESTS"] != nil
    return [1, 2, 3].map { EditScript(seed: $0, steps: isLong ? 10_000 : short) }
  }

  private static let stretch = 10

  /// - Throws: ``EditScriptFailure`` with the seed and the shortest prefix that fails.
  public func run(first: StoreKind, second: StoreKind) throws {
    let run = try ScriptRun(seed: self.seed, first: first, second: second)
    for number in 1...self.steps {
      do {
        try run.advance()
        if number / EditScript.stretch % 2 == 1 || number % EditScript.stretch == 0 { try run.check() }
      } catch {
        try self.reportShortest(upTo: number, run, error, first: first, second: second)
      }
    }
  }

  /// The step that failed may have shown what an earlier one broke: each prefix of the stretch is tried alone.
  private func reportShortest(
    upTo last: Int, _ failed: ScriptRun, _ error: any Error, first: StoreKind, second: StoreKind
  ) throws {
    for length in max(1, last - EditScript.stretch)..<last {
      let run = try ScriptRun(seed: self.seed, first: first, second: second)
      do {
        for number in 1...length {
          try run.advance()
          // What was read has a part in what follows, so a prefix reads what the run had read.
          if number < length, number / EditScript.stretch % 2 == 1 || number % EditScript.stretch == 0 {
            try run.check()
          }
        }
        try run.check()
      } catch { throw EditScriptFailure(seed: self.seed, steps: run.steps, error: error) }
    }
    throw EditScriptFailure(seed: self.seed, steps: failed.steps, error: error)
  }
}

/// Where a script failed: the seed, and the shortest prefix of its steps that fails.
public struct EditScriptFailure: Error, CustomStringConvertible {
  let seed: UInt64
  let steps: [ScriptStep]
  let error: any Error

  public var description: String {
    let last = self.steps.suffix(40).map { "  \($0)" }.joined(separator: "\n")
    return
      "seed \(self.seed) fails after \(self.steps.count) steps: \(self.error)\nthe last of them:\n\(last)"
  }
}
