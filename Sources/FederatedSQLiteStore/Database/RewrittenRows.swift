internal import CSQLite
internal import FederatedStore

/// The rows to whose columns the database wrote by itself while a save was prepared on one connection.
///
/// Columns that the database keeps (``ColumnPlace/isDerived``) change in two ways: with their own row, and by triggers
/// when other rows change. Triggers of derived attributes end with a call that tells the row.
///
/// Belongs to one connection, and with it to one user at a time.
final class RewrittenRows {
  /// A row by the file's own number of its entity, as a trigger names it.
  struct Told: Hashable {
    let entity: Int64
    let key: Int64
  }

  private var told: Set<Told> = []
  private var known: Set<RowIdentity> = []

  /// The functions that triggers of derived attributes call with table, entity, key, attribute and value.
  private static let functions = [
    "NSCoreDataDATriggerUpdatedAffectedObjectValue", "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
  ]

  /// Provides the functions, which write down what they are told. `self` must live as long as the handle.
  func register(on handle: OpaquePointer) {
    for name in Self.functions {
      // Not deterministic: each call is another row's.
      _ = unsafe sqlite3_create_function_v2(
        handle, name, 5, SQLITE_UTF8 | SQLITE_INNOCUOUS, Unmanaged.passUnretained(self).toOpaque(),
        { context, _, values in
          let rows = unsafe Unmanaged<RewrittenRows>.fromOpaque(sqlite3_user_data(context)!)
            .takeUnretainedValue()
          unsafe rows.told.insert(
            Told(entity: sqlite3_value_int64(values![1]), key: sqlite3_value_int64(values![2])))
          unsafe sqlite3_result_null(context)
        }, nil, nil, nil)
    }
  }

  func note(_ row: RowIdentity) { self.known.insert(row) }

  func removeAll() {
    self.told.removeAll()
    self.known.removeAll()
  }

  /// What was written down since it was last asked, by the entities of the layout.
  func take(_ layout: TableLayout) -> [RowIdentity] {
    defer { self.removeAll() }
    if self.told.isEmpty { return Array(self.known) }
    var entities: [Int64: EntityPlace] = [:]
    for place in layout.entities.compactMap(\.self) { entities[place.discriminatorValue ?? 0] = place }
    let told = self.told.compactMap { row in
      entities[row.entity].map { RowIdentity(entity: $0.entity, reference: row.key) }
    }
    return Array(self.known.union(told))
  }
}
