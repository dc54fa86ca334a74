internal import FederatedModel
internal import FederatedRuntime
internal import FederatedStore
internal import Testing

extension FetchedPropertyCases {
  /// What fetched properties are kept out of, and access by key.
  public static let exclusions: [StackCase<AuthorStack>] = [
    StackCase("FP-37, P29 a read changes nothing") { (stack: AuthorStack) throws in
      let context = stack.makeContext()
      let a1 = try stack.author("Ann", in: context)
      _ = try a1.fetched("notes")
      #expect(!a1.hasChanges && !context.hasChanges)
      #expect(a1.changedValues().isEmpty)
      #expect(context.updatedObjects.isEmpty)
    },
    StackCase("FP-38, FO-13 committed values leave it out, also when it is named") {
      (stack: AuthorStack) throws in
      let a1 = try stack.author("Ann", in: stack.makeContext())
      _ = try a1.fetched("notes")
      let all = try a1.committedValues()
      for name in ["notes", "starred", "peers", "mine"] { #expect(all[name] == nil) }
      #expect(try a1.committedValues(forKeys: ["name", "notes"]) == ["name": .string("Ann")])
    },
    StackCase("FP-39, VA-17 validation never looks at it") { (stack: AuthorStack) throws in
      let context = stack.makeContext()
      try stack.author("Cy", in: context).set("name", to: "Cyrus")
      try context.save()
    },
    StackCase("FO-07, A14.11 it cannot be set, and a failed attempt changes nothing") {
      (stack: AuthorStack) throws in
      let context = stack.makeContext()
      let a1 = try stack.author("Ann", in: context)
      let error = #expect(throws: ManagedObjectError.self) { try a1.set("notes", to: [ManagedObject]()) }
      #expect(error?.code == .readOnlyProperty)
      let other = #expect(throws: ManagedObjectError.self) { try a1.set("notes", to: Value.list([])) }
      #expect(other?.code == .readOnlyProperty)
      let third = #expect(throws: ManagedObjectError.self) { try a1.add(a1, to: "notes") }
      #expect(third?.code == .readOnlyProperty)
      #expect(!context.hasChanges)
    },
    StackCase("1.5 it is no relationship") { (stack: AuthorStack) throws in
      let a1 = try stack.author("Ann", in: stack.makeContext())
      #expect(throws: ManagedObjectError.self) { try a1.hasFault(forRelationshipNamed: "notes") }
      #expect(throws: ManagedObjectError.self) { try a1.objectIDs(forRelationshipNamed: "notes") }
    },
    StackCase("FP-41 collection operators work on it") { (stack: AuthorStack) throws in
      let a1 = try stack.author("Ann", in: stack.makeContext())
      #expect(try a1.value(forKeyPath: "notes.@count") == .int(3))
      #expect(try a1.value(forKeyPath: "notes.@avg.rating") == .double(4.0))
      #expect(try a1.value(forKeyPath: "notes.@max.rating") == .double(4.3))
      #expect(try a1.value(forKeyPath: "notes.@min.rating") == .double(3.5))
      #expect(try a1.value(forKeyPath: "notes.@sum.rating") == .double(12.0))
    },
    StackCase("1.5 a path through it gives its values in order, nil for nil") { (stack: AuthorStack) throws in
      let context = stack.makeContext()
      try stack.insertNote("ann", nil, 5, in: context)
      let a1 = try stack.author("Ann", in: context)
      #expect(
        try a1.value(forKeyPath: "notes.text")
          == .list([.string("great start"), .string("Great end"), .string("so-so"), .null]))
      try stack.insertNote("ann", "so-so", 6, in: context)
      context.refresh(a1, mergeChanges: true)
      guard case .list(let distinct) = try a1.value(forKeyPath: "notes.@distinctUnionOfObjects.text") else {
        Issue.record("no list")
        return
      }
      #expect(Set(distinct) == [.string("great start"), .string("Great end"), .string("so-so")])
    },
    StackCase("FP-42 a list of sources gives a list of lists") { (stack: AuthorStack) throws in
      let context = stack.makeContext()
      let authors = [try stack.author("Ann", in: context), try stack.author("Bob", in: context)]
      let expected = try authors.map { author in
        Value.list(try author.fetched("notes").map { .object($0.objectID) })
      }
      #expect(try authors.value(forKeyPath: "notes") == .list(expected))
      guard case .list(let flat) = try authors.value(forKeyPath: "@unionOfArrays.notes") else {
        Issue.record("no list")
        return
      }
      #expect(flat.count == 4)
    },
    StackCase("FP-43 objects in memory are filtered by it") { (stack: AuthorStack) throws in
      let context = stack.makeContext()
      let authors = try ["Ann", "Bob", "Cy"].map { try stack.author($0, in: context) }
      let predicate = try FetchPredicate(format: "ANY notes.rating > 4")
      #expect(try authors.filter { try predicate.evaluate($0) }.texts("name") == ["Ann"])
    },
    StackCase("FP-44, FP-45 a fetch by it is refused before a store is asked, for either store") {
      (stack: AuthorStack) throws in
      let context = stack.makeContext()
      for (entity, format) in [("Author", "ANY notes.rating > 4"), ("Note", "ANY owner.name == 'Ann'")] {
        let request = FetchRequest(entity, where: try FetchPredicate(format: format))
        let error = #expect(throws: FetchPredicateError.self) { try context.fetch(request) }
        #expect(error?.code == .keyPathNotFetchable)
      }
      #expect(stack.reads == 0 && stack.main.calls.queries.isEmpty)
    },
    StackCase("FP-46 a fetch cannot be sorted by it") { (stack: AuthorStack) throws in
      let request = FetchRequest("Author", order: [.ascending("notes")])
      let error = #expect(throws: FetchPredicateError.self) { try stack.makeContext().fetch(request) }
      #expect(error?.code == .keyPathNotFetchable)
    },
    StackCase("FP-47 it is no column of a row") { (stack: AuthorStack) throws in
      var request = FetchRequest("Author")
      request.propertiesToFetch = ["name", "notes"]
      let error = #expect(throws: ManagedObjectError.self) { try stack.makeContext().fetch(request) }
      #expect(error?.code == .invalidArgument)
    },
    StackCase("FP-49 it is no relationship to prefetch with a request; a relationship is") {
      (stack: AuthorStack) throws in
      let context = stack.makeContext()
      var request = FetchRequest("Author")
      request.relationshipKeyPathsForPrefetching = ["notes"]
      let error = #expect(throws: ManagedObjectError.self) { try context.fetch(request) }
      #expect(error?.code == .invalidArgument)
      request.relationshipKeyPathsForPrefetching = ["books"]
      let authors = try context.fetch(request)
      stack.forgetCalls()
      #expect(try authors.flatMap { try $0.objects("books") }.texts("title").count == 3)
      #expect(stack.main.calls.queries.isEmpty && stack.main.calls.related.isEmpty)
    },
    StackCase("FP-81 the primitive value never asks a store") { (stack: AuthorStack) throws in
      let a1 = try stack.author("Ann", in: stack.makeContext())
      #expect(try a1.primitiveValue("notes") == nil)
      let notes = try a1.fetched("notes")
      stack.forgetCalls()
      #expect(try a1.primitiveValue("notes") == .list(notes.map { .object($0.objectID) }))
      #expect(stack.reads == 0)
    },
    StackCase("P17.2 without a context there is nobody to ask") { (stack: AuthorStack) throws in
      let context = stack.makeContext()
      let a1 = try stack.author("Ann", in: context)
      context.reset()
      let error = #expect(throws: ManagedObjectError.self) { try a1.fetched("notes") }
      #expect(error?.code == .noContext)
    },
    StackCase("P17.1 a source whose row is gone throws what any fault would") { (stack: AuthorStack) throws in
      let (context, other) = (stack.makeContext(), stack.makeContext())
      let a1 = try stack.author("Ann", in: context)
      context.refresh(a1, mergeChanges: false)
      other.delete(try stack.author("Ann", in: other))
      try other.save()
      let error = #expect(throws: ManagedObjectError.self) { try a1.fetched("notes") }
      #expect(error?.code == .inaccessibleFault)
    },
    StackCase("FP-70 nothing of it is in any change set") { (stack: AuthorStack) throws in
      let context = stack.makeContext()
      let a1 = try stack.author("Ann", in: context)
      _ = try a1.fetched("notes")
      try a1.set("name", to: "Anna")
      try context.save()
      #expect(stack.main.calls.prepared.count == 1)
      #expect(stack.side.calls.prepared.isEmpty)
      #expect(stack.main.calls.prepared[0].links.isEmpty)
      #expect(stack.main.calls.prepared[0].updated.count == 1)
    },
  ]
}
