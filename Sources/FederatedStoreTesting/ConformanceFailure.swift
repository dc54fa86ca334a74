internal import FederatedStore

/// What a check found wrong, and where in the check.
public struct ConformanceFailure: Error, CustomStringConvertible {
  public let detail: String
  public let file: String
  public let line: Int

  public var description: String { "\(self.file):\(self.line): \(self.detail)" }
}

/// Fails the check when the condition does not hold.
func require(
  _ condition: Bool, _ detail: @autoclosure () -> String, file: String = #fileID, line: Int = #line
) throws {
  if condition { return }
  throw ConformanceFailure(detail: detail(), file: file, line: line)
}

/// Fails the check when the two differ.
func requireEqual<T: Equatable>(
  _ found: T, _ expected: T, _ what: @autoclosure () -> String, file: String = #fileID, line: Int = #line
) throws {
  try require(found == expected, "\(what()): found \(found), expected \(expected)", file: file, line: line)
}

/// The value, or a failure of the check when there is none.
func unwrap<T>(
  _ value: T?, _ what: @autoclosure () -> String, file: String = #fileID, line: Int = #line
) throws -> T {
  guard let value else {
    throw ConformanceFailure(detail: "\(what()): there is none", file: file, line: line)
  }
  return value
}

/// Fails the check unless the body throws a ``StoreError`` of that code.
func requireRefusal(
  _ code: StoreError.Code, _ what: @autoclosure () -> String, file: String = #fileID, line: Int = #line,
  _ body: () throws -> Void
) throws {
  do {
    try body()
  } catch let error as StoreError {
    try requireEqual(error.code, code, what(), file: file, line: line)
    return
  }
  throw ConformanceFailure(detail: "\(what()): expected \(code), nothing was thrown", file: file, line: line)
}
