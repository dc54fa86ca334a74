internal import FederatedModel
internal import FederatedRuntime
internal import FederatedStore
internal import Testing

/// The FP cases on fixture D0, as bodies that run over stores of any kind.
public enum FetchedPropertyCases {
  /// What a first read answers.
  public static let reading: [StackCase<AuthorStack>] = [
    StackCase("FP-01, FO-01 notes come sorted by rating") { (stack: AuthorStack) throws in
      let a1 = try stack.author("Ann", in: stack.makeContext())
      #expect(try a1.notes() == ["great start", "Great end", "so-so"])
    },
    StackCase("FP-02 each source has its own") { (stack: AuthorStack) throws in
      let a2 = try stack.author("Bob", in: stack.makeContext())
      #expect(try a2.notes() == ["dull"])
    },
    StackCase("FP-03, FO-16 a subentity inherits the property and a subentity is found") {
      (stack: AuthorStack) throws in
      let w1 = try stack.author("Dee", in: stack.makeContext())
      let found = try w1.fetched("notes")
      #expect(try found.texts() == ["great memo"])
      #expect(found[0].entity.name == "Memo")
    },
    StackCase("FP-05 the property's user info is part of the question") { (stack: AuthorStack) throws in
      let a1 = try stack.author("Ann", in: stack.makeContext())
      #expect(Set(try a1.notes("starred")) == ["great start", "Great end"])
    },
    StackCase("FP-06 the bare source is an object reference") { (stack: AuthorStack) throws in
      let a1 = try stack.author("Ann", in: stack.makeContext())
      #expect(try a1.fetched("peers").texts("name") == ["Bob", "Cy", "Dee"])
    },
    StackCase("FP-07 the source may live in the second store") { (stack: AuthorStack) throws in
      let n4 = try stack.note("dull", in: stack.makeContext())
      #expect(try n4.fetched("owner").texts("name") == ["Bob"])
    },
    StackCase("FP-09 nothing matching is an empty array") { (stack: AuthorStack) throws in
      let context = stack.makeContext()
      let author = try context.insert("Author")
      try author.set("name", to: "Zed")
      try author.set("alias", to: "zed")
      try context.save()
      #expect(try author.fetched("notes").isEmpty)
    },
    StackCase("P36 a source without a key sees the destinations without one") { (stack: AuthorStack) throws in
      let a3 = try stack.author("Cy", in: stack.makeContext())
      #expect(try a3.notes() == ["orphan"])
    },
    StackCase("FP-31 the stored limit counts") { (stack: AuthorStack) throws in
      let a1 = try stack.author("Ann", in: stack.makeContext())
      #expect(try a1.notes("firstNotes") == ["great start", "Great end"])
    },
    StackCase("P18 the stored offset counts") { (stack: AuthorStack) throws in
      let a1 = try stack.author("Ann", in: stack.makeContext())
      #expect(try a1.notes("laterNotes") == ["Great end", "so-so"])
    },
    StackCase("1.10 the stored request may leave subentities out") { (stack: AuthorStack) throws in
      let w1 = try stack.author("Dee", in: stack.makeContext())
      #expect(try w1.notes("plainNotes").isEmpty)
    },
    StackCase("FP-34 a user info without the key reads nil, which no text contains") {
      (stack: AuthorStack) throws in
      let context = stack.makeContext()
      try context.setUserInfo([:], forProperty: "starred", of: "Author")
      #expect(try stack.author("Ann", in: context).fetched("starred").isEmpty)
    },
    StackCase("P15, FP-71 a path through a to-many is evaluated first") { (stack: AuthorStack) throws in
      let context = stack.makeContext()
      try stack.insertNote("beta", "about beta", 1.5, in: context)
      try context.save()
      #expect(try stack.author("Ann", in: context).notes("byTitle") == ["about beta"])
    },
    StackCase("FP-73 a value is never read as predicate text") { (stack: AuthorStack) throws in
      let context = stack.makeContext()
      let author = try context.insert("Author")
      try author.set("name", to: "Eve")
      try author.set("alias", to: "x' OR TRUEPREDICATE")
      try context.save()
      #expect(try author.fetched("notes").isEmpty)
    },
    StackCase("P14 a question without variables is the same for all") { (stack: AuthorStack) throws in
      let context = stack.makeContext()
      let expected = ["Great end", "so-so", "great memo"]
      #expect(try stack.author("Ann", in: context).notes("rated") == expected)
      #expect(try stack.author("Bob", in: context).notes("rated") == expected)
    },
    StackCase("FP-79 a question without a condition finds everything, subentities included") {
      (stack: AuthorStack) throws in
      #expect(try stack.author("Ann", in: stack.makeContext()).fetched("allNotes").count == 6)
    },
    StackCase("FP-82 two properties share the objects they both find") { (stack: AuthorStack) throws in
      let a1 = try stack.author("Ann", in: stack.makeContext())
      let high = try a1.fetched("highNotes")
      #expect(try high.texts() == ["Great end", "so-so"])
      let all = try a1.fetched("notes")
      #expect(high[0] === all[1] && high[1] === all[2])
    },
    StackCase("P11 the property's name can be asked for") { (stack: AuthorStack) throws in
      let context = stack.makeContext()
      try stack.insertNote("ann", "titled", 1, in: context)
      #expect(try stack.author("Ann", in: context).notes("titled") == ["titled"])
    },
    StackCase("FP-58, FO-05 several stores give one global order") { (stack: AuthorStack) throws in
      let second = try stack.addSecondSide()
      let context = stack.makeContext()
      let note = try stack.insertNote("ann", "far", 4.0, in: context)
      try context.assign(note, to: second)
      try context.save()
      let a1 = try stack.author("Ann", in: stack.makeContext())
      #expect(try a1.fetched("notes").numbers() == [3.5, 4.0, 4.2, 4.3])
    },
    StackCase("FP-59, FO-05 affected stores restrict the question") { (stack: AuthorStack) throws in
      let second = try stack.addSecondSide()
      let context = stack.makeContext()
      let note = try stack.insertNote("ann", "far", 4.0, in: context)
      try context.assign(note, toStoreNamed: "X2")
      try context.save()
      let a1 = try stack.author("Ann", in: stack.makeContext())
      #expect(try a1.notes("farNotes") == ["far"])
      #expect(second.calls.prepared.count == 1)
    },
    StackCase("FP-63 the stored question stays as it was written") { (stack: AuthorStack) throws in
      let context = stack.makeContext()
      _ = try stack.author("Ann", in: context).fetched("notes")
      let stored = context.model.entity(named: "Author")?.fetchedProperty(named: "notes")?.request?.predicate
      #expect(stored?.description == "authorAlias == $FETCH_SOURCE.alias")
    },
  ]

