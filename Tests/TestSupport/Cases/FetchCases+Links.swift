internal import FederatedModel
internal import FederatedRuntime
internal import FederatedStore
internal import Testing

/// Conditions and orders that lead through links to objects with unsaved changes.
extension FetchCases {
  private static func asked(
    _ entity: String, _ key: String, where format: String?, by order: String? = nil, limit: Int = 0,
    in context: ManagedObjectContext
  ) throws -> [String] {
    var request = FetchRequest(entity, order: [.ascending(order ?? key), .ascending(key)], limit: limit)
    request.predicate = try format.map { try FetchPredicate(format: $0) }
    let found = try context.fetch(request)
    #expect(try context.count(for: request) == found.count)
    #expect(try context.identifiers(for: request) == found.map(\.objectID))
    return try found.texts(key)
  }

  private static func books(
    _ format: String?, by order: String? = nil, limit: Int = 0, in context: ManagedObjectContext
  ) throws -> [String] {
    try FetchCases.asked("Book", "title", where: format, by: order, limit: limit, in: context)
  }

  private static func authors(_ format: String, in context: ManagedObjectContext) throws -> [String] {
    try FetchCases.asked("Author", "name", where: format, in: context)
  }

  public static let links: [StackCase<AuthorStack>] = [
    StackCase("F20 an unchanged book is judged by its changed author") { (stack: AuthorStack) throws in
      let context = stack.makeContext()
      try stack.author("Ann", in: context).set("name", to: "Zoe")
      #expect(try FetchCases.books("author.name == 'Zoe'", in: context) == ["Alpha", "beta"])
      #expect(try FetchCases.books("author.name == 'Ann'", in: context).isEmpty)
      #expect(try FetchCases.books("author.name == 'Zoe' AND pages > 100", in: context) == ["beta"])
      #expect(try FetchCases.books("author.name == 'Zoe'", limit: 1, in: context) == ["Alpha"])
      #expect(try FetchCases.books("NOT author.name == 'Bob'", in: context) == ["Alpha", "beta", "Émile"])
      var saved = FetchRequest("Book", where: try FetchPredicate(format: "author.name == 'Ann'"))
      saved.includesPendingChanges = false
      #expect(try context.fetch(saved).count == 2)
      context.rollback()
      #expect(try FetchCases.books("author.name == 'Ann'", in: context) == ["Alpha", "beta"])
    },
    StackCase("F20 an unchanged author is judged by changed books") { (stack: AuthorStack) throws in
      let context = stack.makeContext()
      let book = try stack.book("Gamma", in: context)
      try book.set("title", to: "Delta")
      #expect(try FetchCases.authors("ANY books.title == 'Delta'", in: context) == ["Bob"])
      #expect(try FetchCases.authors("ANY books.title == 'Gamma'", in: context).isEmpty)
      #expect(
        try FetchCases.authors("SUBQUERY(books, $b, $b.title == 'Delta').@count == 1", in: context) == ["Bob"]
      )
      #expect(
        try FetchCases.authors("NONE books.title == 'Delta'", in: context) == ["Ann", "Cy", "Dee"])
      context.delete(book)
      try context.processPendingChanges()
      #expect(try FetchCases.authors("ANY books.title == 'Delta'", in: context).isEmpty)
    },
    StackCase("F23 unchanged books are in the order of their changed authors") {
      (stack: AuthorStack) throws in
      let context = stack.makeContext()
      try stack.author("Ann", in: context).set("name", to: "Zoe")
      #expect(
        try FetchCases.books("author != nil", by: "author.name", in: context) == ["Gamma", "Alpha", "beta"])
      #expect(try FetchCases.books("author != nil", by: "author.name", limit: 1, in: context) == ["Gamma"])
    },
    StackCase("what is linked and unchanged is left to the store") { (stack: AuthorStack) throws in
      let context = stack.makeContext()
      try stack.author("Ann", in: context).set("name", to: "Zoe")
      stack.forgetCalls()
      let author = try stack.author("Bob", in: context)
      #expect(try context.count(for: FetchRequest("Book", where: .init(format: "author == %@", author))) == 1)
      #expect(stack.main.calls.queries.last?.shape == .count)
    },
    StackCase("limits and offsets at the end of all numbers") { (stack: AuthorStack) throws in
      let context = stack.makeContext()
      for isChanged in [false, true] {
        if isChanged { try stack.author("Ann", in: context).set("name", to: "Zoe") }
        for order in [[], [FetchSortDescriptor.ascending("name")]] {
          var request = FetchRequest("Author", order: order, limit: .max)
          request.fetchOffset = 1
          #expect(try context.fetch(request).count == 3)
          #expect(try context.count(for: request) == 3)
          request.predicate = try FetchPredicate(format: "name MATCHES '.*'")
          #expect(try context.fetch(request).count == 3)
          request.fetchOffset = .max
          #expect(try context.fetch(request).isEmpty)
        }
      }
    },
  ]
}
