internal import FederatedModel

/// The rows that an SQL expression speaks of: one table under an alias, and the to-one joins that its paths
/// have asked for.
///
/// One scope for a SELECT, one more for each subquery in it.
struct SQLScope {
  let alias: String
  let entity: EntityID
  private(set) var joins: [Join] = []

  struct Join {
    /// The column that leads to the row, with its alias.
    let source: String
    let alias: String
    let table: Table
  }

  init(alias: String, entity: EntityID) {
    self.alias = alias
    self.entity = entity
  }

  /// The alias of the row that a to-one column leads to; each is joined once.
  mutating func join(_ source: String, to table: Table, naming alias: () -> String) -> String {
    if let known = self.joins.first(where: { $0.source == source }) { return known.alias }
    let name = alias()
    self.joins.append(Join(source: source, alias: name, table: table))
    return name
  }

  /// SQLite joins 64 tables at most, the first one among them.
  static let mostJoins = 60
  var fits: Bool { self.joins.count <= SQLScope.mostJoins }

  /// ` LEFT JOIN …` for each join: a row without destination stays, and its path reads null.
  var joinText: String {
    self.joins.map { join in
      " LEFT JOIN \(join.table.name.quotedName) AS \(join.alias) ON "
        + "\(join.alias).\(join.table.key.quotedName) = \(join.source)"
    }.joined()
  }
}

/// What one compilation shares between its scopes: the layout, names, and lists that go into tables.
struct CompilationContext {
  let layout: TableLayout
  let model: ManagedObjectModel
  let store: StoreID
  /// Lists too long for the statement; each becomes a table of the connection while the statement runs.
  var lists: [KeyList] = []
  private var aliasCount = 0

  init(layout: TableLayout, model: ManagedObjectModel, store: StoreID) {
    self.layout = layout
    self.model = model
    self.store = store
  }

  mutating func alias() -> String {
    self.aliasCount += 1
    return "t\(self.aliasCount)"
  }

  /// A name for a list's table; the runner puts the real one in its place.
  mutating func table(for list: KeyList) -> String {
    self.lists.append(list)
    return KeyList.placeholder(self.lists.count - 1)
  }

  static let root = "t0"
  /// Longer lists than this go into a table.
  static let longestInlineList = 64
}