  /// What is kept, and what drops it.
  public static let caching: [StackCase<AuthorStack>] = [
    StackCase("FP-10 a second read asks no store") { (stack: AuthorStack) throws in
      let a1 = try stack.author("Ann", in: stack.makeContext())
      let first = try a1.fetched("notes")
      let reads = stack.reads
      let second = try a1.fetched("notes")
      #expect(stack.reads == reads)
      #expect(first == second)
    },
    StackCase("P22 nothing is asked before the first read") { (stack: AuthorStack) throws in
      _ = try stack.author("Ann", in: stack.makeContext())
      #expect(stack.reads == 0)
    },
    StackCase("P25, FP-75 an empty answer is kept until a refresh") { (stack: AuthorStack) throws in
      let context = stack.makeContext()
      let author = try context.insert("Author")
      try author.set("name", to: "Zed")
      try author.set("alias", to: "zed")
      try context.save()
      #expect(try author.fetched("notes").isEmpty)
      try stack.insertNote("zed", "late", 1, in: context)
      try context.save()
      #expect(try author.fetched("notes").isEmpty)
      context.refresh(author, mergeChanges: true)
      #expect(try author.notes() == ["late"])
    },
    StackCase("FP-11, FO-03 a new matching row is not seen until a refresh") { (stack: AuthorStack) throws in
      let context = stack.makeContext()
      let a1 = try stack.author("Ann", in: context)
      _ = try a1.fetched("notes")
      try stack.insertNote("ann", "new", 9, in: context)
      try context.save()
      #expect(try a1.fetched("notes").count == 3)
      context.refresh(a1, mergeChanges: false)
      #expect(try a1.fetched("notes").count == 4)
    },
    StackCase("FP-13 a refresh of a clean source makes it a fault, and the next read asks once") {
      (stack: AuthorStack) throws in
      let context = stack.makeContext()
      let a1 = try stack.author("Ann", in: context)
      _ = try a1.fetched("notes")
      context.refresh(a1, mergeChanges: true)
      #expect(a1.isFault)
      stack.forgetCalls()
      #expect(try a1.notes() == ["great start", "Great end", "so-so"])
      #expect(stack.reads == 1)
    },
    StackCase("FP-14, FO-12 a merging refresh of a changed source keeps its edits and drops the array") {
      (stack: AuthorStack) throws in
      let context = stack.makeContext()
      let a1 = try stack.author("Ann", in: context)
      _ = try a1.fetched("notes")
      try stack.insertNote("ann", "new", 9, in: context)
      try context.save()
      try a1.set("name", to: "Anna")
      context.refresh(a1, mergeChanges: true)
      #expect(try a1.value("name") == .string("Anna"))
      #expect(!a1.isFault)
      #expect(try a1.fetched("notes").count == 4)
    },
    StackCase("FP-15 a refresh that drops edits drops the array too") { (stack: AuthorStack) throws in
      let context = stack.makeContext()
      let a1 = try stack.author("Ann", in: context)
      _ = try a1.fetched("notes")
      try stack.insertNote("ann", "new", 9, in: context)
      try context.save()
      try a1.set("name", to: "Anna")
      context.refresh(a1, mergeChanges: false)
      #expect(try a1.value("name") == .string("Ann"))
      #expect(try a1.fetched("notes").count == 4)
    },
    StackCase("1.4 refreshing everything drops arrays and keeps edits") { (stack: AuthorStack) throws in
      let context = stack.makeContext()
      let a1 = try stack.author("Ann", in: context)
      let a2 = try stack.author("Bob", in: context)
      _ = try (a1.fetched("notes"), a2.fetched("notes"))
      try a1.set("name", to: "Anna")
      context.refreshAll()
      stack.forgetCalls()
      #expect(try a1.fetched("notes").count == 3)
      #expect(try a2.fetched("notes").count == 1)
      #expect(stack.reads == 2)
      #expect(try a1.value("name") == .string("Anna"))
    },
    StackCase("FP-17 a reset forgets everything") { (stack: AuthorStack) throws in
      let context = stack.makeContext()
      _ = try stack.author("Ann", in: context).fetched("notes")
      context.reset()
      stack.forgetCalls()
      #expect(try stack.author("Ann", in: context).notes() == ["great start", "Great end", "so-so"])
      #expect(stack.reads == 1)
    },
    StackCase("FP-18 a save keeps the array") { (stack: AuthorStack) throws in
      let context = stack.makeContext()
      let a1 = try stack.author("Ann", in: context)
      _ = try a1.fetched("notes")
      try a1.set("name", to: "Anna")
      try context.save()
      stack.forgetCalls()
      #expect(try a1.fetched("notes").count == 3)
      #expect(stack.reads == 0)
    },
    StackCase("FP-19 a deleted element stays in the array") { (stack: AuthorStack) throws in
      let context = stack.makeContext()
      let a1 = try stack.author("Ann", in: context)
      let notes = try a1.fetched("notes")
      context.delete(notes[0])
      #expect(try a1.fetched("notes").count == 3)
      #expect(try a1.fetched("notes")[0].isDeleted)
    },
    StackCase("FO-08, P28 an element that is deleted and saved has no context, and is gone after a refresh") {
      (stack: AuthorStack) throws in
      let context = stack.makeContext()
      let a1 = try stack.author("Ann", in: context)
      context.delete(try a1.fetched("notes")[0])
      try context.save()
      let kept = try a1.fetched("notes")
      #expect(kept.count == 3)
      #expect(kept[0].context == nil)
      #expect(throws: ManagedObjectError.self) { try kept[0].value("text") }
      context.refresh(a1, mergeChanges: true)
      #expect(try a1.notes() == ["Great end", "so-so"])
    },
    StackCase("FP-21 order is frozen while values move") { (stack: AuthorStack) throws in
      let context = stack.makeContext()
      let a1 = try stack.author("Ann", in: context)
      let n1 = try a1.fetched("notes")[0]
      try n1.set("rating", to: 9.0)
      #expect(try a1.notes() == ["great start", "Great end", "so-so"])
      #expect(try a1.fetched("notes").numbers()[0] == 9)
      context.refresh(a1, mergeChanges: true)
      #expect(try a1.notes() == ["Great end", "so-so", "great start"])
    },
    StackCase("FP-23, FO-04 an edit of the source is seen after a refresh") { (stack: AuthorStack) throws in
      let context = stack.makeContext()
      let a1 = try stack.author("Ann", in: context)
      _ = try a1.fetched("notes")
      try a1.set("alias", to: "bob")
      #expect(try a1.fetched("notes").count == 3)
      context.refresh(a1, mergeChanges: true)
      #expect(try a1.notes() == ["dull"])
    },
    StackCase("1.4 a rollback that reverts the source drops the array") { (stack: AuthorStack) throws in
      let context = stack.makeContext()
      let a1 = try stack.author("Ann", in: context)
      try a1.set("alias", to: "bob")
      #expect(try a1.notes() == ["dull"])
      context.rollback()
      #expect(try a1.notes() == ["great start", "Great end", "so-so"])
    },
    StackCase("FP-33, P24 a new user info is seen without a refresh") { (stack: AuthorStack) throws in
      let context = stack.makeContext()
      let a1 = try stack.author("Ann", in: context)
      let notes = try a1.fetched("notes")
      #expect(try a1.fetched("starred").count == 2)
      try context.setUserInfo(["search": "end"], forProperty: "starred", of: "Author")
      #expect(try a1.notes("starred") == ["Great end"])
      #expect(try a1.fetched("notes") == notes)
      try context.setUserInfo(nil, forProperty: "starred", of: "Author")
      #expect(try a1.fetched("starred").count == 2)
    },
    StackCase("P26 two contexts keep their own arrays") { (stack: AuthorStack) throws in
      let (one, other) = (stack.makeContext(), stack.makeContext())
      let a1 = try stack.author("Ann", in: one)
      _ = try a1.fetched("notes")
      try stack.insertNote("ann", "new", 9, in: other)
      try other.save()
      #expect(try a1.fetched("notes").count == 3)
      #expect(try stack.author("Ann", in: other).fetched("notes").count == 4)
    },
    StackCase(
      "FP-57, FO-09 a store that is removed takes its rows out of every array; back again, they are back"
    ) {
      (stack: AuthorStack) throws in
      let a1 = try stack.author("Ann", in: stack.makeContext())
      _ = try a1.fetched("notes")
      try stack.coordinator.remove(stack.side)
      #expect(try a1.fetched("notes").isEmpty)
    },
    StackCase("FP-74 an error is thrown, and nothing is kept of it") { (stack: AuthorStack) throws in
      let a1 = try stack.author("Ann", in: stack.makeContext())
      stack.side.fail(.query)
      #expect(throws: StoreError.self) { try a1.fetched("notes") }
      stack.side.heal()
      #expect(try a1.notes() == ["great start", "Great end", "so-so"])
    },
  ]

