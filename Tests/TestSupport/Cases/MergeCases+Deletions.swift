internal import FederatedModel
internal import FederatedRuntime
internal import Testing

extension MergeCases {
  private static let policies: [(name: String, policy: MergePolicy, storeWins: Bool)] = [
    ("store trump", .storeTrump, true), ("rollback", .rollback, true),
    ("object trump", .objectTrump, false), ("overwrite", .overwrite, false),
  ]

  static let deletions: [StackCase<PersonStack>] =
    [
      StackCase("MG-09, MG-10 without a policy a delete on either side is a conflict") {
        (stack: PersonStack) throws in
        let two = try Two(stack, .error)
        try two.mine.set("salary", to: 2)
        two.other.delete(two.theirs)
        try two.other.save()
        let gone = MergeCases.conflicts { try two.context.save() }
        #expect(gone.map(\.newVersion) == [0] && gone[0].storedSnapshot == nil)
        #expect(gone[0].description.contains("was deleted by others; changed here: salary"))
        two.context.delete(two.mine)
        #expect(MergeCases.conflicts { try two.context.save() }.map(\.change) == [.delete])

        let again = try Two(stack, .error)
        try again.theirs.set("salary", to: 3)
        try again.other.save()
        again.context.delete(again.mine)
        let changed = MergeCases.conflicts { try again.context.save() }
        #expect(changed.map(\.change) == [.delete] && changed[0].storedSnapshot?["salary"] == .int(3))
        #expect(again.mine.isDeleted)
      }
    ]
    + MergeCases.policies.flatMap { name, policy, storeWins in
      [
        StackCase("MG-09 \(name): a row that others deleted, changed here") { (stack: PersonStack) throws in
          let two = try Two(stack, policy)
          let id = two.mine.objectID
          let team = try stack.named("Team", "Red", in: two.context)
          try two.mine.set("salary", to: 2)
          try two.mine.set("team", to: team)
          two.other.delete(two.theirs)
          try two.other.save()
          try two.context.save()
          #expect(!two.context.hasChanges)
          let expected: [Value]? = storeWins ? nil : [.string("Ada"), .int(30), .int(2)]
          #expect(try two.stored() == expected)
          let members = try stack.saved("Team")[0].objectIDs(forRelationshipNamed: "members")
          #expect(members == (storeWins ? [] : [id]))
          #expect(two.mine.isDeleted == storeWins)
          #expect(try team.objects("members") == (storeWins ? [] : [two.mine]))
          if !storeWins {
            try two.mine.set("salary", to: 5)
            try two.context.save()
            #expect(try two.stored()?.last == .int(5))
          }
        },
        StackCase("MG-10 \(name): a row that others changed, deleted here") { (stack: PersonStack) throws in
          let two = try Two(stack, policy)
          let pet = try stack.named("Pet", "Rex", in: two.other)
          let team = try stack.named("Team", "Red", in: two.other)
          try pet.set("owner", to: two.theirs)
          try two.theirs.set("team", to: team)
          try two.other.save()
          two.context.refresh(two.mine, mergeChanges: false)
          #expect(try two.mine.objects("pets").count == 1)
          let red = try #require(try two.mine.object("team"))
          #expect(try red.objects("members").count == 1)
          try two.theirs.set("salary", to: 3)
          try two.other.save()
          two.context.delete(two.mine)
          try two.context.processPendingChanges()
          #expect(two.context.deletedObjects.count == 2)
          try two.context.save()
          #expect(!two.context.hasChanges)
          let expected: [Value]? = storeWins ? [.string("Ada"), .int(30), .int(3)] : nil
          #expect(try two.stored() == expected)
          #expect(try stack.saved("Pet").count == (storeWins ? 1 : 0))
          let members = try stack.saved("Team")[0].objects("members")
          #expect(members.count == (storeWins ? 1 : 0))
          if storeWins {
            #expect(try !two.mine.isDeleted && Two.values(two.mine).last == .int(3))
            #expect(try two.mine.objects("pets").count == 1)
            #expect(try two.mine.object("team") === red)
            #expect(try red.objects("members") == [two.mine])
          } else {
            #expect(two.mine.context == nil)
            #expect(try red.objects("members").isEmpty)
          }
        },
        StackCase("\(name): a row that both deleted is gone") { (stack: PersonStack) throws in
          let two = try Two(stack, policy)
          two.other.delete(two.theirs)
          try two.other.save()
          two.context.delete(two.mine)
          try two.context.save()
          #expect(try !two.context.hasChanges && two.stored() == nil)
        },
      ]
    }
}
