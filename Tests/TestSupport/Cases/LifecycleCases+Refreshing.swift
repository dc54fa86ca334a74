internal import FederatedModel
internal import FederatedRuntime
internal import FederatedStore
internal import Testing

extension LifecycleCases {
  /// What stays, what goes, and what is read again.
  public static let refreshing: [StackCase<PersonStack>] = [
    StackCase("CX-33 with the flag, clean objects that nobody refers to stay, until it is taken away") {
      (stack: PersonStack) throws in
      stack.context.retainsRegisteredObjects = true
      for number in 0..<5 { try stack.person("P\(number)") }
      try stack.context.save()
      #expect(stack.context.registeredObjects.count == 5)
      for person in try stack.saved("Person", in: stack.context) { stack.context.delete(person) }
      try stack.context.save()
      #expect(stack.context.registeredObjects.isEmpty)
      let other = stack.makeContext()
      other.retainsRegisteredObjects = true
      try stack.person("Ada", in: other)
      try other.save()
      #expect(other.registeredObjects.count == 1)
      other.retainsRegisteredObjects = false
      #expect(other.registeredObjects.isEmpty)
    },
    StackCase("CX-33 a retaining context that goes leaves its objects without one") {
      (stack: PersonStack) throws in
      try stack.person("Ada")
      try stack.context.save()
      var context: ManagedObjectContext? = ManagedObjectContext(coordinator: stack.coordinator)
      context?.retainsRegisteredObjects = true
      let person = try context!.fetch(FetchRequest("Person"))[0]
      context = nil
      #expect(person.context == nil)
    },
    StackCase(
      "CX-23 read as nil, a row that is gone reads zero, counts as deleted, and nothing is thrown later"
    ) {
      (stack: PersonStack) throws in
      let person = try stack.person("Ada").recording
      try stack.context.save()
      stack.context.refresh(person, mergeChanges: false)
      stack.context.inaccessibleFaults = .readAsNil
      let other = stack.makeContext()
      other.delete(try stack.saved("Person", in: other)[0])
      try other.save()
      #expect(person.name == "" && person.nick == nil && person.age == nil)
      #expect(person.isDeleted && !stack.context.hasChanges)
      #expect(throws: ManagedObjectError.self) { try person.value("name") }
      #expect(try stack.context.fetch(FetchRequest("Person")).isEmpty)
      try stack.context.save()
    },
    StackCase("CX-40 following the delete rules twice does it once") { (stack: PersonStack) throws in
      let person = try stack.person("Ada")
      try stack.named("Pet", "Rex").set("owner", to: person)
      try stack.context.save()
      let context = stack.makeContext()
      context.delete(try stack.saved("Person", in: context)[0])
      try context.processPendingChanges()
      #expect(context.deletedObjects.count == 2)
      stack.forgetCalls()
      try context.processPendingChanges()
      #expect(stack.asked == 0 && context.deletedObjects.count == 2)
    },
    StackCase("CX-41 a refreshed object is always read again: no row is kept beside the store's own") {
      (stack: PersonStack) throws in
      let person = try stack.person("Ada")
      try stack.context.save()
      let other = stack.makeContext()
      try stack.saved("Person", in: other)[0].set("age", to: 7)
      try other.save()
      #expect(try person.value("age") == .null)
      stack.context.refresh(person, mergeChanges: true)
      stack.forgetCalls()
      #expect(try person.value("age") == .int(7))
      #expect(stack.asked == 1)
    },
    StackCase("CX-43 a row fires in one question, its to-one in none, its to-many in one at the first read") {
      (stack: PersonStack) throws in
      let person = try stack.person("Ada")
      try person.set("team", to: try stack.named("Team", "Reds"))
      try stack.named("Pet", "Rex").set("owner", to: person)
      try stack.context.save()
      let context = stack.makeContext()
      let mine = context.object(with: person.objectID)
      stack.forgetCalls()
      #expect(try mine.value("name") == .string("Ada"))
      #expect(stack.people.calls.queries.count == 1)
      #expect(try mine.object("team")?.objectID != nil)
      #expect(stack.asked == 1)
      #expect(try mine.objects("pets").count == 1)
      #expect(stack.people.calls.related.count == 1)
      #expect(try mine.objects("pets").count == 1)
      #expect(stack.asked == 2)
    },
    StackCase("FO-15 what others save leaves a kept array as it is, until its owner is refreshed") {
      (stack: PersonStack) throws in
      let person = try stack.person("Ada")
      try stack.context.save()
      #expect(try person.fetched("notes").isEmpty)
      let other = stack.makeContext()
      let note = try other.insert("Note")
      try note.set("ownerKey", to: "Ada")
      try other.save()
      #expect(try person.fetched("notes").isEmpty)
      stack.context.refresh(person, mergeChanges: true)
      #expect(try person.fetched("notes").map(\.objectID) == [note.objectID])
    },
    StackCase("a refresh without merging takes an unsaved link back at both ends") {
      (stack: PersonStack) throws in
      let (one, two) = (try stack.named("Team", "Reds"), try stack.named("Team", "Blues"))
      let person = try stack.person("Ada")
      try person.set("team", to: one)
      try stack.context.save()
      try person.set("team", to: two)
      stack.context.refresh(person, mergeChanges: false)
      #expect(try person.object("team") === one)
      #expect(try one.objects("members") == [person] && two.objects("members").isEmpty)
      try two.add(person, to: "members")
      stack.context.refresh(two, mergeChanges: false)
      #expect(try two.objects("members").isEmpty)
      #expect(try person.object("team") === one && one.objects("members") == [person])
      try stack.context.save()
      #expect(try stack.saved("Person")[0].object("team")?.value("name") == .string("Reds"))
    },
    StackCase("a link edited here stands above one that others saved, at both ends") {
      (stack: PersonStack) throws in
      let teams = try ["Reds", "Blues", "Greens"].map { try stack.named("Team", $0) }
      let person = try stack.person("Ada")
      try person.set("team", to: teams[0])
      try stack.context.save()
      try person.set("team", to: teams[1])
      let other = stack.makeContext()
      let greens = other.object(with: teams[2].objectID)
      try other.object(with: person.objectID).set("team", to: greens)
      try other.save()
      stack.context.refreshAll()
      #expect(try teams[2].objects("members").isEmpty && teams[0].objects("members").isEmpty)
      #expect(try teams[1].objects("members") == [person] && person.object("team") === teams[1])
      try stack.context.save()
      let saved = try stack.saved("Team")
      #expect(try saved.map { try $0.objects("members").count } == [1, 0, 0])
    },
    StackCase("what led to an object that is deleted stays cleared over a refresh") {
      (stack: PersonStack) throws in
      let team = try stack.named("Team", "Reds")
      let person = try stack.person("Ada")
      try person.set("team", to: team)
      try stack.context.save()
      stack.context.delete(team)
      try stack.context.processPendingChanges()
      stack.context.refresh(person, mergeChanges: false)
      #expect(try person.object("team") == nil)
      try stack.context.save()
      #expect(try stack.saved("Person")[0].value("team") == .null)
    },
    StackCase("the graph is sound after every kind of edit, and after each way back") {
      (stack: PersonStack) throws in
      func check(_ what: String) { #expect(stack.context.brokenInvariants() == [], "\(what)") }
      let (team, person) = (try stack.named("Team", "Reds"), try stack.person("Ada"))
      try team.add(person, to: "members")
      check("insert")
      try stack.context.save()
      check("save")
      try person.set("team", to: nil)
      check("edit")
      stack.context.rollback()
      check("rollback")
      stack.context.delete(team)
      try stack.context.processPendingChanges()
      check("delete")
      stack.context.refreshAll()
      check("refresh")
      try stack.context.save()
      check("save of a deletion")
      stack.context.reset()
      check("reset")
    },
  ]

  /// Deleting what one store of several holds.
  public static let stores: [StackCase<AuthorStack>] = [
    StackCase("PS-13 deleting what is found in one store leaves the other's rows") {
      (stack: AuthorStack) throws in
      _ = try stack.addSecondSide()
      let context = stack.makeContext()
      let far = try stack.insertNote("ann", "far", 1, in: context)
      try context.assign(far, toStoreNamed: "X2")
      try context.save()
      var request = try FetchRequest("Note", where: "authorAlias == %@", "ann")
      let before = try context.count(for: request)
      request.affectedStores = ["X2"]
      for note in try context.fetch(request) { context.delete(note) }
      try context.save()
      #expect(try stack.makeContext().count(for: request) == 0)
      request.affectedStores = nil
      #expect(try stack.makeContext().count(for: request) == before - 1)
    }
  ]
}
