public import FederatedModel
public import FederatedRuntime
internal import FederatedStore
internal import Foundation

/// Fixture D0: authors and books in store S, notes in store X, and fetched properties between them.
public final class AuthorStack {
  public let coordinator: PersistentStoreCoordinator
  /// S: authors, writers and books. Attached first.
  public let main: SpyStore
  /// X: notes and memos.
  public let side: SpyStore
  private let mainKind: StoreKind
  private let sideKind: StoreKind
  /// Objects do not keep their context; the stack does, as long as a case runs.
  private var contexts: [ManagedObjectContext] = []

  /// - Parameter empty: leaves the rows out.
  public init(
    main: StoreKind = .inMemory, side: StoreKind = .inMemory, model: ManagedObjectModel? = nil,
    empty: Bool = false
  ) throws {
    self.coordinator = PersistentStoreCoordinator(model: try model ?? AuthorStack.model())
    self.mainKind = main
    self.sideKind = side
    let stores = try self.coordinator.add([try main.open("S", "Main"), try side.open("X", "Side")])
    guard let main = stores[0] as? SpyStore, let side = stores[1] as? SpyStore else {
      preconditionFailure("a spying type opens spies")
    }
    self.main = main
    self.side = side
    if !empty { try self.fill() }
    self.forgetCalls()
  }

  public func makeContext(classes: ObjectClasses = .none) -> ManagedObjectContext {
    let context = ManagedObjectContext(coordinator: self.coordinator, classes: classes)
    self.contexts.append(context)
    return context
  }

  public func forgetCalls() {
    self.main.forgetCalls()
    self.side.forgetCalls()
  }

  /// Fetches that reached X since the calls were last forgotten.
  public var reads: Int { self.side.calls.queries.count }

  /// Attaches X2, a second store for notes.
  public func addSecondSide() throws -> SpyStore {
    guard let store = try self.coordinator.add(try self.sideKind.open("X2", "Side")) as? SpyStore else {
      preconditionFailure("a spying type opens spies")
    }
    return store
  }

  /// Attaches S2, a second store for authors and books.
  public func addSecondMain() throws -> SpyStore {
    guard let store = try self.coordinator.add(try self.mainKind.open("S2", "Main")) as? SpyStore else {
      preconditionFailure("a spying type opens spies")
    }
    return store
  }

  // MARK: Objects by the names that the fixture gives them

  public func author(_ name: String, in context: ManagedObjectContext) throws -> ManagedObject {
    try self.only("Author", "name", name, in: context)
  }

  public func book(_ title: String, in context: ManagedObjectContext) throws -> ManagedObject {
    try self.only("Book", "title", title, in: context)
  }

  public func note(_ text: String, in context: ManagedObjectContext) throws -> ManagedObject {
    try self.only("Note", "text", text, in: context)
  }

  private func only(
    _ entity: String, _ key: String, _ value: String, in context: ManagedObjectContext
  ) throws -> ManagedObject {
    let request = FetchRequest(entity, where: try FetchPredicate(format: "%K == %@", key, value))
    let found = try context.fetch(request)
    guard found.count == 1 else {
      throw FixtureError(what: "\(found.count) of \(entity) with \(key) \(value)")
    }
    return found[0]
  }

  @discardableResult public func insertNote(
    _ alias: String?, _ text: String?, _ rating: Double?, in context: ManagedObjectContext
  ) throws -> ManagedObject {
    let note = try context.insert("Note")
    try note.set("authorAlias", to: alias)
    try note.set("text", to: text)
    try note.set("rating", to: rating)
    return note
  }

  // MARK: Rows

  private func fill() throws {
    let context = self.makeContext()
    let authors: [(String, String, String?, Int?, Double?)] = [
      ("Author", "Ann", "ann", 1, 10.0), ("Author", "Bob", "bob", 2, nil), ("Author", "Cy", nil, nil, 5.0),
      ("Writer", "Dee", "dee", 4, nil),
    ]
    var byName: [String: ManagedObject] = [:]
    for (entity, name, alias, code, score) in authors {
      let author = try context.insert(entity)
      try author.set("name", to: name)
      try author.set("alias", to: alias)
      try author.set("code", to: code)
      try author.set("score", to: score)
      if entity == "Writer" { try author.set("genre", to: "sf") }
      byName[name] = author
    }
    let books: [(String, Int?, String?, String?)] = [
      ("Alpha", 100, "12.50", "Ann"), ("beta", 200, "8.00", "Ann"), ("Gamma", nil, nil, "Bob"),
      ("Émile", 50, "3.10", nil),
    ]
    for (title, pages, price, author) in books {
      let book = try context.insert("Book")
      try book.set("title", to: title)
      try book.set("pages", to: pages)
      try book.set("price", to: price.flatMap { Decimal(string: $0) })
      try book.set("author", to: author.flatMap { byName[$0] })
    }
    let notes: [(String?, String, Double, Double?)] = [
      ("ann", "great start", 3.5, 0), ("ann", "so-so", 4.3, 1000), ("ann", "Great end", 4.2, nil),
      ("bob", "dull", 1.0, nil), (nil, "orphan", 2.0, nil),
    ]
    for (alias, text, rating, seconds) in notes {
      let note = try self.insertNote(alias, text, rating, in: context)
      try note.set("at", to: seconds.map { Date(timeIntervalSinceReferenceDate: $0) })
    }
    let memo = try context.insert("Memo")
    try memo.set("authorAlias", to: "dee")
    try memo.set("text", to: "great memo")
    try memo.set("rating", to: 5.0)
    try memo.set("extra", to: "x")
    try context.save()
  }
}

struct FixtureError: Error, CustomStringConvertible {
  let what: String
  var description: String { self.what }
}
