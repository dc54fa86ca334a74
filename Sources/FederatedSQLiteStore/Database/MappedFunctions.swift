internal import CSQLite
internal import FederatedStore
internal import Foundation

/// The mapped columns and keys of one store, by number.
final class MappedColumns: Sendable {
  let cells: [CellConversion]
  let shapes: [KeyShape]

  init(cells: [CellConversion], shapes: [KeyShape]) {
    self.cells = cells
    self.shapes = shapes
  }
}

/// The functions by which statements over files of others turn cells into values and keys into references.
enum MappedFunctions {
  /// `(number, cell, key of the row …)`: the value of a cell of a mapped column.
  static let cell = "fd_cell"
  /// `(number, part …)`: the reference of a key; null when a part is.
  static let key = "fd_key"

  /// What the functions of one connection work with, and why the last of them failed.
  final class Calls {
    let columns: MappedColumns
    private var failure: StoreError?

    init(_ columns: MappedColumns) { self.columns = columns }

    fileprivate func fail(_ error: StoreError) { self.failure = error }

    /// Why the last statement failed; nil when no function was the reason.
    func takeFailure() -> StoreError? {
      defer { self.failure = nil }
      return self.failure
    }
  }

  static func register(on handle: OpaquePointer, _ calls: Calls) {
    unsafe self.add(self.cell, on: handle, calls) { context, count, values in
      let calls = unsafe MappedFunctions.calls(context)
      let conversion = calls.columns.cells[Int(unsafe sqlite3_value_int(values![0]))]
      let cell = unsafe ValueFunctions.cell(values![1])
      if let value = conversion.ownCell(of: cell) { return unsafe ValueFunctions.answer(context, value) }
      if conversion.cell.unfit == .asNil { return unsafe sqlite3_result_null(context) }
      var row: [SQLValue] = []
      for index in 2..<Int(count) { row.append(unsafe ValueFunctions.cell(values![index])) }
      let error = conversion.error(cell, row: row)
      calls.fail(error)
      unsafe sqlite3_result_error(context, error.description, -1)
    }
    unsafe self.add(self.key, on: handle, calls) { context, count, values in
      let shape = unsafe MappedFunctions.calls(context).columns.shapes[Int(sqlite3_value_int(values![0]))]
      var parts: [SQLValue] = []
      for index in 1..<Int(count) { parts.append(unsafe ValueFunctions.cell(values![index])) }
      guard let reference = shape.reference(of: parts) else { return unsafe sqlite3_result_null(context) }
      unsafe sqlite3_result_int64(context, reference)
    }
  }

  private static func calls(_ context: OpaquePointer?) -> Calls {
    unsafe Unmanaged<Calls>.fromOpaque(sqlite3_user_data(context)!).takeUnretainedValue()
  }

  /// The connection keeps the calls as long as its handle.
  private static func add(
    _ name: String, on handle: OpaquePointer, _ calls: Calls,
    _ body: @escaping @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void
  ) {
    _ = unsafe sqlite3_create_function_v2(
      handle, name, -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY,
      Unmanaged.passUnretained(calls).toOpaque(), body, nil, nil, nil)
  }
}
