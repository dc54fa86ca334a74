internal import CSQLite
internal import FederatedModel
internal import Foundation

/// Text comparisons inside SQLite, by the very code that the in-memory evaluation calls.
enum TextFunctions {
  /// `(text, pattern, code)`: 1 or 0; null when one of the texts is null.
  static let test = "fd_text"
  /// `(text, text, options)`: below 0, 0 or above 0.
  static let order = "fd_text_order"
  /// `(text, options)`: text whose scalars have the order that the options ask for.
  static let orderKey = "fd_order_key"

  /// An operator and its options in one number, which statement text may hold.
  static func code(_ operator: FetchPredicate.Operator, _ options: FetchPredicate.Options) -> Int? {
    self.operators.firstIndex(of: `operator`).map { $0 << 8 | Int(options.rawValue) }
  }

  private static let operators: [FetchPredicate.Operator] = [
    .equal, .contains, .beginsWith, .endsWith, .like, .matches,
  ]

  static func collation(_ comparison: FetchSortDescriptor.Comparison) -> String {
    "fd_\(comparison.rawValue)"
  }

  static func register(on handle: OpaquePointer) {
    unsafe SQLFunctions.add(self.test, 3, on: handle) { context, _, values in
      guard let text = unsafe SQLFunctions.text(values![0]),
        let pattern = unsafe SQLFunctions.text(values![1])
      else {
        return unsafe sqlite3_result_null(context)
      }
      guard let matcher = unsafe TextFunctions.matcher(context, pattern, values![2]) else {
        return unsafe sqlite3_result_error(context, "a pattern is no regular expression", -1)
      }
      unsafe sqlite3_result_int(context, matcher.accepts(text) ? 1 : 0)
    }
    unsafe SQLFunctions.add(self.order, 3, on: handle) { context, _, values in
      guard let a = unsafe SQLFunctions.text(values![0]), let b = unsafe SQLFunctions.text(values![1]) else {
        return unsafe sqlite3_result_null(context)
      }
      let options = FetchPredicate.Options(
        rawValue: UInt8(truncatingIfNeeded: unsafe sqlite3_value_int(values![2])))
      unsafe sqlite3_result_int(context, Int32(StringMatching.order(a, b, options).signum()))
    }
    unsafe SQLFunctions.add(self.orderKey, 2, on: handle) { context, _, values in
      guard let text = unsafe SQLFunctions.text(values![0]) else {
        return unsafe sqlite3_result_null(context)
      }
      let options = FetchPredicate.Options(
        rawValue: UInt8(truncatingIfNeeded: unsafe sqlite3_value_int(values![1])))
      let key = StringMatching.orderKey(text, options)
      unsafe sqlite3_result_text64(
        context, key, UInt64(key.utf8.count), fd_sqlite_transient(), UInt8(SQLITE_UTF8))
    }
    unsafe self.collate(.localized, on: handle) { _, n, a, m, b in
      Int32(
        StringMatching.order(unsafe TextFunctions.text(a, n), unsafe TextFunctions.text(b, m), by: .localized)
      )
    }
    unsafe self.collate(.localizedCaseInsensitive, on: handle) { _, n, a, m, b in
      Int32(
        StringMatching.order(
          unsafe TextFunctions.text(a, n), unsafe TextFunctions.text(b, m), by: .localizedCaseInsensitive))
    }
    unsafe self.collate(.localizedStandard, on: handle) { _, n, a, m, b in
      Int32(
        StringMatching.order(
          unsafe TextFunctions.text(a, n), unsafe TextFunctions.text(b, m), by: .localizedStandard))
    }
  }

  private static func collate(
    _ comparison: FetchSortDescriptor.Comparison, on handle: OpaquePointer,
    _ body:
      @escaping @convention(c) (
        UnsafeMutableRawPointer?, Int32, UnsafeRawPointer?, Int32, UnsafeRawPointer?
      ) -> Int32
  ) {
    _ = unsafe sqlite3_create_collation_v2(handle, self.collation(comparison), SQLITE_UTF8, nil, body, nil)
  }

  private static func text(_ start: UnsafeRawPointer?, _ count: Int32) -> String {
    unsafe String(
      decoding: UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(count)), as: UTF8.self)
  }

  // MARK: Patterns

  /// A pattern made ready once for a run of a statement.
  private final class Matcher {
    let accepts: (String) -> Bool
    init(_ accepts: @escaping (String) -> Bool) { self.accepts = accepts }
  }

  /// SQLite keeps what belongs to a constant argument for as long as the statement runs.
  private static func matcher(_ context: OpaquePointer?, _ pattern: String, _ code: OpaquePointer?)
    -> Matcher?
  {
    if let known = unsafe sqlite3_get_auxdata(context, 1) {
      return unsafe Unmanaged<Matcher>.fromOpaque(known).takeUnretainedValue()
    }
    guard let matcher = self.matcher(pattern, Int(unsafe sqlite3_value_int(code))) else { return nil }
    unsafe sqlite3_set_auxdata(context, 1, Unmanaged.passRetained(matcher).toOpaque()) { kept in
      unsafe Unmanaged<Matcher>.fromOpaque(kept!).release()
    }
    return matcher
  }

  private static func matcher(_ pattern: String, _ code: Int) -> Matcher? {
    let options = FetchPredicate.Options(rawValue: UInt8(truncatingIfNeeded: code))
    switch self.operators[code >> 8] {
    case .contains: return Matcher { StringMatching.contains($0, pattern, options) }
    case .beginsWith: return Matcher { StringMatching.hasPrefix($0, pattern, options) }
    case .endsWith: return Matcher { StringMatching.hasSuffix($0, pattern, options) }
    case .like:
      let glob = GlobPattern(pattern, options)
      return Matcher { glob.matches($0) }
    case .matches:
      do throws(FetchPredicateError) {
        let expression = try RegularExpressionMatch(pattern, options)
        return Matcher { expression.matches($0) }
      } catch { return nil }
    default: return Matcher { StringMatching.equal($0, pattern, options) }
    }
  }
}
