internal import CSQLite
internal import FederatedModel
internal import Foundation

/// Calculation inside SQLite, by the very code that the in-memory evaluation calls.
///
/// Cells are those of ``SQLKind``.
enum ValueFunctions {
  /// `(code, operand, …)`: what a function of the language answers.
  static let call = "fd_call"
  /// `(code, value)`, an aggregate: what a statistic makes of the values.
  static let gather = "fd_gather"
  /// `(value, value)`: 1 when the numbers are equal, or both are nil; else 0.
  static let equal = "fd_equal"
  /// `(value, value)`: below 0, 0 or above 0; null when a number is nil or NaN.
  static let order = "fd_order"
  /// `(cell)`: the decimal of a decimal column.
  static let decimal = "fd_decimal"
  /// `(text, options)`: text as it is compared under `[c]` and `[d]`.
  static let fold = "fd_fold"

  /// A function and the kind of its first operand in one number, which statement text may hold.
  static func code(_ function: FetchFunction, _ kind: SQLKind) -> Int {
    self.functions.firstIndex(of: function)! << 8 | kind.rawValue
  }

  private static let functions = FetchFunction.allCases

  private static func function(_ code: OpaquePointer?) -> (FetchFunction, SQLKind)? {
    let code = Int(unsafe sqlite3_value_int(code))
    guard self.functions.indices.contains(code >> 8), let kind = SQLKind(rawValue: code & 0xFF) else {
      return nil
    }
    return (self.functions[code >> 8], kind)
  }

  static func register(on handle: OpaquePointer) {
    unsafe SQLFunctions.add(self.call, -1, on: handle) { context, count, values in
      guard count > 1, let (function, kind) = unsafe ValueFunctions.function(values![0]) else {
        return unsafe sqlite3_result_error(context, "no such function of the predicate language", -1)
      }
      var operands: [Value] = []
      for index in 1..<Int(count) {
        let operandKind = index == 1 || function.isStatistic ? kind : .number
        guard let operand = SQLCell.value(unsafe ValueFunctions.cell(values![index]), operandKind) else {
          return unsafe sqlite3_result_null(context)
        }
        operands.append(operand)
      }
      do {
        let answer =
          function.isStatistic
          ? try function.statistic(ofValues: operands)
          : try ScalarFunction(function, now: .distantPast).answer(operands)
        unsafe ValueFunctions.answer(context, SQLCell.cell(answer))
      } catch {
        unsafe sqlite3_result_error(context, "\(error)", -1)
      }
    }
    unsafe SQLFunctions.add(self.equal, 2, on: handle) { context, _, values in
      let (a, b) = (unsafe ValueFunctions.number(values![0]), unsafe ValueFunctions.number(values![1]))
      unsafe sqlite3_result_int(context, a.matches(b) ? 1 : 0)
    }
    unsafe SQLFunctions.add(self.order, 2, on: handle) { context, _, values in
      let (a, b) = (unsafe ValueFunctions.number(values![0]), unsafe ValueFunctions.number(values![1]))
      do throws(FetchPredicateError) {
        guard let order = try a.order(b) else { return unsafe sqlite3_result_null(context) }
        unsafe sqlite3_result_int(context, Int32(order.signum()))
      } catch {
        unsafe sqlite3_result_error(context, "\(error)", -1)
      }
    }
    unsafe SQLFunctions.add(self.decimal, 1, on: handle) { context, _, values in
      guard let decimal = unsafe SQLFunctions.decimal(values![0]) else {
        return unsafe sqlite3_result_null(context)
      }
      unsafe ValueFunctions.answer(context, SQLCell.cell(.decimal(decimal)))
    }
    unsafe SQLFunctions.add(self.fold, 2, on: handle) { context, _, values in
      guard let text = unsafe SQLFunctions.text(values![0]) else {
        return unsafe sqlite3_result_null(context)
      }
      let options = FetchPredicate.Options(
        rawValue: UInt8(truncatingIfNeeded: unsafe sqlite3_value_int(values![1])))
      unsafe ValueFunctions.answer(context, .text(StringMatching.fold(text, options)))
    }
    unsafe self.registerGather(on: handle)
  }

