internal import FederatedModel
internal import FederatedRuntime
internal import Testing

extension UpsertCases {
  /// A saved club "a" with a member, a board, a tag, a place and a seal.
  private static func old(_ stack: ClubStack) throws -> ManagedObject {
    let old = try stack.club("a", "Old")
    try old.set("size", to: 100)
    let member = try stack.named("Member", "Old member")
    try member.set("club", to: old)
    try old.set("board", to: [member])
    try old.add(try stack.named("Tag", "Old tag"), to: "tags")
    try old.set("place", to: try stack.named("Place", "Old place"))
    try old.set("seal", to: try stack.named("Seal", "Old seal"))
    try stack.context.save()
    return old
  }

  /// A new club "a" with a member, a board, a tag and a seal, but no place; and one who likes it.
  private static func new(_ stack: ClubStack, in context: ManagedObjectContext) throws -> ManagedObject {
    let new = try stack.club("a", "New", in: context)
    let member = try stack.named("Member", "New member", in: context)
    try member.set("club", to: new)
    try member.set("favourite", to: new)
    try new.set("board", to: [member])
    try new.add(try stack.named("Tag", "New tag", in: context), to: "tags")
    try new.set("seal", to: try stack.named("Seal", "New seal", in: context))
    return new
  }

  private static func names(_ club: ManagedObject, _ key: String) throws -> Set<Value> {
    Set(try club.objects(key).map { try $0.value("name") })
  }

  private static func names(_ stack: ClubStack, code: String) throws -> [Value] {
    let request = FetchRequest("Club", where: try FetchPredicate(format: "code == %@", code))
    return try stack.makeContext().fetch(request).map { try $0.value("name") }
  }

  /// The one saved club, checked at both ends of every link.
  private static func check(
    _ stack: ClubStack, _ id: ManagedObjectID, name: String, size: Int64, seal: String
  ) throws {
    let clubs = try stack.saved()
    #expect(clubs.map(\.objectID) == [id])
    guard let club = clubs.first, let context = club.context else { return }
    #expect(try club.value("name") == .string(name) && club.value("size") == .int(size))
    #expect(try UpsertCases.names(club, "members") == [.string("New member"), .string("Old member")])
    #expect(try UpsertCases.names(club, "board") == [.string("New member"), .string("Old member")])
    #expect(try UpsertCases.names(club, "tags") == [.string("New tag"), .string("Old tag")])
    #expect(try club.object("place")?.value("name") == .string("Old place"))
    #expect(try club.object("seal")?.value("name") == .string(seal))
    let members = try context.fetch(FetchRequest("Member", order: [.ascending("name")]))
    #expect(try members.map { try $0.object("club") } == [club, club])
    #expect(try members.map { try $0.objects("boards") } == [[club], [club]])
    #expect(try members.map { try $0.object("favourite") } == [club, nil])
    let tags = try context.fetch(FetchRequest("Tag"))
    #expect(try tags.map { try $0.objects("clubs") } == [[club], [club]])
    let seals = try context.fetch(FetchRequest("Seal", order: [.ascending("name")]))
    #expect(try seals.map { try $0.object("club") } == (seal == "New seal" ? [club, nil] : [nil, club]))
  }

