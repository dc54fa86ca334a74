internal import FederatedModel
internal import FederatedRuntime
internal import FederatedStore
internal import Testing

/// The CX cases: life, faults and changes of objects.
public enum LifecycleCases {
  public static let life: [StackCase<PersonStack>] = [
    StackCase("CX-01 defaults, then the hook, once") { (stack: PersonStack) throws in
      let person = try stack.context.insert("Person").recording
      #expect(person.inserted == 1 && person.fetched == 0)
      #expect(person.nickAtInsert == "buddy")
      #expect(person.isInserted && !person.isUpdated && !person.isDeleted && !person.isFault)
      #expect(person.objectID.isTemporary)
    },
    StackCase("CX-03 a save makes an insert clean and its identifier permanent") {
      (stack: PersonStack) throws in
      let person = try stack.person("Ada")
      try stack.context.save()
      #expect(!person.isInserted && !person.isUpdated && !person.isDeleted && !person.hasChanges)
      #expect(!person.objectID.isTemporary)
      #expect(stack.context.object(with: person.objectID) === person)
    },
    StackCase("CX-04 a permanent identifier can come before the save and stays") {
      (stack: PersonStack) throws in
      let person = try stack.person("Ada")
      let temporary = person.objectID
      let team = try stack.named("Team", "Reds")
      try person.set("team", to: team)
      try stack.context.obtainPermanentIDs(for: [person, team])
      let id = person.objectID
      #expect(!id.isTemporary && person.isInserted)
      #expect(stack.context.registeredObject(for: temporary) === person)
      #expect(try person.object("team") === team)
      try stack.context.obtainPermanentIDs(for: [person])
      #expect(person.objectID == id)
      try stack.context.save()
      #expect(person.objectID == id && !person.isInserted)
      #expect(try stack.saved("Person")[0].object("team")?.value("name") == .string("Reds"))
    },
    StackCase("CX-05 an edit makes updated, a save clean") { (stack: PersonStack) throws in
      let person = try stack.person("Ada")
      try stack.context.save()
      try person.set("age", to: 36)
      #expect(person.isUpdated)
      #expect(person.changedValues() == ["age": .int(36)])
      try stack.context.save()
      #expect(!person.isUpdated && person.changedValues().isEmpty)
      #expect(try stack.saved("Person")[0].value("age") == .int(36))
    },
    StackCase("CX-07 an equal value marks, and writes no row") { (stack: PersonStack) throws in
      let person = try stack.person("Ada")
      try stack.context.save()
      stack.forgetCalls()
      try person.set("name", to: "Ada")
      #expect(person.hasChanges && !person.hasPersistentChangedValues)
      try stack.context.save()
      #expect(stack.people.calls.prepared.allSatisfy { $0.updated.isEmpty })
      #expect(!person.hasChanges)
    },
    StackCase("CX-08 nil over a default stays nil") { (stack: PersonStack) throws in
      let person = try stack.person("Ada")
      try person.set("nick", to: nil)
      try stack.context.save()
      #expect(try stack.saved("Person")[0].value("nick") == .null)
    },
    StackCase("CX-09 a primitive value is no change") { (stack: PersonStack) throws in
      let person = try stack.person("Ada")
      try stack.context.save()
      try person.setPrimitive("age", to: .int(9))
      #expect(try person.value("age") == .int(9))
      #expect(person.changedValues().isEmpty && !stack.context.hasChanges)
      try stack.context.save()
      #expect(try stack.saved("Person")[0].value("age") == .null)
    },
    StackCase("CX-11 a willSave that never rests fails the save") { (stack: PersonStack) throws in
      let person = try stack.person("Ada").recording
      person.onWillSave = { $0.age = ($0.age ?? 0) % 100 + 1 }
      let error = #expect(throws: ManagedObjectError.self) { try stack.context.save() }
      #expect(error?.code == .unstableWillSave)
      #expect(person.isInserted)
    },
    StackCase("a save inside a save is refused") { (stack: PersonStack) throws in
      let person = try stack.person("Ada").recording
      var refusal: (any Error)?
      person.onWillSave = { person in
        do { try person.context?.save() } catch { refusal = error }
      }
      try stack.context.save()
      #expect((refusal as? ManagedObjectError)?.code == .recursiveHook)
      #expect(!stack.context.hasChanges)
    },
    StackCase("a deletion outlives a refresh") { (stack: PersonStack) throws in
      let person = try stack.person("Ada")
      try stack.context.save()
      stack.context.delete(person)
      try stack.context.processPendingChanges()
      stack.context.refresh(person, mergeChanges: false)
      try stack.context.save()
      #expect(try stack.saved("Person").isEmpty)
    },
    StackCase("A5.6, VA-21 a value set in willSave is saved, and satisfies validation") {
      (stack: PersonStack) throws in
      let person = try stack.context.insert("Person").recording
      person.onWillSave = { if $0.changedValues()["name"] == nil { $0.name = "Late" } }
      try stack.context.save()
      #expect(person.saving == 2)
      #expect(try stack.saved("Person").texts("name") == ["Late"])
    },
    StackCase("CX-12 an edit in didSave is unsaved") { (stack: PersonStack) throws in
      let person = try stack.person("Ada").recording
      person.onDidSave = { $0.age = 5 }
      try stack.context.save()
      #expect(stack.context.hasChanges && person.isUpdated)
    },
    StackCase("CX-25 deleting calls the hook each time") { (stack: PersonStack) throws in
      let person = try stack.person("Ada").recording
      try stack.context.save()
      stack.context.delete(person)
      stack.context.delete(person)
      #expect(person.deletions == 2 && person.isDeleted)
      #expect(stack.context.deletedObjects == [person])
      try stack.context.save()
      #expect(!person.isDeleted && person.context == nil)
      #expect(try stack.saved("Person").isEmpty)
    },
    StackCase("CX-27, FR-59 an insert that is deleted never reaches a store") { (stack: PersonStack) throws in
      let person = try stack.person("Ada")
      let id = person.objectID
      stack.context.delete(person)
      #expect(stack.context.deletedObjects.isEmpty)
      #expect(try stack.context.fetch(FetchRequest("Person")).isEmpty)
      try stack.context.save()
      #expect(stack.people.calls.prepared.isEmpty)
      #expect(stack.context.registeredObject(for: id) == nil)
    },
    StackCase("CX-28 nor does one with a cascade") { (stack: PersonStack) throws in
      let person = try stack.person("Ada")
      let pet = try stack.named("Pet", "Rex")
      try pet.set("owner", to: person)
      stack.context.delete(person)
      try stack.context.processPendingChanges()
      #expect(stack.context.insertedObjects.isEmpty && stack.context.updatedObjects.isEmpty)
      #expect(stack.context.deletedObjects.isEmpty && !stack.context.hasChanges)
      #expect(pet.context == nil)
    },
    StackCase("CX-29 an insert whose save failed and that is deleted then is no row to delete") {
      (stack: PersonStack) throws in
      let person = try stack.person("Ada")
      stack.people.fail(.prepare)
      #expect(throws: SaveError.self) { try stack.context.save() }
      #expect(person.isInserted)
      stack.people.heal()
      stack.context.delete(person)
      try stack.context.save()
      #expect(stack.people.calls.prepared.allSatisfy { $0.deleted.isEmpty && $0.inserted.isEmpty })
    },
  ]

