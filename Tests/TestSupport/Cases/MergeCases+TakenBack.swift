internal import FederatedModel
internal import FederatedRuntime
internal import Testing

extension MergeCases {
  /// Owners that others gave members to, merges that come to nothing, and deletes that are taken back in part.
  static let takenBack: [StackCase<PersonStack>] = Self.owners + Self.refusedMerges + Self.partialRevivals

  /// A team whose list two contexts know to be empty, and a person that the second one has put into it since.
  private struct Joined {
    let mine: ManagedObjectContext
    let team: ManagedObject
    let person: ManagedObjectID

    init(_ stack: PersonStack) throws {
      let (saved, bob) = (try stack.named("Team", "Red"), try stack.person("Bob"))
      try stack.context.save()
      self.person = bob.objectID
      self.mine = stack.makeContext()
      self.team = try self.mine.existingObject(with: saved.objectID)
      #expect(try self.team.objects("members").isEmpty)
      let theirs = stack.makeContext()
      let red = try theirs.existingObject(with: saved.objectID)
      try theirs.existingObject(with: bob.objectID).set("team", to: red)
      try theirs.save()
      self.mine.delete(self.team)
    }
  }

  private static func clear(_ stack: PersonStack) throws {
    let context = stack.makeContext()
    for entity in ["Team", "Person", "Pet"] {
      for object in try stack.saved(entity, in: context) { context.delete(object) }
    }
    try context.save()
  }

  private static let owners: [StackCase<PersonStack>] = [
    StackCase("an owner that others gave a member meanwhile is not deleted under it: a policy decides") {
      (stack: PersonStack) throws in
      let policies: [(policy: MergePolicy, isDeleted: Bool)] = [
        (.storeTrump, false), (.rollback, false), (.objectTrump, true), (.overwrite, true),
      ]
      for (policy, isDeleted) in policies {
        let joined = try Joined(stack)
        let id = joined.team.objectID
        let conflicts = MergeCases.conflicts { try joined.mine.save() }
        #expect(conflicts.map(\.object) == [id] && conflicts.map(\.change) == [.delete])
        #expect(conflicts[0].description.contains("others linked rows to it"))
        #expect(joined.team.isDeleted)
        joined.mine.mergePolicy = policy
        try joined.mine.save()
        #expect(try !joined.mine.hasChanges && stack.saved("Team").count == (isDeleted ? 0 : 1))
        let person = try stack.makeContext().existingObject(with: joined.person)
        #expect(try person.object("team")?.objectID == (isDeleted ? nil : id), "\(policy)")
        try MergeCases.clear(stack)
      }
    },
    StackCase("after a refresh the delete lets go of members that others added") {
      (stack: PersonStack) throws in
      for keeps in [true, false] {
        let joined = try Joined(stack)
        #expect(MergeCases.conflicts { try joined.mine.save() }.count == 1)
        joined.mine.refresh(joined.team, mergeChanges: keeps)
        #expect(joined.team.isDeleted)
        try joined.mine.save()
        #expect(try stack.saved("Team").isEmpty)
        #expect(try stack.makeContext().existingObject(with: joined.person).value("team") == .null)
        try MergeCases.clear(stack)
      }
    },
    StackCase("a refresh of a deleted object does not bring back what led to it") {
      (stack: PersonStack) throws in
      let (ada, bob) = (try stack.person("Ada"), try stack.person("Bob"))
      try ada.add(bob, to: "friends")
      try stack.context.save()
      stack.context.delete(bob)
      try stack.context.processPendingChanges()
      stack.context.refreshAll()
      stack.context.refresh(ada, mergeChanges: false)
      #expect(try ada.objects("friends").isEmpty && bob.isDeleted)
      try stack.context.save()
      #expect(try stack.saved("Person").map { try $0.objects("friends").count } == [0])
    },
    StackCase("a cascade takes a child along that others added meanwhile, where the context wins") {
      (stack: PersonStack) throws in
      let two = try Two(stack, .error)
      #expect(try two.mine.objects("pets").isEmpty)
      try stack.named("Pet", "Rex", in: two.other).set("owner", to: two.theirs)
      try two.other.save()
      two.context.delete(two.mine)
      #expect(MergeCases.conflicts { try two.context.save() }.map(\.object) == [two.mine.objectID])
      two.context.mergePolicy = .objectTrump
      try two.context.save()
      #expect(try stack.saved("Person").isEmpty && stack.saved("Pet").isEmpty)
    },
  ]

