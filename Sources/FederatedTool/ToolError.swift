/// Why a command stops: what is printed to standard error, and the exit status.
struct ToolError: Error, CustomStringConvertible {
  let status: ToolStatus
  /// `PLACE: what, and what to do`, without the leading `error: `.
  let description: String
  /// A line of input with a caret under the place, printed below the message.
  var excerpt: String?

  /// Wrong usage: the arguments do not say what to do.
  static func usage(_ place: String, _ detail: String) -> ToolError {
    ToolError(status: .wrongUsage, description: "\(place): \(detail)")
  }

  /// The arguments are understood and the work failed.
  static func failed(_ place: String, _ detail: String) -> ToolError {
    ToolError(status: .failed, description: "\(place): \(detail)")
  }
}

/// What the command tells the shell.
enum ToolStatus: Int32 {
  case done = 0
  case failed = 1
  case wrongUsage = 2
  /// A save waits to be finished.
  case pending = 3

  /// What the command looks for is there: a problem, a difference.
  static let found = ToolStatus.pending
}

extension ToolError {
  /// What to print for an error from below. The library's errors name their place themselves.
  init(_ error: any Error) {
    self = error as? ToolError ?? ToolError(status: .failed, description: "\(error)")
  }
}
