internal import FederatedModel
internal import FederatedRuntime
internal import Testing

extension MergeCases {
  static let links: [StackCase<PersonStack>] = [
    StackCase("A10.7 store trump moves both ends of a to-one back") { (stack: PersonStack) throws in
      let two = try Two(stack, .storeTrump)
      let (red, blue) = (try stack.named("Team", "Red"), try stack.named("Team", "Blue"))
      try stack.context.save()
      let teams = try [red, blue].map { try two.context.existingObject(with: $0.objectID) }
      for team in teams { #expect(try team.objects("members").isEmpty) }
      try two.mine.set("team", to: teams[0])
      #expect(try teams[0].objects("members") == [two.mine])
      try two.theirs.set("team", to: try two.other.existingObject(with: blue.objectID))
      try two.other.save()
      try two.context.save()
      #expect(try two.mine.object("team") === teams[1])
      #expect(try teams[0].objects("members").isEmpty && teams[1].objects("members") == [two.mine])
      #expect(try stack.saved("Team").map { try $0.objects("members").count } == [1, 0])
    },
    StackCase("A10.7 object trump keeps a to-one, and the other ends follow") { (stack: PersonStack) throws in
      let two = try Two(stack, .objectTrump)
      let badges = try ["A", "B", "C"].map { try stack.named("Badge", $0) }
      try stack.context.existingObject(with: two.mine.objectID).set("badge", to: badges[0])
      try stack.context.save()
      two.context.refreshAll()
      two.other.refreshAll()
      let mine = try badges.map { try two.context.existingObject(with: $0.objectID) }
      #expect(try two.mine.object("badge") === mine[0])
      try two.mine.set("badge", to: mine[1])
      try two.theirs.set("badge", to: try two.other.existingObject(with: badges[2].objectID))
      try two.other.save()
      try two.context.save()
      #expect(try two.mine.object("badge") === mine[1])
      #expect(try mine.map { try $0.object("person") } == [nil, two.mine, nil])
      let saved = try stack.saved("Badge").map { try $0.object("person")?.objectID }
      #expect(saved == [nil, two.mine.objectID, nil])
    },
    StackCase("A10.7 overwrite takes back a one-to-one that others gave away, at every end") {
      (stack: PersonStack) throws in
      let two = try Two(stack, .overwrite)
      let (badge, bob) = (try stack.named("Badge", "A"), try stack.person("Bob"))
      try stack.context.existingObject(with: two.mine.objectID).set("badge", to: badge)
      try stack.context.save()
      two.context.refreshAll()
      two.other.refreshAll()
      try two.mine.set("salary", to: 5)
      try two.other.existingObject(with: bob.objectID).set(
        "badge", to: try two.other.existingObject(with: badge.objectID))
      try two.other.save()
      try two.context.save()
      let saved = stack.makeContext()
      #expect(try saved.existingObject(with: badge.objectID).object("person")?.objectID == two.mine.objectID)
      #expect(
        try saved.existingObject(with: two.mine.objectID).object("badge")?.objectID == badge.objectID)
      #expect(try saved.existingObject(with: bob.objectID).object("badge") == nil)
    },
    StackCase("MG-06 a rollback gives a one-to-one back that was taken from the row, at every end") {
      (stack: PersonStack) throws in
      let two = try Two(stack, .rollback)
      let (badge, bob) = (try stack.named("Badge", "A"), try stack.person("Bob"))
      try stack.context.existingObject(with: two.mine.objectID).set("badge", to: badge)
      try stack.context.save()
      two.context.refreshAll()
      two.other.refreshAll()
      try two.context.existingObject(with: bob.objectID).set(
        "badge", to: try two.context.existingObject(with: badge.objectID))
      #expect(try two.mine.object("badge") == nil)
      try two.theirs.set("salary", to: 5)
      try two.other.save()
      try two.context.save()
      let saved = stack.makeContext()
      #expect(try saved.existingObject(with: badge.objectID).object("person")?.objectID == two.mine.objectID)
      #expect(
        try saved.existingObject(with: two.mine.objectID).object("badge")?.objectID == badge.objectID)
      #expect(try saved.existingObject(with: bob.objectID).object("badge") == nil)
    },
    StackCase("RE-22 what two contexts add to and remove from a many-to-many is added and removed") {
      (stack: PersonStack) throws in
      let two = try Two(stack, .storeTrump)
      let friends = try ["Bob", "Cyd", "Dan"].map { try stack.person($0) }
      let ada = try stack.context.existingObject(with: two.mine.objectID)
      try ada.set("friends", to: [friends[0]])
      try stack.context.save()
      two.context.refreshAll()
      two.other.refreshAll()
      #expect(try two.mine.objects("friends").count == 1)
      try two.theirs.add(try two.other.existingObject(with: friends[1].objectID), to: "friends")
      try two.theirs.remove(try two.other.existingObject(with: friends[0].objectID), from: "friends")
      try two.mine.add(try two.context.existingObject(with: friends[2].objectID), to: "friends")
      try two.edit()
      try two.context.save()
      let expected = Set(friends[1...].map(\.objectID))
      #expect(Set(try two.mine.objectIDs(forRelationshipNamed: "friends")) == expected)
      let saved = try stack.makeContext().existingObject(with: two.mine.objectID)
      #expect(Set(try saved.objectIDs(forRelationshipNamed: "friends")) == expected)
    },
    StackCase("MG-06 a rollback takes many-to-many edits of the row back, at both ends") {
      (stack: PersonStack) throws in
      let two = try Two(stack, .rollback)
      let bob = try stack.person("Bob")
      try stack.context.save()
      let friend = try two.context.existingObject(with: bob.objectID)
      try two.mine.add(friend, to: "friends")
      try two.edit()
      try two.context.save()
      #expect(try two.mine.objects("friends").isEmpty && friend.objects("friends").isEmpty)
      #expect(try stack.saved("Person")[0].objects("friends").isEmpty)
    },
  ]

  static let custom: [StackCase<PersonStack>] = [
    StackCase("MG-14 a custom policy sees attributes and to-one links, and refines a built-in one") {
      (stack: PersonStack) throws in
      let team = try stack.named("Team", "Red")
      try stack.context.save()
      let teamID = team.objectID
      let two = try Two(
        stack,
        .custom { conflict in
          let keys = conflict.objectSnapshot.keys
          #expect(keys.contains("team") && !keys.contains("friends") && !keys.contains("pets"))
          #expect(conflict.objectSnapshot["team"] == .null)
          #expect(conflict.storedSnapshot?["team"] == .object(teamID))
          #expect(conflict.values["name"] == .string("Eva") && conflict.change == .update)
          var resolution = try conflict.resolution(by: .objectTrump)
          #expect(resolution.values["salary"] == .int(2))
          resolution.values["salary"] = .int(5)
          return resolution
        })
      try two.theirs.set("team", to: try two.other.existingObject(with: teamID))
      try two.edit()
      try two.context.save()
      #expect(try two.stored() == [.string("Eva"), .int(31), .int(5)])
      #expect(try two.mine.object("team")?.objectID == teamID)
    },
    StackCase("a custom policy that throws, or answers what does not fit, changes nothing") {
      (stack: PersonStack) throws in
      struct No: Error {}
      for policy in [
        MergePolicy.custom { _ in throw No() },
        .custom { _ in MergeResolution(values: ["age": .string("old")]) },
        .custom { _ in MergeResolution(values: ["nope": .null]) },
      ] {
        let two = try Two(stack, policy)
        try two.edit()
        #expect(throws: (any Error).self) { try two.context.save() }
        #expect(try Two.values(two.mine) == [.string("Eva"), .int(30), .int(2)])
        stack.context.refreshAll()
        stack.context.delete(try stack.context.existingObject(with: two.mine.objectID))
        try stack.context.save()
      }
    },
    StackCase("a custom policy may delete the row") { (stack: PersonStack) throws in
      let two = try Two(stack, .custom { _ in .deleted })
      try two.edit()
      try two.context.save()
      #expect(try two.stored() == nil && two.mine.context == nil)
    },
  ]
}