  static let upserting: [StackCase<ClubStack>] =
    [("object trump", MergePolicy.objectTrump), ("overwrite", .overwrite)].flatMap { name, policy in
      [
        StackCase("MG-17, MG-22 \(name): a new object becomes the row that has its unique values") {
          (stack: ClubStack) throws in
          let id = try UpsertCases.old(stack).objectID
          let context = stack.makeContext(policy)
          let new = try UpsertCases.new(stack, in: context)
          let member = try new.objects("members")[0]
          try context.save()
          #expect(new.objectID == id && context.registeredObject(for: id) === new)
          #expect(try !context.hasChanges && new.value("name") == .string("New"))
          #expect(try UpsertCases.names(new, "members") == [.string("New member"), .string("Old member")])
          #expect(try member.object("club") === new && member.object("favourite") === new)
          #expect(try new.object("place")?.value("name") == .string("Old place"))
          try UpsertCases.check(stack, id, name: "New", size: 7, seal: "New seal")
          try new.set("name", to: "Newer")
          try context.save()
          #expect(try stack.savedNames() == [.string("Newer")])
        },
        StackCase("MG-17, MG-22 \(name): the context has an object of the row already") {
          (stack: ClubStack) throws in
          let id = try UpsertCases.old(stack).objectID
          let context = stack.makeContext(policy)
          let old = try context.existingObject(with: id)
          #expect(try old.objects("members").count == 1)
          let new = try UpsertCases.new(stack, in: context)
          let member = try new.objects("members")[0]
          try context.save()
          #expect(new.objectID == id && new.context == nil && context.registeredObject(for: id) === old)
          #expect(try !context.hasChanges && old.value("name") == .string("New"))
          #expect(try UpsertCases.names(old, "members") == [.string("New member"), .string("Old member")])
          #expect(try member.object("club") === old && member.object("favourite") === old)
          try UpsertCases.check(stack, id, name: "New", size: 7, seal: "New seal")
        },
      ]
    } + [
      StackCase("A12.6 many new objects with one another's values are saved as if one after the other") {
        (stack: ClubStack) throws in
        try stack.club("a", "Old")
        try stack.context.save()
        for (policy, kept) in [(MergePolicy.objectTrump, "last"), (.storeTrump, "first")] {
          let context = stack.makeContext(policy)
          for number in 0..<3 {
            let name = number == 2 ? "last" : number == 0 ? "first" : "middle"
            try stack.club("a", name, in: context)
            try stack.club("\(kept) b", name, in: context)
          }
          try context.save()
          #expect(try UpsertCases.names(stack, code: "\(kept) b") == [.string(kept)])
        }
        #expect(try UpsertCases.names(stack, code: "a") == [.string("last")])
      }
    ]

  static let refused: [StackCase<ClubStack>] = [MergePolicy.objectTrump, .storeTrump].flatMap { policy in
    [false, true].map { isKnown in
      StackCase(
        "MG-22 \(policy), row \(isKnown ? "known" : "unknown"): a save that a store refuses leaves the new object new"
      ) {
        (stack: ClubStack) throws in
        let id = try UpsertCases.old(stack).objectID
        let context = stack.makeContext(policy)
        let old = isKnown ? try context.existingObject(with: id) : nil
        let new = try UpsertCases.new(stack, in: context)
        let temporary = new.objectID
        let member = try new.objects("members")[0]
        let store = try #require(stack.coordinator.stores[0] as? SpyStore)
        store.fail(.commit)
        #expect(throws: SaveError.self) { try context.save() }
        store.heal()
        #expect(
          new.isInserted && new.objectID == temporary && context.registeredObject(for: temporary) === new)
        #expect(context.registeredObject(for: id) === old && context.insertedObjects.count == 4)
        #expect(try member.object("club") === new && new.objects("members") == [member])
        #expect(context.brokenInvariants() == [])
        try context.save()
        let wins = policy.letsStoreWin
        try UpsertCases.check(
          stack, id, name: wins ? "Old" : "New", size: wins ? 100 : 7, seal: wins ? "Old seal" : "New seal")
      }
    }
  }

  static let dropping: [StackCase<ClubStack>] = [MergePolicy.storeTrump, .rollback].flatMap { policy in
    [false, true].map { isKnown in
      StackCase(
        "MG-18, MG-22 \(policy), row \(isKnown ? "known" : "unknown"): the row stays, the new object goes"
      ) {
        (stack: ClubStack) throws in
        let id = try UpsertCases.old(stack).objectID
        let context = stack.makeContext(policy)
        let old = isKnown ? try context.existingObject(with: id) : nil
        let new = try UpsertCases.new(stack, in: context)
        let member = try new.objects("members")[0]
        try context.save()
        #expect(new.context == nil && new.objectID == id && !context.hasChanges)
        let kept = try old ?? context.existingObject(with: id)
        #expect(try member.object("club") === kept && member.object("favourite") === kept)
        try UpsertCases.check(stack, id, name: "Old", size: 100, seal: "Old seal")
      }
    }
  }
}
