internal import FederatedModel
internal import Foundation

/// A row that a path has reached: its alias, and the frame whose joins carry it.
struct SQLRow {
  let entity: EntityID
  let alias: String
  var frame = 0
  /// Whether the row may be missing: one behind a to-one, inside a collection.
  var isNullable = false
}

/// One FROM: a table under an alias, and what its paths have joined to it.
struct SQLFrame {
  let alias: String
  let entity: EntityID
  private(set) var joins: [Join] = []

  struct Join {
    /// The columns that lead to the row, with their alias; nil for the rows of a to-many.
    let source: [String]?
    let alias: String
    let text: String
  }

  init(alias: String, entity: EntityID) {
    self.alias = alias
    self.entity = entity
  }

  fileprivate mutating func add(_ join: Join) { self.joins.append(join) }

  /// ` LEFT JOIN …` for each join: a row without destination stays, and its path reads null.
  var joinText: String { self.joins.map(\.text).joined() }
}

/// The rows that an SQL expression may speak of: those of the SELECT, and of the subqueries around the place,
/// innermost last; and what the variables of the language stand for there.
struct SQLScope {
  private(set) var frames: [SQLFrame]
  private var variables: [(name: String, value: SQLOperand)] = []

  init(alias: String, entity: EntityID) { self.frames = [SQLFrame(alias: alias, entity: entity)] }

  /// The row that the predicate is asked of.
  var row: SQLRow { SQLRow(entity: self.entity, alias: self.alias) }
  var alias: String { self.frames[0].alias }
  var entity: EntityID { self.frames[0].entity }
  var joinText: String { self.frames[0].joinText }

  /// SQLite joins 64 tables at most, the first one among them.
  static let mostJoins = 60
  var fits: Bool { self.frames[0].joins.count <= SQLScope.mostJoins }

  /// The alias of the row that the columns of a to-one lead to; each is joined once.
  mutating func join(_ source: [String], to table: Table, in frame: Int = 0, naming alias: () -> String)
    -> String
  {
    if let known = self.frames[frame].joins.first(where: { $0.source == source }) { return known.alias }
    let name = alias()
    let text =
      " LEFT JOIN \(table.name.quotedName) AS \(name) ON \(table.key.matches(name, source))"
      + (table.ownRows(name).map { " AND " + $0 } ?? "")
    self.frames[frame].add(SQLFrame.Join(source: source, alias: name, text: text))
    return name
  }

  /// Joins the rows of a to-many to a frame: each row as often as it has destinations.
  /// - Parameter keepsOwner: whether a row without destinations stays.
  mutating func join(
    _ alias: String, of table: Table, on link: String, in frame: Int, keepsOwner: Bool
  ) {
    let text =
      " \(keepsOwner ? "LEFT " : "")JOIN \(table.name.quotedName) AS \(alias) ON \(link)"
      + (table.ownRows(alias).map { " AND " + $0 } ?? "")
    self.frames[frame].add(SQLFrame.Join(source: nil, alias: alias, text: text))
  }

  /// Enters a subquery.
  /// - Returns: the number of its frame.
  mutating func push(_ frame: SQLFrame) -> Int {
    self.frames.append(frame)
    return self.frames.count - 1
  }

  /// Leaves a subquery.
  mutating func pop() -> SQLFrame { self.frames.removeLast() }

  mutating func bind(_ variable: String, to value: SQLOperand) { self.variables.append((variable, value)) }
  mutating func unbind() { self.variables.removeLast() }
  func value(of variable: String) -> SQLOperand? { self.variables.last { $0.name == variable }?.value }
}

/// What one compilation shares between its scopes: the layout, names, and lists that go into tables.
struct CompilationContext {
  let layout: TableLayout
  let model: ManagedObjectModel
  let store: StoreID
  /// Lists too long for the statement; each becomes a table of the connection while the statement runs.
  var lists: [KeyList] = []
  /// What `now()` answers: one instant for the whole question.
  let now = Date()
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
