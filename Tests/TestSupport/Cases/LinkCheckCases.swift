internal import FederatedModel
internal import FederatedRuntime
internal import FederatedStore
internal import Testing

/// What a check of links finds, whatever the stores are.
public enum LinkCheckCases {
  public static let all: [StackCase<AuthorStack>] = [
    StackCase("sources, rows, keys and links of a property, and nil keys") { stack in
      let context = stack.makeContext()
      let check = try context.checkLinks("Author.notes")
      let notes = try #require(check.properties.first)
      #expect(check.properties.count == 1 && check.relationships == [])
      #expect(notes.sources == 4 && notes.destinations == 6 && notes.keys == 4)
      #expect(notes.links == 6 && notes.unlinkedDestinations == 0)
      #expect(notes.findings.map(\.kind) == [.nilKeys])
      #expect(notes.findings.first?.count == 1)
      #expect(
        notes.findings.first?.detail
          == "nil keys: 1 source has none; nil equals nil, so they are linked with 1 row of Note")
      let cy = try stack.author("Cy", in: context)
      #expect(
        notes.findings.first?.examples.first?.rows == [context.coordinator.uriString(for: cy.objectID)])
      #expect(!check.isClean && check.findingCount == 1)
      let high = try #require(try context.checkLinks("Author.highNotes").properties.first)
      #expect(high.links == 3, "two of Ann, one of Dee")
      #expect(
        high.findings.first?.detail
          == "nil keys: 1 source has none; the other terms reject the 1 row of Note without one")
      #expect(try context.checkLinks("Author.firstNotes").properties.first?.links == 5)
    },
    StackCase("one pass over each side, however many sources there are") { stack in
      let context = stack.makeContext()
      for number in 0..<1200 {
        let author = try context.insert("Author")
        try author.set("name", to: "\(number)")
        try author.set("alias", to: "a\(number)")
        if number % 2 == 0 { try stack.insertNote("a\(number)", "n", 1, in: context) }
      }
      try context.save()
      stack.forgetCalls()
      let check = try stack.makeContext().checkLinks("Author.notes")
      #expect(stack.main.calls.queries.count == 1)
      #expect(stack.side.calls.queries.count == 1)
      let notes = try #require(check.properties.first)
      #expect(notes.sources == 1204 && notes.links == 606)
      #expect(notes.findings.first { $0.kind == .danglingKeys }?.count == 600)
    },
    StackCase("dangling keys, and those that the other side writes otherwise") { stack in
      let context = stack.makeContext()
      for (name, alias) in [("A", "ANN"), ("B", "bob "), ("C", "nobody"), ("D", "ANN"), ("E", "Bob")] {
        let author = try context.insert("Author")
        try author.set("name", to: name)
        try author.set("alias", to: alias)
      }
      for isSaved in [false, true] {
        if isSaved { try context.save() }
        let notes = try #require(try context.checkLinks("Author.notes", examples: 1).properties.first)
        #expect(notes.findings.map(\.kind) == [.nilKeys, .danglingKeys, .nearMisses, .nearMisses])
        let dangling = notes.findings[1]
        #expect(dangling.count == 4 && dangling.examples.count == 1)
        #expect(dangling.detail == "dangling keys: 4, of 5 sources, are authorAlias of no Note")
        #expect(notes.findings[2].differences == [.letterCase] && notes.findings[2].count == 2)
        #expect(notes.findings[3].differences == [.whitespace] && notes.findings[3].count == 1)
        #expect(notes.findings[3].examples.first?.found == "\"bob\"")
      }
    },
    StackCase("a property without a key is told as such, and is no finding") { stack in
      let context = stack.makeContext()
      let check = try context.checkLinks("Author.rated", "Author.byTitle")
      #expect(check.isClean)
      #expect(check.properties.map(\.links) == [nil, nil])
      #expect(check.properties.allSatisfy { $0.note?.hasPrefix("no key to look up") == true })
      #expect(check.properties.first?.note?.hasSuffix("6 rows of Note judged for each source") == true)
    },
    StackCase("keys behind to-ones, and the whole model") { stack in
      let context = stack.makeContext()
      let books = try #require(try context.checkLinks("Book").properties.first)
      #expect(books.sources == 4 && books.keys == 3)
      // Alpha and beta have three notes each, Gamma one, and Émile has none of an author, as the orphan has.
      #expect(books.links == 8)
      let all = try context.checkLinks()
      #expect(all.relationships == [])
      #expect(Set(all.properties.map(\.property)).isSuperset(of: ["notes", "owner", "authorNotes", "peers"]))
      let far = try #require(all.properties.first { $0.property == "farNotes" })
      #expect(far.findings.map(\.kind) == [.cannotBeAsked], "its store is not attached")
      #expect(throws: ManagedObjectError.self) { try context.checkLinks("Nobody") }
      #expect(throws: ManagedObjectError.self) { try context.checkLinks("Author.nots") }
      #expect(throws: ManagedObjectError.self) { try context.checkLinks("Author.name") }
    },
    StackCase("a relationship whose rows are there is clean") { stack in
      let check = try stack.makeContext().checkLinks("Book.author")
      #expect(check.isClean)
      #expect(check.relationships.map(\.links) == [3])
      #expect(check.relationships.map(\.destinations) == [4])
    },
  ]
}
