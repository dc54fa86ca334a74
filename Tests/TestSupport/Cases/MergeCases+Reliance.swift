internal import FederatedModel
internal import FederatedRuntime
internal import Testing

extension MergeCases {
  /// Rows that a save does not change and relies on, and lists that both sides change.
  static let reliance: [StackCase<PersonStack>] = [
    StackCase("MG-08 an unchanged object takes part in a save when it is marked") {
      (stack: PersonStack) throws in
      for isMarked in [false, true] {
        let two = try Two(stack, .error)
        try two.context.insert("Team").set("name", to: "Red")
        if isMarked { try two.context.detectConflicts(for: two.mine) }
        try two.theirs.set("salary", to: 3)
        try two.other.save()
        if isMarked {
          let conflicts = MergeCases.conflicts { try two.context.save() }
          #expect(conflicts.map(\.object) == [two.mine.objectID] && conflicts.map(\.change) == [nil])
          two.context.mergePolicy = .storeTrump
        }
        try two.context.save()
        #expect(try two.mine.value("salary") == .int(isMarked ? 3 : 1))
        #expect(!two.context.hasChanges)
        stack.context.refreshAll()
        stack.context.delete(try stack.context.existingObject(with: two.mine.objectID))
        try stack.context.save()
      }
    },
    StackCase("MG-08 a save without changes looks at marked objects, and forgets the marks") {
      (stack: PersonStack) throws in
      let two = try Two(stack, .error)
      try two.context.detectConflicts(for: two.mine)
      try two.context.save()
      try two.theirs.set("salary", to: 3)
      try two.other.save()
      try two.context.save()
      try two.context.detectConflicts(for: two.mine)
      #expect(MergeCases.conflicts { try two.context.save() }.count == 1)
      two.context.refresh(two.mine, mergeChanges: false)
      _ = try two.mine.value("name")
      try two.context.save()
    },
    StackCase("a link to a row that others deleted is a conflict, and a policy takes the link away") {
      (stack: PersonStack) throws in
      // A team that has a list of its members was changed by the link; a favourite was not.
      let cases: [(relationship: String, policy: MergePolicy, comesBack: Bool)] = [
        ("team", .storeTrump, false), ("team", .objectTrump, true),
        ("favourite", .storeTrump, false), ("favourite", .objectTrump, false),
      ]
      for (relationship, policy, comesBack) in cases {
        let two = try Two(stack, .error)
        let saved = try stack.named("Team", "Red")
        try stack.context.save()
        let id = saved.objectID
        let team = try two.context.existingObject(with: id)
        try two.mine.set(relationship, to: team)
        stack.context.delete(saved)
        try stack.context.save()
        let conflicts = MergeCases.conflicts { try two.context.save() }
        #expect(conflicts.map(\.object) == [id] && conflicts.map(\.newVersion) == [0])
        two.context.mergePolicy = policy
        try two.context.save()
        #expect(try two.mine.object(relationship)?.objectID == (comesBack ? id : nil))
        #expect(try stack.saved("Team").map(\.objectID) == (comesBack ? [id] : []))
        let person = try stack.saved("Person")[0]
        #expect(try person.object(relationship)?.objectID == (comesBack ? id : nil))
        stack.context.refreshAll()
        for one in try stack.saved("Team", in: stack.context) + [
          stack.context.existingObject(with: two.mine.objectID)
        ] {
          stack.context.delete(one)
        }
        try stack.context.save()
      }
    },
    StackCase("a many-to-many member that others deleted is a conflict, and a policy takes it out") {
      (stack: PersonStack) throws in
      let two = try Two(stack, .error)
      let bob = try stack.person("Bob")
      try stack.context.save()
      try two.mine.add(try two.context.existingObject(with: bob.objectID), to: "friends")
      stack.context.delete(bob)
      try stack.context.save()
      #expect(MergeCases.conflicts { try two.context.save() }.count == 1)
      two.context.mergePolicy = .storeTrump
      try two.context.save()
      #expect(try two.mine.objects("friends").isEmpty)
      #expect(try stack.saved("Person")[0].objects("friends").isEmpty)
    },
    StackCase("RE-22 ordered lists keep what two contexts add and remove") { (stack: PersonStack) throws in
      for key in ["lineup", "queue"] {
        let team = try stack.named("Team", key)
        let people = try ["Bob", "Cyd", "Dan", "Eve"].map { try stack.person($0) }
        try team.set(key, to: [people[0], people[1]])
        try stack.context.save()
        let ids = people.map(\.objectID)
        let (mine, theirs) = (stack.makeContext(), stack.makeContext())
        let one = try mine.existingObject(with: team.objectID)
        let two = try theirs.existingObject(with: team.objectID)
        #expect(try one.objects(key).map(\.objectID) == [ids[0], ids[1]])
        try two.add(try theirs.existingObject(with: ids[2]), to: key)
        try two.remove(try theirs.existingObject(with: ids[1]), from: key)
        try theirs.save()
        try one.insert(try mine.existingObject(with: ids[3]), into: key, at: 0)
        try mine.save()
        let saved = try stack.makeContext().existingObject(with: team.objectID)
        #expect(try saved.objects(key).map(\.objectID) == [ids[3], ids[0], ids[2]], "\(key)")
      }
    },
  ]
}
