internal import FederatedModel
internal import FederatedRuntime
internal import FederatedStore
internal import Testing

/// Conditions and orders through fetched properties: what they answer, over every pair of stores.
public enum LinkedCases {
  /// Authors with every kind of key, and more notes for them.
  private static func fill(
    _ stack: AuthorStack, _ assign: (ManagedObjectContext, Int, ManagedObject) throws -> Void
  ) throws {
    let context = stack.makeContext()
    for number in 0..<12 {
      let author = try context.insert(number % 4 == 3 ? "Writer" : "Author")
      try author.set("name", to: "N\(number)")
      try author.set("code", to: number % 3 == 0 ? nil : number % 5)
      try author.set("alias", to: number % 5 == 0 ? nil : "alias\(number % 4)")
      try assign(context, number, author)
      let book = try context.insert("Book")
      try book.set("title", to: "t\(number)")
      try book.set("pages", to: number * 20)
      try book.set("author", to: author)
    }
    for number in 0..<24 {
      let note = try stack.insertNote(
        number % 11 == 0 ? nil : "alias\(number % 3)", "t\(number)",
        number % 7 == 0 ? nil : Double(number % 6),
        in: context)
      try assign(context, number, note)
    }
    try context.save()
  }

  private static func edit(_ stack: AuthorStack, _ context: ManagedObjectContext) throws {
    let notes = try context.fetch(FetchRequest("Note", order: [.ascending("text")]))
    try notes[3].set("authorAlias", to: "ann")
    try notes[5].set("rating", to: 4.7)
    try notes[8].set("authorAlias", to: nil)
    context.delete(notes[10])
    try stack.insertNote("ann", "great new", 4.9, in: context)
    try stack.insertNote("alias1", "t new", 0.5, in: context)
    let authors = try context.fetch(FetchRequest("Author", order: [.ascending("name")]))
    try authors[1].set("alias", to: "alias2")
    try authors[4].set("name", to: "Zed")
    let new = try context.insert("Author")
    try new.set("name", to: "Unsaved")
    try new.set("alias", to: "ann")
    try stack.book("Gamma", in: context).set("pages", to: 300)
  }

  private static let tests: [LinkedCondition.Test] = [
    .any, .none, .all, .count(.greater, 1), .count(.equal, 0), .count(.lessOrEqual, 2),
  ]

  /// Every kind of property with conditions that fit it.
  private static let properties: [(name: String, conditions: [String?])] = [
    ("notes", [nil, "rating > 4", "rating == nil"]), ("starred", [nil, "rating < 4"]),
    ("firstNotes", [nil, "rating > 2"]), ("laterNotes", [nil, "text CONTAINS 't'"]),
    ("highNotes", ["text != 'x'"]),
    ("savedNotes", [nil, "rating > 4"]), ("plainNotes", [nil]), ("coded", [nil, "text BEGINSWITH 't'"]),
    ("titled", [nil]), ("rated", ["rating > 4.5"]), ("allNotes", ["rating > 4.5"]),
    ("peers", ["name BEGINSWITH 'N'", "ANY books.pages > 100"]),
    ("mine", [nil, "pages > 100", "author.name != 'Ann'"]),
    ("byTitle", [nil, "rating > 3"]),
  ]

  private static func requests() throws -> [FetchRequest] {
    var requests: [FetchRequest] = []
    for (property, formats) in LinkedCases.properties {
      for format in formats {
        for test in LinkedCases.tests {
          let condition = LinkedCondition(
            property, test, where: try format.map { try FetchPredicate(format: $0) })
          requests.append(FetchRequest("Author", order: [.ascending("name")]).linked(condition))
          let own = try FetchPredicate(format: "name != 'Bob' AND NOT name ENDSWITH '7'")
          var window = FetchRequest("Author", where: own, order: [.descending("name")], limit: 3).linked(
            condition)
          window.fetchOffset = 1
          requests.append(window)
        }
      }
    }
    return requests + (try LinkedCases.combined())
  }