  private static let refusedMerges: [StackCase<PersonStack>] = [
    StackCase("a save that is refused after a merge leaves every object as it was before the save") {
      (stack: PersonStack) throws in
      for policy in [MergePolicy.storeTrump, .objectTrump, .overwrite, .rollback] {
        let two = try Two(stack, policy)
        let bob = try stack.person("Bob")
        try stack.context.save()
        let friend = try two.context.existingObject(with: bob.objectID)
        try two.mine.add(friend, to: "friends")
        try two.context.insert("Note").set("text", to: "new")
        try two.edit()
        stack.notes.fail(.prepare)
        #expect(throws: SaveError.self) { try two.context.save() }
        #expect(try Two.values(two.mine) == [.string("Eva"), .int(30), .int(2)])
        #expect(Set(two.mine.changedValues().keys) == ["name", "salary", "friends"])
        #expect(try two.mine.committedValues()["salary"] == .int(1))
        #expect(try two.mine.objects("friends") == [friend] && friend.objects("friends") == [two.mine])
        #expect(two.context.insertedObjects.count == 1 && two.context.brokenInvariants() == [])
        stack.notes.heal()
        try two.context.save()
        let saved = try stack.makeContext().existingObject(with: two.mine.objectID)
        #expect(try !two.context.hasChanges && Two.values(saved) == Two.values(two.mine))
        try MergeCases.clear(stack)
      }
    },
    StackCase("a delete that a refused save had taken back is pending again") { (stack: PersonStack) throws in
      for policy in [MergePolicy.storeTrump, .objectTrump] {
        let two = try Two(stack, policy)
        let pet = try stack.named("Pet", "Rex", in: two.other)
        try pet.set("owner", to: two.theirs)
        try two.other.save()
        two.context.refresh(two.mine, mergeChanges: false)
        let rex = try two.mine.objects("pets")[0]
        _ = try two.mine.value("name")
        try two.theirs.set("salary", to: 3)
        try two.other.save()
        two.context.delete(two.mine)
        try two.context.insert("Note").set("text", to: "new")
        stack.notes.fail(.prepare)
        #expect(throws: SaveError.self) { try two.context.save() }
        #expect(two.mine.isDeleted && rex.isDeleted && two.context.deletedObjects.count == 2)
        #expect(two.context.brokenInvariants() == [])
        stack.notes.heal()
        try two.context.save()
        #expect(try stack.saved("Pet").count == (policy.letsStoreWin ? 1 : 0))
        try MergeCases.clear(stack)
      }
    },
  ]

  private static let partialRevivals: [StackCase<PersonStack>] = [
    StackCase("a delete that is taken back does not bring back a child that was deleted for its own sake") {
      (stack: PersonStack) throws in
      for isChildFirst in [true, false] {
        let two = try Two(stack, .storeTrump)
        for name in ["Rex", "Tom"] {
          try stack.named("Pet", name, in: two.other).set("owner", to: two.theirs)
        }
        try two.other.save()
        two.context.refresh(two.mine, mergeChanges: false)
        _ = try two.mine.value("name")
        let rex = try #require(try two.mine.objects("pets").first { try $0.value("name") == .string("Rex") })
        try two.theirs.set("salary", to: 3)
        try two.other.save()
        if isChildFirst { two.context.delete(rex) }
        two.context.delete(two.mine)
        try two.context.processPendingChanges()
        if !isChildFirst { two.context.delete(rex) }
        try two.context.save()
        #expect(try stack.saved("Person").count == 1)
        #expect(try stack.saved("Pet").map { try $0.value("name") } == [.string("Tom")])
        #expect(try two.mine.objects("pets").map { try $0.value("name") } == [.string("Tom")])
        #expect(two.context.brokenInvariants() == [])
        try MergeCases.clear(stack)
      }
    },
    StackCase("a child that others changed brings the owner back whose deletion took it along") {
      (stack: PersonStack) throws in
      let two = try Two(stack, .storeTrump)
      let pets = try ["Rex", "Tom"].map { try stack.named("Pet", $0, in: two.other) }
      for pet in pets { try pet.set("owner", to: two.theirs) }
      try two.other.save()
      two.context.refresh(two.mine, mergeChanges: false)
      #expect(try two.mine.objects("pets").map { try $0.value("name") }.count == 2)
      try pets[1].set("name", to: "Tim")
      try two.other.save()
      two.context.delete(two.mine)
      try two.context.save()
      #expect(!two.context.hasChanges && !two.mine.isDeleted)
      #expect(try stack.saved("Pet").map { try $0.value("name") } == [.string("Rex"), .string("Tim")])
      let owners = try stack.saved("Pet").map { try $0.object("owner")?.objectID }
      #expect(owners == [two.mine.objectID, two.mine.objectID])
    },
  ]
}