  // MARK: Cells

  static func cell(_ value: OpaquePointer?) -> SQLValue {
    switch unsafe sqlite3_value_type(value) {
    case SQLITE_INTEGER: return .int(unsafe sqlite3_value_int64(value))
    case SQLITE_FLOAT: return .double(unsafe sqlite3_value_double(value))
    case SQLITE_TEXT: return unsafe SQLFunctions.text(value).map { .text($0) } ?? .null
    case SQLITE_BLOB:
      let start = unsafe sqlite3_value_blob(value)
      let count = Int(unsafe sqlite3_value_bytes(value))
      return .blob(unsafe start.map { unsafe Data(bytes: $0, count: count) } ?? Data())
    default: return .null
    }
  }

  private static func number(_ value: OpaquePointer?) -> Value {
    SQLCell.value(unsafe self.cell(value), .number) ?? .null
  }

  static func answer(_ context: OpaquePointer?, _ cell: SQLValue) {
    switch cell {
    case .null: unsafe sqlite3_result_null(context)
    case .int(let int): unsafe sqlite3_result_int64(context, int)
    case .double(let double): unsafe sqlite3_result_double(context, double)
    case .text(let text):
      unsafe sqlite3_result_text64(
        context, text, UInt64(text.utf8.count), fd_sqlite_transient(), UInt8(SQLITE_UTF8))
    case .blob(let bytes):
      if bytes.isEmpty { return unsafe sqlite3_result_zeroblob(context, 0) }
      unsafe bytes.withUnsafeBytes { bytes in
        unsafe sqlite3_result_blob(context, bytes.baseAddress, Int32(bytes.count), fd_sqlite_transient())
      }
    }
  }

  // MARK: Statistics

  /// The values that one run of an aggregate has seen.
  private final class Gathering {
    let function: FetchFunction
    let kind: SQLKind
    var values: [Value] = []

    init(_ function: FetchFunction, _ kind: SQLKind) {
      self.function = function
      self.kind = kind
    }
  }

  /// The code as a number makes an aggregate of its own for each statistic, so that one without rows is known.
  private static func registerGather(on handle: OpaquePointer) {
    _ = unsafe sqlite3_create_function_v2(
      handle, self.gather, 2, SQLITE_UTF8 | SQLITE_INNOCUOUS | SQLITE_DETERMINISTIC, nil, nil,
      { context, _, values in
        guard
          let place = unsafe sqlite3_aggregate_context(
            context, Int32(MemoryLayout<Unmanaged<Gathering>?>.size))?
            .assumingMemoryBound(to: Unmanaged<Gathering>?.self)
        else { return unsafe sqlite3_result_error_nomem(context) }
        if unsafe place.pointee == nil, let (function, kind) = unsafe ValueFunctions.function(values![0]) {
          unsafe place.pointee = .passRetained(Gathering(function, kind))
        }
        guard let gathering = unsafe place.pointee?.takeUnretainedValue() else { return }
        let cell = unsafe ValueFunctions.cell(values![1])
        gathering.values.append(SQLCell.value(cell, gathering.kind) ?? .null)
      },
      { context in
        guard
          let place = unsafe sqlite3_aggregate_context(context, 0)?
            .assumingMemoryBound(to: Unmanaged<Gathering>?.self),
          let gathering = unsafe place.pointee?.takeRetainedValue()
        else { return unsafe sqlite3_result_null(context) }
        do {
          let answer = try gathering.function.statistic(ofValues: gathering.values)
          unsafe ValueFunctions.answer(context, SQLCell.cell(answer))
        } catch {
          unsafe sqlite3_result_error(context, "\(error)", -1)
        }
      }, nil)
  }
}