  /// Several links, links of links, keys behind to-ones, orders.
  private static func combined() throws -> [FetchRequest] {
    let rated = try FetchPredicate(format: "rating > 2")
    let owner = try FetchPredicate(format: "name BEGINSWITH 'N' OR name == 'Ann'")
    let authors = FetchRequest("Author", order: [.ascending("name")])
    let owned = LinkedCondition("owner", where: owner)
    var saved = authors.linked("notes", where: rated).linked("notes", .none, where: FetchPredicate.not(rated))
    saved.includesPendingChanges = false
    var written = authors.linked("notes")
    written.includesSubentities = false
    return [
      authors.linked("notes", where: rated).linked("coded"),
      authors.linked("notes", where: rated).linked("firstNotes", .count(.equal, 2)),
      authors.linked("notes", .none, where: rated).linked("peers", .all),
      authors.linked(LinkedCondition("notes", where: rated).linked(owned)),
      authors.linked(LinkedCondition("notes", .all, where: rated).linked(owned)),
      authors.linked(LinkedCondition("notes", .none).linked(owned)),
      authors.linked(LinkedCondition("firstNotes", .count(.greater, 0)).linked(owned)),
      authors.linked(
        LinkedCondition("notes").linked(
          LinkedCondition("owner", .all).linked(.init("notes", .count(.greater, 2))))),
      saved, written,
      FetchRequest("Book", order: [.ascending("title")]).linked("authorNotes", where: rated),
      FetchRequest("Book", order: [.ascending("title")]).linked("authorNotes", .none),
      FetchRequest("Note", order: [.ascending("text")]).linked("owner", .count(.greaterOrEqual, 2)),
      FetchRequest("Author").sorted(through: "notes", by: .ascending("text")),
      FetchRequest("Author").sorted(through: "notes", by: .descending("rating")),
      FetchRequest("Author", order: [.ascending("code")], limit: 7).sorted(
        through: "firstNotes", by: .descending("text")),
      FetchRequest("Note", where: rated).sorted(through: "owner", by: .descending("name")).linked("owner"),
      FetchRequest("Book").sorted(through: "authorNotes", by: .ascending("rating")),
      FetchRequest("Author").sorted(through: "mine", by: .descending("author.name")),
      FetchRequest("Author").sorted(through: "peers", by: .ascending("name")),
    ]
  }

  private static func labels(_ objects: [ManagedObject]) throws -> [String] {
    try objects.map { object in
      let key =
        object.entity.attribute(named: "text") != nil
        ? "text" : object.entity.name == "Book" ? "title" : "name"
      let store =
        object.objectID.isTemporary ? "new" : "\(object.objectID.store.rawValue) \(object.objectID.reference)"
      return "\(store) \(try object.value(key))"
    }
  }

  private static func compare(_ stack: AuthorStack, edit: Bool) throws {
    let context = stack.makeContext()
    let reader = stack.makeContext()
    if edit {
      try LinkedCases.edit(stack, context)
      try LinkedCases.edit(stack, reader)
    }
    for request in try LinkedCases.requests() {
      // What was read is kept, and a request for the saved state is asked of a context without changes.
      let plain = request.includesPendingChanges ? reader : stack.makeContext()
      let expected = try LinkedCases.labels(try LinkOracle(context: plain).objects(request))
      let found = try context.fetch(request)
      let what: Comment =
        "\(request.linkedConditions) \(request.sortDescriptors) \(String(describing: request.predicate))"
      #expect(try LinkedCases.labels(found) == expected, what)
      #expect(try context.count(for: request) == found.count, what)
      #expect(try context.identifiers(for: request) == found.map(\.objectID), what)
    }
  }

  public static let answers: [StackCase<AuthorStack>] = [
    StackCase("through a link is as reading each source's property") { (stack: AuthorStack) throws in
      try LinkedCases.fill(stack) { _, _, _ in }
      try LinkedCases.compare(stack, edit: false)
    },
    StackCase("through a link is as reading each source's property, with unsaved work on both sides") {
      (stack: AuthorStack) throws in
      try LinkedCases.fill(stack) { _, _, _ in }
      try LinkedCases.compare(stack, edit: true)
    },
    StackCase("through a link is as reading each source's property, with several stores on both sides") {
      (stack: AuthorStack) throws in
      let (side, main) = (try stack.addSecondSide(), try stack.addSecondMain())
      try LinkedCases.fill(stack) { context, number, object in
        guard number % 2 == 0 else { return }
        try context.assign(object, to: object.entity.attribute(named: "text") == nil ? main : side)
      }
      try LinkedCases.compare(stack, edit: true)
    },
  ]
}
