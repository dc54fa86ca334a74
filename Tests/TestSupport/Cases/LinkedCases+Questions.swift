internal import FederatedModel
internal import FederatedRuntime
internal import FederatedStore
internal import Testing

/// Conditions and orders through fetched properties: what stores are asked, and what is refused.
extension LinkedCases {
  private static func manyAuthors(_ stack: AuthorStack) throws -> ManagedObjectContext {
    let context = stack.makeContext()
    for number in 0..<1100 {
      let author = try context.insert("Author")
      try author.set("name", to: "N\(number)")
      try author.set("alias", to: "k\(number)")
    }
    try context.save()
    stack.forgetCalls()
    return context
  }

  public static let questions: [StackCase<AuthorStack>] = [
    StackCase("BR-17 linked rows are asked first: one request for each store") {
      (stack: AuthorStack) throws in
      let context = try LinkedCases.manyAuthors(stack)
      let request = FetchRequest("Author", order: [.ascending("name")])
        .linked("notes", where: try FetchPredicate(format: "rating > 3"))
      #expect(try context.fetch(request).texts("name") == ["Ann", "Dee"])
      #expect(stack.side.calls.queries.count == 1 && stack.main.calls.queries.count == 1)
      #expect(stack.main.calls.queries[0].keys?.keys.count == 2)
      #expect(stack.main.calls.related.isEmpty && stack.side.calls.related.isEmpty)
      stack.forgetCalls()
      #expect(try context.count(for: request) == 2)
      #expect(stack.main.calls.queries.map(\.shape) == [.count])
      let explanation = try context.explain(request)
      #expect(explanation.links.map(\.direction) == [.linkedFirst] && explanation.links[0].keys == 2)
      #expect(
        explanation.before.map(\.keys) == [2] && explanation.question?.keys == 2 && explanation.results == 2)
      let text = "\(explanation)"
      #expect(
        text.contains("through Author.notes (any where rating > 3): linked rows first, 2 keys in 1 question"),
        "\(text)")
      #expect(explanation.before.first?.questions.first?.rows == 4)
      #expect(text.contains("before: keys of Author.notes, 2 keys moved"), "\(text)")
    },
    StackCase("sources are asked first where their own predicate leaves few") { (stack: AuthorStack) throws in
      let context = try LinkedCases.manyAuthors(stack)
      let request = try FetchRequest("Author", where: "name IN {'Ann', 'Bob', 'N5'}").linked(
        "notes", where: "rating > 3")
      #expect(try context.fetch(request).texts("name") == ["Ann"])
      #expect(stack.side.calls.queries.count == 1 && stack.side.calls.queries[0].keys?.keys.count == 3)
      #expect(stack.main.calls.queries.map(\.shape) == [.count, .rows])
      let step = try context.explain(request).links[0]
      #expect(step.direction == .sourcesFirst && step.keys == 3 && step.reason?.contains("few") == true)
    },
    StackCase("absence, numbers, windows and orders take one request for 500 sources") {
      (stack: AuthorStack) throws in
      let context = try LinkedCases.manyAuthors(stack)
      for (request, found) in [
        (FetchRequest("Author").linked("notes", .none), 1100),
        (FetchRequest("Author").linked("notes", .count(.greaterOrEqual, 1)), 4),
        (FetchRequest("Author").linked("firstNotes", where: try FetchPredicate(format: "rating > 4")), 2),
        (FetchRequest("Author").sorted(through: "notes", by: .ascending("rating")), 1104),
      ] {
        stack.forgetCalls()
        #expect(try context.fetch(request).count == found)
        #expect(stack.side.calls.queries.count == 3 && stack.main.calls.queries.count == 1)
      }
    },
    StackCase("a link without keys is asked once for all sources, and the report says why") {
      (stack: AuthorStack) throws in
      let context = stack.makeContext()
      let request = FetchRequest("Author").linked("byTitle", .none)
      #expect(try context.fetch(request).count == 4)
      #expect(stack.side.calls.queries.count == 1)
      let step = try context.explain(request).links[0]
      #expect(
        step.direction == .everyPair && step.requests == 1 && step.reason?.contains("FETCH_SOURCE") == true)
    },
    StackCase("no linked row passes: sources are not asked") { (stack: AuthorStack) throws in
      let context = stack.makeContext()
      #expect(try context.fetch(FetchRequest("Author").linked("notes", where: "rating > 100")).isEmpty)
      #expect(stack.main.calls.queries.isEmpty)
    },
    StackCase("BR-03 rows are sorted by what they are linked with, those without first, ties as they were") {
      (stack: AuthorStack) throws in
      let context = stack.makeContext()
      let up = FetchRequest("Note").sorted(through: "owner", by: .descending("name"))
      #expect(
        try context.fetch(up).texts() == [
          "great memo", "orphan", "dull", "great start", "so-so", "Great end",
        ])
      let down = FetchRequest("Note", limit: 3).sorted(through: "owner", by: .descending("alias"))
      #expect(try context.fetch(down).texts() == ["great memo", "dull", "great start"])
      let authors = FetchRequest("Author").sorted(through: "highNotes", by: .ascending("text"))
      #expect(try context.fetch(authors).texts("name") == ["Bob", "Cy", "Ann", "Dee"])
    },
    StackCase("dictionaries and typed rows are filtered by what is saved") { (stack: AuthorStack) throws in
      let context = stack.makeContext()
      try stack.note("dull", in: context).set("rating", to: 5)
      var request = try FetchRequest("Author", order: [.ascending("name")]).linked(
        "notes", where: "rating > 3")
      request.propertiesToFetch = ["name"]
      #expect(
        try context.dictionaries(for: request) == [["name": .string("Ann")], ["name": .string("Dee")]])
      var grouped = request
      grouped.sortDescriptors = []
      grouped.propertiesToFetch = ["score"]
      grouped.propertiesToGroupBy = ["score"]
      grouped.resultType = .dictionaries
      #expect(try context.dictionaries(for: grouped).count == 2)
      #expect(try context.count(for: grouped) == 2)
      #expect(try context.count(for: request) == 3)
      request.includesPendingChanges = false
      #expect(try context.count(for: request) == 2)
      #expect(try context.fetch(request).texts("name") == ["Ann", "Dee"])
      let sorted = request.sorted(through: "notes", by: .ascending("text"))
      let error = #expect(throws: ManagedObjectError.self) { try context.dictionaries(for: sorted) }
      #expect(error?.code == .unsupported && error?.property == "notes")
    },
    StackCase("certain stores on both sides") { (stack: AuthorStack) throws in
      let far = try stack.addSecondSide()
      let context = stack.makeContext()
      try context.assign(try stack.insertNote("bob", "far away", 4, in: context), to: far)
      try context.save()
      #expect(try context.fetch(FetchRequest("Author").linked("farNotes")).texts("name") == ["Bob"])
      var request = FetchRequest("Note").linked("owner")
      request.affectedStores = ["X2"]
      #expect(try context.fetch(request).texts() == ["far away"])
    },
    StackCase("BR-17 a plain key path is refused and names the call; so is what is no link") {
      (stack: AuthorStack) throws in
      let context = stack.makeContext()
      let plain = #expect(throws: FetchPredicateError.self) {
        try context.fetch(FetchRequest("Author", where: "ANY notes.rating > 3"))
      }
      #expect(plain?.code == .keyPathNotFetchable && plain?.detail.contains("linked(\"notes\"") == true)
      let sort = #expect(throws: FetchPredicateError.self) {
        try context.fetch(FetchRequest("Author", order: [.ascending("notes.rating")]))
      }
      #expect(sort?.code == .keyPathNotFetchable && sort?.detail.contains("sorted(through:") == true)
      for (name, code) in [
        ("nope", ManagedObjectError.Code.unknownProperty), ("books", .wrongKind), ("name", .wrongKind),
      ] {
        let error = #expect(throws: ManagedObjectError.self) {
          try context.fetch(FetchRequest("Author").linked(name))
        }
        #expect(error?.code == code && error?.property == name)
      }
      let unknown = #expect(throws: FetchPredicateError.self) {
        try context.fetch(FetchRequest("Author").linked("notes", .count(.equal, 0), where: "stars > 3"))
      }
      #expect(unknown?.code == .unknownKeyPath && unknown?.entity == "Note")
      #expect(throws: ManagedObjectError.self) {
        try context.fetch(FetchRequest("Author").linked(LinkedCondition("firstNotes").linked(.init("nope"))))
      }
      #expect(stack.main.calls.queries.isEmpty && stack.side.calls.queries.isEmpty)
    },
  ]
}