  public static let faults: [StackCase<PersonStack>] = [
    StackCase("CX-13 the first read fires, later ones do not") { (stack: PersonStack) throws in
      try stack.person("Ada")
      try stack.context.save()
      let context = stack.makeContext()
      let person = try stack.saved("Person", in: context)[0].recording
      #expect(person.isFault && person.fetched == 0)
      #expect(try person.value("name") == .string("Ada"))
      #expect(try person.value("age") == .null)
      #expect(person.fetched == 1 && !person.isFault)
    },
    StackCase("CX-13 rows come along with a fetch: firing asks no store") { (stack: PersonStack) throws in
      try stack.person("Ada")
      try stack.context.save()
      let people = try stack.saved("Person")
      stack.forgetCalls()
      #expect(try people.texts("name") == ["Ada"])
      #expect(stack.asked == 0)
    },
    StackCase("A6.8 hooks run once around each refault") { (stack: PersonStack) throws in
      let person = try stack.person("Ada").recording
      try stack.context.save()
      stack.context.refresh(person, mergeChanges: false)
      stack.context.refresh(person, mergeChanges: false)
      #expect(person.faulting == ["will", "did"])
    },
    StackCase("CX-15 a merging refresh keeps edits over what others saved") { (stack: PersonStack) throws in
      let person = try stack.person("Ada")
      try stack.context.save()
      try person.set("age", to: 36)
      let other = stack.makeContext()
      try stack.saved("Person", in: other)[0].set("salary", to: 7)
      try other.save()
      stack.context.refresh(person, mergeChanges: true)
      #expect(try person.value("age") == .int(36))
      #expect(try person.value("salary") == .int(7))
      try stack.context.save()
      #expect(try stack.saved("Person")[0].value("salary") == .int(7))
    },
    StackCase("CX-16 refreshing all makes clean ones faults and leaves changed ones") {
      (stack: PersonStack) throws in
      let (one, two) = (try stack.person("Ada"), try stack.person("Bob"))
      try stack.context.save()
      try one.set("age", to: 36)
      stack.context.refreshAll()
      #expect(!one.isFault && two.isFault)
      #expect(try one.value("age") == .int(36))
    },
    StackCase("CX-17 an unsaved insert has nothing to go back to") { (stack: PersonStack) throws in
      let person = try stack.person("Ada")
      stack.context.refresh(person, mergeChanges: false)
      #expect(try person.value("name") == .string("Ada"))
      #expect(person.isInserted)
    },
    StackCase("CX-19, FR-49, FR-50 fetching again changes nothing, unless the request says so") {
      (stack: PersonStack) throws in
      let person = try stack.person("Ada")
      try person.set("salary", to: 22)
      try stack.context.save()
      let other = stack.makeContext()
      try stack.saved("Person", in: other)[0].set("salary", to: 23)
      try other.save()
      _ = try stack.saved("Person", in: stack.context)
      #expect(try person.value("salary") == .int(22))
      try person.set("nick", to: "mine")
      var request = FetchRequest("Person")
      request.shouldRefreshRefetchedObjects = true
      _ = try stack.context.fetch(request)
      #expect(try person.value("salary") == .int(23))
      #expect(try person.value("nick") == .string("mine"))
    },
    StackCase("CX-20 an unknown identifier: not registered, a fault, or an error") {
      (stack: PersonStack) throws in
      try stack.person("Ada")
      try stack.context.save()
      let context = stack.makeContext()
      let id = try context.identifiers(for: FetchRequest("Person"))[0]
      let gone = ManagedObjectID(store: id.store, entity: id.entity, reference: 9999)
      stack.forgetCalls()
      #expect(context.registeredObject(for: id) == nil)
      let object = context.object(with: id)
      #expect(object.isFault && stack.asked == 0)
      #expect(try context.existingObject(with: id) === object)
      #expect(!object.isFault)
      let error = #expect(throws: ManagedObjectError.self) { try context.existingObject(with: gone) }
      #expect(error?.code == .inaccessibleFault && error?.code.legacyCode == 133000)
    },
    StackCase("CX-21 an unsaved identifier finds its object") { (stack: PersonStack) throws in
      let person = try stack.person("Ada")
      #expect(try stack.context.existingObject(with: person.objectID) === person)
    },
    StackCase("PS-33, PS-34 URIs name rows across contexts") { (stack: PersonStack) throws in
      let person = try stack.person("Ada")
      try stack.context.save()
      let uri = stack.context.uri(for: person.objectID)
      let other = stack.makeContext()
      #expect(try other.existingObject(for: uri)?.value("name") == .string("Ada"))
      #expect(other.object(for: uri)?.objectID == person.objectID)
    },
    StackCase("CX-23 a fault whose row is gone throws, and counts as deleted") {
      (stack: PersonStack) throws in
      let person = try stack.person("Ada")
      try stack.context.save()
      stack.context.refresh(person, mergeChanges: false)
      let other = stack.makeContext()
      other.delete(try stack.saved("Person", in: other)[0])
      try other.save()
      let error = #expect(throws: ManagedObjectError.self) { try person.value("name") }
      #expect(error?.code == .inaccessibleFault)
      #expect(person.isDeleted && !stack.context.hasChanges)
    },
    StackCase("5.7 a read that cannot throw gives zero, and the next fetch throws") {
      (stack: PersonStack) throws in
      let person = try stack.person("Ada").recording
      try stack.context.save()
      stack.context.refresh(person, mergeChanges: false)
      let other = stack.makeContext()
      other.delete(try stack.saved("Person", in: other)[0])
      try other.save()
      #expect(person.name == "")
      #expect(throws: ManagedObjectError.self) { try stack.context.fetch(FetchRequest("Person")) }
      #expect(try stack.context.fetch(FetchRequest("Person")).isEmpty)
    },
    StackCase("CX-24 a cascade that meets a row that is gone goes on") { (stack: PersonStack) throws in
      let person = try stack.person("Ada")
      let pet = try stack.named("Pet", "Rex")
      try pet.set("owner", to: person)
      try stack.context.save()
      let context = stack.makeContext()
      let mine = try stack.saved("Person", in: context)[0]
      #expect(try mine.objects("pets").count == 1)
      let other = stack.makeContext()
      other.delete(try stack.saved("Pet", in: other)[0])
      try other.save()
      context.delete(mine)
      try context.save()
      #expect(try stack.saved("Person").isEmpty)
    },
    StackCase("many faults of one list fire in one question") { (stack: PersonStack) throws in
      let team = try stack.named("Team", "Reds")
      for number in 0..<60 { try stack.person("P\(number)").set("team", to: team) }
      try stack.context.save()
      let context = stack.makeContext()
      let members = try stack.saved("Team", in: context)[0].objects("members")
      stack.forgetCalls()
      #expect(Set(try members.texts("name")).count == 60)
      #expect(stack.asked <= 3)
    },
    StackCase("A6.12, CX-33 clean objects that nobody refers to leave; changed ones stay") {
      (stack: PersonStack) throws in
      for number in 0..<5 { try stack.person("P\(number)") }
      #expect(stack.context.registeredObjects.count == 5)
      try stack.context.save()
      #expect(stack.context.registeredObjects.isEmpty)
      var held: ManagedObject? = try stack.saved("Person", in: stack.context)[0]
      try held?.set("age", to: 1)
      held = nil
      #expect(stack.context.registeredObjects.count == 1)
    },
    StackCase("objects of a context that is gone have none, and what was read stays readable") {
      (stack: PersonStack) throws in
      try stack.person("Ada")
      try stack.context.save()
      var context: ManagedObjectContext? = ManagedObjectContext(coordinator: stack.coordinator)
      let person = try context!.fetch(FetchRequest("Person"))[0]
      #expect(try person.value("name") == .string("Ada"))
      context = nil
      #expect(person.context == nil)
      #expect(try person.value("name") == .string("Ada"))
      #expect(throws: ManagedObjectError.self) { try person.fetched("notes") }
    },
  ]
}
