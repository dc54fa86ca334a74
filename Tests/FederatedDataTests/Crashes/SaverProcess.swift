import Foundation
import Testing

@testable import CrashingSaver

/// A process that saves over four files, and what it said.
final class SaverProcess {
  private let process = Process()
  private let pipe = Pipe()
  private(set) var output = Data()

  /// The built command, beside the bundle that runs the tests.
  private static let tool = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(
    path: "CrashingSaver")

  init(
    _ folder: URL, writer: Int = 0, first: Int, count: Int, names: [String] = [],
    environment: [String: String] = [:]
  ) throws {
    self.process.executableURL = Self.tool
    self.process.arguments =
      [folder.path(percentEncoded: false)] + [writer, first, count].map(String.init) + names
    self.process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    self.process.standardOutput = self.pipe
    try self.process.run()
  }

  /// Reads on until a line has come.
  func wait(for line: String) {
    while !String(decoding: self.output, as: UTF8.self).contains(line + "\n") {
      let more = self.pipe.fileHandleForReading.availableData
      if more.isEmpty { return }
      self.output.append(more)
    }
  }

  func kill(after microseconds: UInt32) {
    usleep(microseconds)
    Foundation.kill(self.process.processIdentifier, SIGKILL)
  }

  /// Waits for the end.
  /// - Returns: the lines of the output.
  func lines() -> [String] {
    self.output.append(self.pipe.fileHandleForReading.readDataToEndOfFile())
    self.process.waitUntilExit()
    return String(decoding: self.output, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}

/// Which saves of a writer are known to have happened.
struct SaveRecord {
  let writer: Int
  private(set) var saved: [Int] = []
  private(set) var refused: [Int] = []
  private(set) var next = 1

  private let names: [String]

  init(writer: Int = 0, names: [String] = CrashingFederation.allNames) {
    self.writer = writer
    self.names = names
  }

  mutating func take(_ lines: [String]) {
    for line in lines {
      let words = line.split(separator: " ")
      guard words.count > 1, let number = Int(words[1]) else { continue }
      switch words[0] {
      case "ok": self.saved.append(number)
      case "no": self.refused.append(number)
      default: continue
      }
      self.next = number + 1
    }
  }

  /// Opens the stores twice: all must hold what the record says.
  /// - Parameter mayHaveOneMore: whether the process was ended inside a save, which happened or did not.
  mutating func check(_ folder: URL, mayHaveOneMore: Bool, _ comment: Comment) throws {
    let federation = CrashingFederation(folder, writer: self.writer, names: self.names)
    let contents = try federation.contents()
    #expect(contents.allSatisfy { $0 == contents[0] }, "\(comment): the stores differ: \(contents)")
    if mayHaveOneMore, contents[0].last == self.next {
      self.saved.append(self.next)
      self.next += 1
    }
    let expected = CrashingFederation.Contents(
      last: self.saved.last, numbers: self.saved.suffix(CrashingFederation.kept))
    #expect(contents[0] == expected, "\(comment)")
    #expect(try federation.contents() == contents, "\(comment): opened again")
    #expect(try Self.pendingFiles(folder) == [], "\(comment)")
  }

  /// Pointers and journals. What was being written under a temporary name may stay.
  static func pendingFiles(_ folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
      .filter { $0.hasPrefix(".") && $0.contains(".joint") && !$0.hasSuffix(".new") }
  }
}

/// Whether the long form of tests runs that try their luck: hours of a machine's time instead of seconds.
enum LongTests {
  static let areWanted = ProcessInfo.processInfo.environment["FEDERATED_LONG_TESTS"] == "1"
}
