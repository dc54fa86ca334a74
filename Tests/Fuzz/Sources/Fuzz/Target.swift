import Foundation

/// What is fuzzed: a reader that takes bytes of strangers.
///
/// A reader may refuse with an error of its own, and that at once. A trap, a hang or memory without end is a finding;
/// so is an error that says nothing.
enum Target: String, CaseIterable {
  case xml, mapped, sqlite, model, archive, predicate, federation

  static let chosen: Target = {
    let environment = ProcessInfo.processInfo.environment
    guard let name = environment["FUZZ_TARGET"], let target = Target(rawValue: name) else {
      fatalError("FUZZ_TARGET must be one of \(Target.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return target
  }()

  func run(_ input: Data) {
    do {
      switch self {
      case .xml: try XMLTarget.run(input)
      case .mapped: try MappedTarget.run(input)
      case .sqlite: try SQLiteTarget.run(input)
      case .model: try ModelTarget.run(input)
      case .archive: try ArchiveTarget.run(input)
      case .predicate: try PredicateTarget.run(input)
      case .federation: try FederationTarget.run(input)
      }
    } catch {
      precondition(!"\(error)".isEmpty, "an error without words")
    }
  }

  /// Writes the first inputs, which the fuzzer then changes.
  func writeSeeds() throws {
    guard let path = ProcessInfo.processInfo.environment["FUZZ_SEEDS"] else { return }
    let seeds: [Data] =
      switch self {
      case .xml: try XMLTarget.seeds()
      case .mapped: MappedTarget.seeds
      case .sqlite: try SQLiteTarget.seeds()
      case .model: try ModelTarget.seeds()
      case .archive: try ArchiveTarget.seeds()
      case .predicate: PredicateTarget.seeds
      case .federation: FederationTarget.seeds
      }
    for (number, seed) in seeds.enumerated() {
      try seed.write(to: URL(filePath: path).appending(path: "seed-\(number)"))
    }
  }
}

/// A folder of the process's own, in memory where the machine has such a place.
enum Scratch {
  static let folder: URL = {
    let shared = "/dev/shm"
    let base = FileManager.default.isWritableFile(atPath: shared) ? shared : NSTemporaryDirectory()
    let folder = URL(filePath: base).appending(
      path: "federated-fuzz-\(ProcessInfo.processInfo.processIdentifier)")
    do { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) } catch {
      fatalError("\(error)")
    }
    return folder
  }()

  /// A file of that name with the input as its content.
  static func file(_ name: String, _ input: Data) throws -> URL {
    let url = self.folder.appending(path: name)
    try input.write(to: url)
    return url
  }
}