  /// Unsaved sources and destinations.
  public static let pending: [StackCase<AuthorStack>] = [
    StackCase("FP-22 unsaved edits of destinations take part") { (stack: AuthorStack) throws in
      let context = stack.makeContext()
      try stack.note("dull", in: context).set("authorAlias", to: "ann")
      #expect(
        try stack.author("Ann", in: context).notes() == ["dull", "great start", "Great end", "so-so"])
      #expect(try stack.author("Bob", in: context).notes().isEmpty)
    },
    StackCase("FP-25, FO-11 an unsaved source is asked by its values") { (stack: AuthorStack) throws in
      let context = stack.makeContext()
      let author = try context.insert("Author")
      try author.set("alias", to: "bob")
      #expect(try author.notes() == ["dull"])
    },
    StackCase("FP-26, FP-27 an unsaved source finds unsaved destinations, and no temporary identifier leaves")
    {
      (stack: AuthorStack) throws in
      let context = stack.makeContext()
      let x = try context.insert("Author")
      try x.set("name", to: "Xi")
      let k = try context.insert("Book")
      try k.set("author", to: x)
      #expect(try x.fetched("mine") == [k])
      for query in stack.main.calls.queries {
        #expect(!"\(query)".contains("store: FederatedModel.StoreID(rawValue: 0)"))
      }
      try context.save()
      context.refresh(x, mergeChanges: true)
      #expect(try x.fetched("mine") == [k])
      #expect(!k.objectID.isTemporary)
    },
    StackCase("FP-29 a destination that is to be deleted is not found") { (stack: AuthorStack) throws in
      let context = stack.makeContext()
      context.delete(try stack.note("so-so", in: context))
      #expect(try stack.author("Ann", in: context).notes() == ["great start", "Great end"])
    },
    StackCase("FP-30, P41 a question may leave unsaved work out") { (stack: AuthorStack) throws in
      let context = stack.makeContext()
      try stack.insertNote("ann", "new", 9, in: context)
      #expect(
        try stack.author("Ann", in: context).notes("savedNotes") == ["great start", "Great end", "so-so"])
    },
    StackCase("FP-31, F24 the limit is cut after unsaved work is merged") { (stack: AuthorStack) throws in
      let context = stack.makeContext()
      try stack.insertNote("ann", "new", 4.1, in: context)
      #expect(try stack.author("Ann", in: context).notes("firstNotes") == ["great start", "new"])
    },
    StackCase("FP-83 an author that is to be deleted is no peer") { (stack: AuthorStack) throws in
      let context = stack.makeContext()
      context.delete(try stack.author("Ann", in: context))
      #expect(try stack.author("Bob", in: context).fetched("peers").texts("name") == ["Cy", "Dee"])
    },
  ]
}
