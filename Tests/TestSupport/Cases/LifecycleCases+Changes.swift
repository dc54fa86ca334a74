internal import FederatedModel
internal import FederatedRuntime
internal import FederatedStore
internal import Testing

extension LifecycleCases {
  public static let changes: [StackCase<PersonStack>] = [
    StackCase("CX-31 a rollback takes everything back and asks no store") { (stack: PersonStack) throws in
      let (one, two) = (try stack.person("Ada"), try stack.person("Bob"))
      try stack.context.save()
      let other = stack.makeContext()
      try stack.saved("Person", in: other)[0].set("age", to: 99)
      try other.save()
      let new = try stack.person("New")
      try one.set("age", to: 1)
      stack.context.delete(two)
      stack.forgetCalls()
      stack.context.rollback()
      #expect(stack.asked == 0 && !stack.context.hasChanges)
      #expect(try one.value("age") == .null)
      #expect(!two.isDeleted && new.context == nil)
      #expect(stack.context.registeredObject(for: new.objectID) == nil)
    },
    StackCase("CX-32 a reset forgets everything") { (stack: PersonStack) throws in
      let person = try stack.person("Ada")
      try stack.context.save()
      let unsaved = try stack.person("Bob")
      stack.context.reset()
      #expect(stack.context.registeredObjects.isEmpty && !stack.context.hasChanges)
      #expect(person.context == nil && person.isFault && unsaved.context == nil)
      #expect(throws: ManagedObjectError.self) { try person.value("name") }
    },
    StackCase("CX-35 a transient value marks, survives a save, and goes with a refault") {
      (stack: PersonStack) throws in
      let person = try stack.person("Ada")
      try stack.context.save()
      try person.set("mood", to: "fine")
      #expect(person.hasChanges && !person.hasPersistentChangedValues)
      try stack.context.save()
      #expect(try person.value("mood") == .string("fine"))
      stack.context.refresh(person, mergeChanges: true)
      #expect(try person.value("mood") == .null)
    },
    StackCase("A9.2, A9.3 changed and committed values") { (stack: PersonStack) throws in
      let person = try stack.person("Ada")
      try stack.context.save()
      try person.set("name", to: "Eva")
      #expect(try person.committedValues(forKeys: ["name"]) == ["name": .string("Ada")])
      #expect(person.changedValues() == ["name": .string("Eva")])
    },
    StackCase("CX-48 a computed value answers its key") { (stack: PersonStack) throws in
      let person = try stack.person("Ada")
      #expect(try person.value("shout") == .string("ADA"))
      #expect(try person.value(forKeyPath: "shout") == .string("ADA"))
      #expect(throws: ManagedObjectError.self) { try person.value("whisper") }
    },
    StackCase("typed errors: unknown names, wrong types, wrong kinds") { (stack: PersonStack) throws in
      let person = try stack.person("Ada")
      func code(_ body: () throws -> Void) -> ManagedObjectError.Code? {
        #expect(throws: ManagedObjectError.self, performing: body)?.code
      }
      #expect(code { try person.set("nope", to: 1) } == .unknownProperty)
      #expect(code { try person.set("age", to: "old") } == .wrongType)
      #expect(code { try person.set("age", to: 70_000) } == .wrongType)
      #expect(code { try person.set("team", to: person) } == .wrongType)
      #expect(code { try person.set("pets", to: person) } == .wrongKind)
      #expect(code { _ = try person.objects("team") } == .wrongKind)
      #expect(code { _ = try person.fetched("name") } == .wrongKind)
      #expect(code { _ = try stack.context.insert("Nope") } == .unknownEntity)
      let misspelt = #expect(throws: ManagedObjectError.self) { try person.set("nmae", to: "Eva") }
      #expect(misspelt?.detail.hasSuffix("did you mean name?") == true)
      let typo = #expect(throws: ManagedObjectError.self) { try stack.context.insert("Persn") }
      #expect(typo?.detail.hasSuffix("did you mean Person?") == true)
      #expect(try person.value("age") == .null)
    },
    StackCase("a number becomes the attribute's kind when nothing is lost") { (stack: PersonStack) throws in
      let person = try stack.person("Ada")
      try person.set("age", to: 36.0)
      #expect(try person.value("age") == .int(36))
      #expect(throws: ManagedObjectError.self) { try person.set("age", to: 36.5) }
    },
  ]
}
