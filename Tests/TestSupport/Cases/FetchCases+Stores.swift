internal import FederatedModel
internal import FederatedRuntime
internal import FederatedStore
internal import Testing

extension FetchCases {
  /// Fixture D0, with notes in two stores.
  public static let stores: [StackCase<AuthorStack>] = [
    StackCase("FR-34, PS-09, F30 a fetch asks every store, or those that it names") {
      (stack: AuthorStack) throws in
      let context = try FetchCases.notesInTwoStores(stack, x: ["a"], x2: ["b"])
      var request = FetchRequest("Note", order: [.ascending("text")])
      request.predicate = try FetchPredicate(format: "authorAlias == 'two'")
      #expect(try context.count(for: request) == 2)
      for (store, text) in [("X", "a"), ("X2", "b")] {
        request.affectedStores = [store]
        #expect(try context.fetch(request).texts() == [text])
        #expect(try context.count(for: request) == 1)
      }
      request.affectedStores = ["Nowhere"]
      #expect(throws: CoordinatorError.self) { try context.fetch(request) }
    },
    StackCase("PS-10, FR-37, F32 one order and one window over both") { (stack: AuthorStack) throws in
      let context = try FetchCases.notesInTwoStores(stack, x: ["a", "c"], x2: ["b", "d"])
      var request = FetchRequest("Note", order: [.ascending("text")])
      request.predicate = try FetchPredicate(format: "authorAlias == 'two'")
      request.fetchOffset = 1
      request.fetchLimit = 2
      #expect(try context.fetch(request).texts() == ["b", "c"])
    },
    StackCase("PS-11, FR-35, F31 without an order the store attached first comes first") {
      (stack: AuthorStack) throws in
      let context = try FetchCases.notesInTwoStores(stack, x: ["z"], x2: ["a"])
      var request = FetchRequest("Note", where: try FetchPredicate(format: "authorAlias == 'two'"))
      request.fetchLimit = 1
      #expect(try context.fetch(request).texts() == ["z"])
    },
    StackCase("PS-06, FR-41 an assigned object goes to its store") { (stack: AuthorStack) throws in
      let context = try FetchCases.notesInTwoStores(stack, x: [], x2: ["a"])
      let note = try stack.note("a", in: context)
      #expect(stack.coordinator.store(of: note.objectID)?.description.name == "X2")
      let error = #expect(throws: CoordinatorError.self) { try context.assign(note, toStoreNamed: "X") }
      #expect(error?.code == .alreadyStored)
    },
    StackCase("PS-07, FR-42 not to a store whose configuration lacks its entity") {
      (stack: AuthorStack) throws in
      let context = stack.makeContext()
      let note = try stack.insertNote("ann", "x", 1, in: context)
      let error = #expect(throws: CoordinatorError.self) { try context.assign(note, to: stack.main) }
      #expect(error?.code == .entityNotInStore)
    },
    StackCase("PS-03 one save writes each store's own") { (stack: AuthorStack) throws in
      let context = stack.makeContext()
      try context.insert("Author").set("name", to: "New")
      try stack.insertNote("new", "new", 1, in: context)
      try context.save()
      #expect(stack.main.calls.prepared[0].inserted.map(\.count) == [1])
      #expect(stack.side.calls.prepared[0].inserted.map(\.count) == [1])
    },
    StackCase("3.6 a store that refuses leaves all of them as they were, and everything pending") {
      (stack: AuthorStack) throws in
      let context = stack.makeContext()
      let author = try context.insert("Author")
      try author.set("name", to: "New")
      let note = try stack.insertNote("new", "new", 1, in: context)
      try stack.author("Ann", in: context).set("code", to: 77)
      stack.side.fail(.prepare)
      let error = #expect(throws: SaveError.self) { try context.save() }
      guard case .refused(let store, _)? = error else { return }
      #expect(store == "X")
      #expect(author.isInserted && note.isInserted && author.objectID.isTemporary)
      #expect(stack.main.calls.committed == 0)
      #expect(try stack.makeContext().count(for: FetchRequest("Author")) == 4)
      stack.side.heal()
      try context.save()
      #expect(try stack.author("Ann", in: stack.makeContext()).value("code") == .int(77))
      #expect(try stack.author("New", in: stack.makeContext()).objectID == author.objectID)
    },
    StackCase("PS-49, A2.9 a new object goes to the store of what it is linked to") {
      (stack: AuthorStack) throws in
      let context = stack.makeContext()
      let book = try context.insert("Book")
      try book.set("author", to: try stack.author("Bob", in: context))
      try context.save()
      #expect(book.objectID.store == stack.main.id)
    },
    StackCase("PS-50, PS-49 not to the store attached first when what it is linked to is elsewhere") {
      (stack: AuthorStack) throws in
      let second = try stack.addSecondMain()
      let context = stack.makeContext()
      let author = try context.insert("Author")
      try author.set("name", to: "Far")
      try context.assign(author, to: second)
      let first = try context.insert("Book")
      try first.set("author", to: author)
      try context.save()
      let later = try context.insert("Book")
      try author.add(later, to: "books")
      try context.save()
      #expect([author, first, later].allSatisfy { $0.objectID.store == second.id })
    },
    StackCase("PS-51, PS-53 new objects of two stores cannot be linked; unlinked, both are saved") {
      (stack: AuthorStack) throws in
      let second = try stack.addSecondMain()
      let context = stack.makeContext()
      let (author, book) = (try context.insert("Author"), try context.insert("Book"))
      try author.set("name", to: "Far")
      try book.set("author", to: author)
      try context.assign(author, to: second)
      try context.assign(book, to: stack.main)
      let error = #expect(throws: SaveError.self) { try context.save() }
      #expect(error?.legacyCode == 133010)
      #expect(stack.main.calls.prepared.isEmpty && second.calls.prepared.isEmpty)
      #expect(author.isInserted && book.isInserted)
      try book.set("author", to: nil)
      try context.save()
      #expect(author.objectID.store == second.id && book.objectID.store == stack.main.id)
    },
    StackCase("A3.2 saved rows of two stores cannot be linked either, and the error names the way across") {
      (stack: AuthorStack) throws in
      let second = try stack.addSecondMain()
      let context = stack.makeContext()
      let author = try context.insert("Author")
      try author.set("name", to: "Far")
      try context.assign(author, to: second)
      try context.save()
      let book = try stack.book("Alpha", in: context)
      try book.set("author", to: author)
      let error = #expect(throws: SaveError.self) { try context.save() }
      #expect(error?.legacyCode == 133010)
      #expect(error?.description.contains("fetched property") == true)
      #expect(book.isUpdated && second.calls.prepared.count == 1)
      context.rollback()
      #expect(try book.object("author")?.value("name") == .string("Ann"))
    },
    StackCase("FR-55 a key of a subentity is unknown to its parent") { (stack: AuthorStack) throws in
      let predicate = try FetchPredicate(format: "genre == 'sf'")
      let context = stack.makeContext()
      let error = #expect(throws: FetchPredicateError.self) {
        try context.fetch(FetchRequest("Author", where: predicate))
      }
      #expect(error?.code == .unknownKeyPath)
      #expect(try context.fetch(FetchRequest("Writer", where: predicate)).count == 1)
    },
    StackCase("FR-57, P45 identifiers of another entity match nothing") { (stack: AuthorStack) throws in
      let context = stack.makeContext()
      let author = try stack.author("Ann", in: context)
      let predicate = try FetchPredicate(format: "SELF IN %@", [author.objectID])
      #expect(try context.fetch(FetchRequest("Book", where: predicate)).isEmpty)
      #expect(try context.fetch(FetchRequest("Author", where: predicate)) == [author])
    },
    StackCase("FR-62 an object stands for its identifier") { (stack: AuthorStack) throws in
      let context = stack.makeContext()
      let (a1, a2) = (try stack.author("Ann", in: context), try stack.author("Bob", in: context))
      for predicate in [
        try FetchPredicate(format: "SELF == %@", a1), try FetchPredicate(format: "SELF == %@", a1.objectID),
      ] {
        #expect(try context.fetch(FetchRequest("Author", where: predicate)) == [a1])
      }
      let both = try FetchPredicate(format: "SELF IN %@", [a1, a2])
      #expect(
        try context.fetch(FetchRequest("Author", where: both, order: [.ascending("name")])) == [a1, a2])
    },
    StackCase("PS-15 an edit of a row of a read-only store fails the save, and nothing is written") {
      (stack: AuthorStack) throws in
      var description = PersistentStoreDescription(.inMemory, at: nil, name: "R", configuration: "Main")
      description.isReadOnly = true
      try stack.coordinator.add(description)
      let context = stack.makeContext()
      let book = try context.insert("Book")
      try book.set("title", to: "New")
      try context.save()
      #expect(book.objectID.store == stack.main.id)
    },
    StackCase("FR-30, FR-31 texts are sorted by scalar") { (stack: AuthorStack) throws in
      let context = stack.makeContext()
      let plain = FetchRequest("Book", order: [.ascending("title")])
      #expect(try context.fetch(plain).texts("title") == ["Alpha", "Gamma", "beta", "Émile"])
      for title in ["\u{1F600}", "\u{FFFD}"] { try context.insert("Book").set("title", to: title) }
      let last = { try context.fetch(plain).texts("title").suffix(2) }
      #expect(try last() == ["\u{FFFD}", "\u{1F600}"])
      try context.save()
      #expect(try last() == ["\u{FFFD}", "\u{1F600}"])
    },
  ]

  private static func notesInTwoStores(
    _ stack: AuthorStack, x: [String], x2: [String]
  ) throws -> ManagedObjectContext {
    try stack.addSecondSide().forgetCalls()
    let context = stack.makeContext()
    for (store, texts) in [("X", x), ("X2", x2)] {
      for text in texts {
        try context.assign(try stack.insertNote("two", text, nil, in: context), toStoreNamed: store)
      }
    }
    try context.save()
    return stack.makeContext()
  }
}
