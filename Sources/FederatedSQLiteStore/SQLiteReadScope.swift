internal import FederatedModel
internal import FederatedStore

/// A read transaction on one connection of the pool. It begins with the first read.
final class SQLiteReadScope: ReadScope {
  let sqlite: SQLiteStore
  private var connection: Connection?
  private var isEnded = false
  /// Whether the connection is another's, and stays with it.
  private let isGuest: Bool
  /// Key tables in use by statements that are not done.
  private var listsInUse: Set<Int> = []
  /// What is being measured, while a query is explained.
  var measured: StoreWork?
  /// Whether the statements of the query count the rows that they visit.
  var countsVisits = false

  var store: StoreID { self.sqlite.id }

  init(_ store: SQLiteStore) {
    self.sqlite = store
    self.isGuest = false
  }

  /// Reads what a save has written so far, inside its transaction.
  init(_ store: SQLiteStore, inside connection: Connection) {
    self.sqlite = store
    self.connection = connection
    self.isGuest = true
  }

  deinit { self.giveBack() }

  func end() {
    self.isEnded = true
    self.giveBack()
  }

  private func giveBack() {
    guard let connection = self.connection else { return }
    self.connection = nil
    if !self.isGuest { self.sqlite.giveBack(reader: connection) }
  }

  /// The connection, inside its transaction.
  func reading() throws(StoreError) -> Connection {
    if let connection = self.connection { return connection }
    if self.isEnded { throw StoreError(.closed, store: self.sqlite.url, "the read scope has ended") }
    try self.sqlite.requireOpen()
    let connection = try self.sqlite.takeReader()
    do { try connection.run("BEGIN") } catch {
      self.sqlite.giveBack(reader: connection)
      throw error
    }
    self.connection = connection
    return connection
  }

  /// Numbers from different connections never compare equal, so a token moves at times when nothing changed;
  /// it never stays when something did.
  var changeToken: ChangeToken {
    get throws(StoreError) {
      let connection = try self.reading()
      let version = try connection.number("PRAGMA data_version") ?? 0
      return ChangeToken(connection.number, UInt64(bitPattern: version))
    }
  }

  func run(_ query: StoreQuery) throws(StoreError) -> StoreAnswer {
    self.sqlite.counters.count(reads: 1)
    let answer = try self.answer(query)
    switch answer {
    case .rows(let rows): self.sqlite.counters.count(rows: rows.count)
    case .identities(let rows): self.sqlite.counters.count(rows: rows.count)
    case .values(let lines): self.sqlite.counters.count(rows: lines.count)
    case .groups(let table): self.sqlite.counters.count(rows: table.groups.count)
    case .count: break
    }
    return answer
  }

  /// Runs a statement with its key tables.
  func run(_ select: CompiledSelect, row: (Statement) throws(StoreError) -> Void) throws(StoreError) {
    try self.scan(select) { (statement) throws(StoreError) in
      try row(statement)
      return true
    }
  }

  /// Runs a statement until `next` answers false.
  func scan(_ select: CompiledSelect, next: (Statement) throws(StoreError) -> Bool) throws(StoreError) {
    let connection = try self.reading()
    let lists = try self.fill(select.lists, connection)
    defer { self.release(lists) }
    self.sqlite.counters.count(statements: 1)
    try connection.countQuestion(scans: select.readsOneTable)
    let statement = try connection.statement(self.text(select, lists))
    defer { statement.reset() }
    try statement.bind(select.fragment.bindings)
    self.willMeasure(statement)
    var rows = 0
    defer { self.didRead(rows, statement) }
    while try statement.step() {
      rows += 1
      if try !next(statement) { break }
    }
  }

  /// The same for a consumer that may throw anything.
  func stream(_ select: CompiledSelect, row: (Statement) throws -> Void) throws {
    var failure: (any Error)?
    try self.scan(select) { (statement) throws(StoreError) in
      do { try row(statement) } catch { failure = error }
      return failure == nil
    }
    if let failure { throw failure }
  }

  func release(_ lists: [Int]) { self.listsInUse.subtract(lists) }

  func text(_ select: CompiledSelect, _ lists: [Int]) -> String {
    var text = select.fragment.text
    for (index, list) in lists.enumerated().reversed() where index != list {
      text = text.replacing(KeyList.placeholder(index), with: KeyList.placeholder(list))
    }
    return text
  }

  func fill(_ lists: [KeyList], _ connection: Connection) throws(StoreError) -> [Int] {
    var numbers: [Int] = []
    for list in lists {
      var number = 0
      while self.listsInUse.contains(number) || numbers.contains(number) { number += 1 }
      try list.fill(number, on: connection)
      numbers.append(number)
    }
    self.listsInUse.formUnion(numbers)
    return numbers
  }
}
