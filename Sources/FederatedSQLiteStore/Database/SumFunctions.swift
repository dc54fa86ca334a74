internal import CSQLite
internal import FederatedModel
internal import Foundation

/// Sums that the statements of every connection can take: exact, whatever the order of the rows.
enum SumFunctions {
  /// `(cell)`: the doubles of a group, added bit for bit, as the bytes of a sum.
  static let doubles = "fd_sum_doubles"
  /// `(cell)`: the decimals of a group, added digit for digit, as the bytes of a sum.
  static let decimals = "fd_sum_decimals"

  /// What one group has gathered. SQLite keeps it between the calls for the group's rows.
  private final class Gathered {
    var sum = ExactSum()
  }

  static func register(on handle: OpaquePointer) {
    unsafe self.add(self.doubles, on: handle) { context, _, values in
      let value = unsafe values![0]
      guard unsafe sqlite3_value_type(value) != SQLITE_NULL else { return }
      unsafe SumFunctions.gathered(context)?.sum.add(sqlite3_value_double(value))
    }
    unsafe self.add(self.decimals, on: handle) { context, _, values in
      guard let decimal = unsafe SQLFunctions.decimal(values![0]) else { return }
      unsafe SumFunctions.gathered(context)?.sum.add(decimal)
    }
  }

  private static func add(
    _ name: String, on handle: OpaquePointer,
    step: @escaping @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void
  ) {
    _ = unsafe sqlite3_create_function_v2(
      handle, name, 1, SQLITE_UTF8 | SQLITE_INNOCUOUS | SQLITE_DETERMINISTIC, nil, nil, step,
      { context in unsafe SumFunctions.finish(context) }, nil)
  }

  /// The sum of the group that the context is about, begun with its first row.
  private static func gathered(_ context: OpaquePointer?) -> Gathered? {
    let size = Int32(MemoryLayout<Int>.size)
    guard let place = unsafe sqlite3_aggregate_context(context, size) else { return nil }
    let pointer = unsafe place.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    if let known = unsafe pointer.pointee {
      return unsafe Unmanaged<Gathered>.fromOpaque(known).takeUnretainedValue()
    }
    let gathered = Gathered()
    unsafe pointer.pointee = unsafe Unmanaged.passRetained(gathered).toOpaque()
    return gathered
  }

  /// Answers the sum's bytes, or null where there was no row. SQLite calls it for every group that was begun, also when
  /// the statement is given up.
  private static func finish(_ context: OpaquePointer?) {
    guard let place = unsafe sqlite3_aggregate_context(context, 0),
      let known = unsafe place.assumingMemoryBound(to: UnsafeMutableRawPointer?.self).pointee
    else {
      return unsafe sqlite3_result_null(context)
    }
    let gathered = unsafe Unmanaged<Gathered>.fromOpaque(known).takeRetainedValue()
    unsafe gathered.sum.words.withUnsafeBytes { bytes in
      unsafe sqlite3_result_blob(context, bytes.baseAddress, Int32(bytes.count), fd_sqlite_transient())
    }
  }

  /// The sum that a cell of such a function holds.
  static func sum(_ row: Statement, _ column: Int32) -> ExactSum {
    if row.isNull(column) { return ExactSum() }
    return unsafe row.withBlob(column) { bytes in
      let count = bytes.count / 8
      let words = (0..<count).map { place in
        unsafe bytes.loadUnaligned(fromByteOffset: place * 8, as: Int64.self)
      }
      return ExactSum(words: words)
    }
  }
}
