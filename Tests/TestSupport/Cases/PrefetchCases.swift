internal import FederatedModel
internal import FederatedRuntime
internal import FederatedStore
internal import Testing

/// Fetched properties by the set: the answers are those of single reads, the questions are few.
public enum PrefetchCases {
  /// Owners with every kind of key: shared, missing, without a match, unsaved.
  private static func manyOwners(_ stack: AuthorStack, _ context: ManagedObjectContext) throws
    -> [ManagedObject]
  {
    for number in 0..<20 {
      let author = try context.insert("Author")
      try author.set("name", to: "N\(number)")
      try author.set("alias", to: number % 5 == 0 ? nil : "alias\(number % 7)")
    }
    for number in 0..<60 {
      try stack.insertNote(
        number % 11 == 0 ? nil : "alias\(number % 6)", "t\(number)", Double(number % 4), in: context)
    }
    try context.save()
    return try context.fetch(FetchRequest("Author", order: [.ascending("name")]))
  }

  private static let properties = [
    "notes", "starred", "firstNotes", "laterNotes", "highNotes", "savedNotes", "plainNotes", "titled",
    "peers", "mine",
    "byTitle", "rated", "allNotes",
  ]

  /// Compares a prefetch with single reads of another context in the same state.
  private static func compare(
    _ stack: AuthorStack, _ edit: (ManagedObjectContext) throws -> Void = { _ in }
  ) throws {
    _ = try PrefetchCases.manyOwners(stack, stack.makeContext())
    for property in PrefetchCases.properties {
      let (single, set) = (stack.makeContext(), stack.makeContext())
      var answers: [[[String]]] = []
      for context in [single, set] {
        try edit(context)
        let owners = try context.fetch(FetchRequest("Author", order: [.ascending("name")]))
        if context === set {
          try context.prefetch(property, for: owners)
          stack.forgetCalls()
        }
        answers.append(
          try owners.map { owner in
            try owner.fetched(property).map { object in
              "\(object.objectID.isTemporary ? 0 : object.objectID.reference) \(try object.value(forKeyPath: PrefetchCases.label(object)))"
            }
          })
        if context === set { #expect(stack.reads == 0, "\(property) was at hand") }
      }
      #expect(answers[0] == answers[1], "\(property)")
    }
  }

  private static func label(_ object: ManagedObject) -> String {
    object.entity.attribute(named: "text") != nil ? "text" : object.entity.name == "Book" ? "title" : "name"
  }

  public static let all: [StackCase<AuthorStack>] = [
    StackCase("by the set is as one by one: content, order, limit, nil keys") { (stack: AuthorStack) throws in
      try PrefetchCases.compare(stack)
    },
    StackCase("by the set is as one by one with unsaved work on both sides") { (stack: AuthorStack) throws in
      try PrefetchCases.compare(stack) { context in
        let notes = try context.fetch(FetchRequest("Note", order: [.ascending("text")]))
        try notes[3].set("authorAlias", to: "ann")
        try notes[5].set("rating", to: 3.7)
        try notes[8].set("authorAlias", to: nil)
        context.delete(notes[10])
        try stack.insertNote("ann", "great new", 4.0, in: context)
        try stack.insertNote(nil, "great loose", 4.1, in: context)
        let authors = try context.fetch(FetchRequest("Author", order: [.ascending("name")]))
        try authors[4].set("alias", to: "bob")
        let new = try context.insert("Author")
        try new.set("name", to: "Unsaved")
        try new.set("alias", to: "ann")
      }
    },
    StackCase("by the set is as one by one over several stores") { (stack: AuthorStack) throws in
      let second = try stack.addSecondSide()
      let context = stack.makeContext()
      for number in 0..<6 {
        let note = try stack.insertNote(
          number % 2 == 0 ? "ann" : nil, "great far\(number)", Double(number), in: context)
        try context.assign(note, to: second)
      }
      try context.save()
      try PrefetchCases.compare(stack)
    },
    StackCase("one question for 500 owners and store") { (stack: AuthorStack) throws in
      let context = stack.makeContext()
      for number in 0..<1100 {
        let author = try context.insert("Author")
        try author.set("name", to: "N\(number)")
        try author.set("alias", to: "k\(number)")
      }
      try context.save()
      let owners = try context.fetch(FetchRequest("Author"))
      stack.forgetCalls()
      let report = try context.prefetch("notes", for: owners)
      #expect(owners.count == 1104)
      #expect(stack.reads == 3 && report.requests == 3 && report.owners == 1104)
      #expect(report.fallbackReasons.isEmpty)
      _ = try context.prefetch("notes", for: owners)
      #expect(stack.reads == 3)
    },
    StackCase("a question without a key is asked owner by owner, and the report says why") {
      (stack: AuthorStack) throws in
      let context = stack.makeContext()
      let owners = try context.fetch(FetchRequest("Author"))
      stack.forgetCalls()
      let report = try context.prefetch("byTitle", for: owners)
      #expect(stack.reads == owners.count && report.requests == owners.count)
      #expect(report.fallbackReasons.count == 1)
      #expect(
        report.fallbackReasons[0].contains("byTitle") && report.fallbackReasons[0].contains("FETCH_SOURCE"))
    },
    StackCase("a path goes through stores: authors, their notes, the notes' owners, their books") {
      (stack: AuthorStack) throws in
      let context = stack.makeContext()
      let owners = try context.fetch(FetchRequest("Author", order: [.ascending("name")]))
      stack.forgetCalls()
      let report = try context.prefetch("notes.owner.books", for: owners)
      #expect(report.steps.map(\.property) == ["notes", "owner", "books"])
      #expect(stack.reads == 1)
      stack.forgetCalls()
      let titles = try owners[0].fetched("notes").flatMap { try $0.fetched("owner") }
        .flatMap { try $0.objects("books") }.texts("title")
      #expect(Set(titles) == ["Alpha", "beta"])
      #expect(stack.reads == 0 && stack.main.calls.queries.isEmpty && stack.main.calls.related.isEmpty)
    },
    StackCase("chains of fetched properties cross stores as often as they like") {
      (stack: AuthorStack) throws in
      let a1 = try stack.author("Ann", in: stack.makeContext())
      let peers = try a1.fetched("notes")[0].fetched("owner")[0].fetched("notes").flatMap {
        try $0.fetched("owner")
      }
      #expect(peers.allSatisfy { $0 === a1 })
    },
    StackCase("prefetching refuses names that are no links") { (stack: AuthorStack) throws in
      let context = stack.makeContext()
      let owners = try context.fetch(FetchRequest("Author"))
      #expect(throws: ManagedObjectError.self) { try context.prefetch("name", for: owners) }
      #expect(throws: ManagedObjectError.self) { try context.prefetch("notes.nope", for: owners) }
    },
    StackCase("a read scope answers everything from one state of the stores") { (stack: AuthorStack) throws in
      let context = stack.makeContext()
      let other = stack.makeContext()
      let counts = try context.withReadScope { () throws -> [Int] in
        let a1 = try stack.author("Ann", in: context)
        let before = try a1.fetched("notes").count
        try stack.insertNote("ann", "meanwhile", 1, in: other)
        try other.save()
        context.refresh(a1, mergeChanges: true)
        return [before, try a1.fetched("notes").count]
      }
      #expect(counts == [3, 3])
      #expect(stack.side.calls.beganReads == 1)
      #expect(try stack.author("Ann", in: context).fetched("notes").count == 3)
      let a1 = try stack.author("Ann", in: context)
      context.refresh(a1, mergeChanges: true)
      #expect(try a1.fetched("notes").count == 4)
    },
  ]
}
