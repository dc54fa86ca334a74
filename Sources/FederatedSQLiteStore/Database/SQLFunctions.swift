internal import CSQLite
internal import Foundation

/// The functions that every connection registers.
enum SQLFunctions {
  /// `(cell, cell)`: below 0, 0 or above 0 as the first decimal is less, equal or greater; null beside null.
  static let decimalOrder = "fd_decimal_order"
  /// `(cell)`: bytes whose order is that of the decimals.
  static let decimalKey = "fd_decimal_key"

  static func register(on handle: OpaquePointer) {
    unsafe TextFunctions.register(on: handle)
    unsafe ValueFunctions.register(on: handle)
    unsafe SumFunctions.register(on: handle)
    unsafe self.add(self.decimalOrder, 2, on: handle) { context, _, values in
      guard let a = unsafe SQLFunctions.decimal(values![0]), let b = unsafe SQLFunctions.decimal(values![1])
      else {
        return unsafe sqlite3_result_null(context)
      }
      unsafe sqlite3_result_int(context, a < b ? -1 : a == b ? 0 : 1)
    }
    unsafe self.add(self.decimalKey, 1, on: handle) { context, _, values in
      guard let decimal = unsafe SQLFunctions.decimal(values![0]) else {
        return unsafe sqlite3_result_null(context)
      }
      let key = DecimalCell.orderKey(decimal)
      unsafe key.withUnsafeBytes { bytes in
        unsafe sqlite3_result_blob(context, bytes.baseAddress, Int32(bytes.count), fd_sqlite_transient())
      }
    }
  }

  /// `(key)`: true, and one more in the connection's count of visited rows. Registered when it is first needed.
  ///
  /// As the first condition it is asked for each row that the chosen index leads to, before any other condition.
  static let visit = "fd_visit"

  static func registerVisits(on handle: OpaquePointer, counting count: UnsafeMutablePointer<Int>) {
    // Not deterministic: SQLite may neither skip nor hoist a call.
    _ = unsafe sqlite3_create_function_v2(
      handle, self.visit, 1, SQLITE_UTF8 | SQLITE_INNOCUOUS, count,
      { context, _, _ in
        unsafe sqlite3_user_data(context)!.assumingMemoryBound(to: Int.self).pointee += 1
        unsafe sqlite3_result_int(context, 1)
      }, nil, nil, nil)
  }

  static func add(
    _ name: String, _ arguments: Int32, on handle: OpaquePointer,
    _ body: @escaping @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void
  ) {
    _ = unsafe sqlite3_create_function_v2(
      handle, name, arguments, SQLITE_UTF8 | SQLITE_INNOCUOUS | SQLITE_DETERMINISTIC, nil, body, nil, nil, nil
    )
  }

  static func text(_ value: OpaquePointer?) -> String? {
    guard let start = unsafe sqlite3_value_text(value) else { return nil }
    let count = Int(unsafe sqlite3_value_bytes(value))
    return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  static func decimal(_ value: OpaquePointer?) -> Decimal? {
    switch unsafe sqlite3_value_type(value) {
    case SQLITE_NULL: return nil
    case SQLITE_INTEGER: return Decimal(unsafe sqlite3_value_int64(value))
    case SQLITE_FLOAT: return DecimalCell.decimal((unsafe sqlite3_value_double(value)).description)
    default:
      let start = unsafe sqlite3_value_blob(value)
      let count = Int(unsafe sqlite3_value_bytes(value))
      let text = unsafe String(
        decoding: UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count), as: UTF8.self)
      return DecimalCell.decimal(text)
    }
  }
}
