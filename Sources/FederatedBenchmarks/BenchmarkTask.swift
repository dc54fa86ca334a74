/// One piece of work, done straight on the C libraries and in one or more ways by the library.
struct BenchmarkTask: Sendable {
  /// `T1`.
  let name: String
  let title: String
  /// Whether the time from spawn to exit counts.
  var isWholeProcess = false
  /// The first way is the raw one; all others are held against it.
  let ways: [Way]

  struct Way: Sendable {
    let name: String
    let run: @Sendable (DataFiles) throws -> Outcome

    init(_ name: String, _ run: @escaping @Sendable (DataFiles) throws -> Outcome) {
      self.name = name
      self.run = run
    }
  }

  /// What one run gave.
  struct Outcome: Sendable {
    /// Equal in all ways of a task.
    var check: Int64
    /// The seconds of the work itself, when the run also prepares or verifies; nil counts the whole run.
    var seconds: Double?

    init(check: Int64, seconds: Double? = nil) {
      self.check = check
      self.seconds = seconds
    }
  }

  static let raw = "raw"

  /// In the order of the table.
  static let all: [BenchmarkTask] = [
    .linksOneByOne, .linksBySet, .everything, .inserting, .rewriting, .coldStart, .filtered, .copying,
    .streaming,
  ]
}
