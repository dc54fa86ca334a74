internal import FederatedModel
internal import FederatedRuntime
internal import Testing

/// What a save does about objects that would have the same unique values.
public enum UpsertCases {
  public static var all: [StackCase<ClubStack>] {
    self.refusing + self.upserting + self.dropping + self.refused + self.others
  }

  static func conflicts(_ body: () throws -> Void) -> [ConstraintConflict] {
    let error = #expect(throws: SaveError.self, performing: body)
    guard case .constraintConflicts(let conflicts)? = error else {
      Issue.record("\(String(describing: error))")
      return []
    }
    #expect(error?.legacyCode == 133021)
    return conflicts
  }

  static let refusing: [StackCase<ClubStack>] = [
    StackCase("MG-16 a duplicate of a row is refused with the row and its values") {
      (stack: ClubStack) throws in
      let old = try stack.club("a", "Old")
      try stack.context.save()
      let context = stack.makeContext()
      let new = try stack.club("a", "New", in: context)
      let conflicts = UpsertCases.conflicts { try context.save() }
      #expect(conflicts.count == 1 && conflicts[0].objects == [new.objectID] && new.objectID.isTemporary)
      #expect(conflicts[0].databaseObject == old.objectID && conflicts[0].reason == .policy)
      #expect(conflicts[0].databaseSnapshot?["name"] == .string("Old"))
      #expect(conflicts[0].attributes == ["code"] && conflicts[0].values == [.string("a")])
      #expect(conflicts[0].entity == "Club" && conflicts[0].store == "S")
      #expect(conflicts[0].description.contains("code \"a\""), "\(conflicts[0])")
      #expect(context.hasChanges && new.isInserted)
      try new.set("code", to: "b")
      try context.save()
      #expect(try stack.savedNames() == [.string("New"), .string("Old")])
    },
    StackCase("A12.4 several objects of one context conflict without a row") { (stack: ClubStack) throws in
      let clubs = try ["One", "Two", "Three"].map { try stack.club("a", $0) }
      try stack.club(nil, "Free")
      try stack.club(nil, "Free")
      let conflicts = UpsertCases.conflicts { try stack.context.save() }
      #expect(conflicts.count == 1 && conflicts[0].databaseObject == nil)
      #expect(conflicts.first?.objects == clubs.map(\.objectID))
      #expect(try stack.saved().isEmpty)
    },
    StackCase("MG-20 a constraint that a subentity extends is reported once") { (stack: ClubStack) throws in
      for name in ["One", "Two"] {
        try stack.club("a", name, as: "Branch").set("level", to: 1)
      }
      let conflicts = UpsertCases.conflicts { try stack.context.save() }
      #expect(conflicts.map(\.entity) == ["Club"] && conflicts.map(\.attributes) == [["code"]])
    },
    StackCase("A12.1 a subentity's constraint binds its own rows, not those of its parent") {
      (stack: ClubStack) throws in
      for entity in ["Place", "Place", "Chapel"] { try stack.named(entity, "Here") }
      try stack.context.save()
      try stack.named("Chapel", "Here")
      #expect(UpsertCases.conflicts { try stack.context.save() }.map(\.entity) == ["Chapel"])
    },
    StackCase("MG-21 a version conflict is told before a constraint conflict") { (stack: ClubStack) throws in
      let one = try stack.club("a", "One")
      let two = try stack.club("b", "Two")
      try stack.context.save()
      let context = stack.makeContext()
      let mine = try context.existingObject(with: one.objectID)
      try mine.set("name", to: "Mine")
      try one.set("name", to: "Theirs")
      try stack.context.save()
      let new = try stack.club("b", "New", in: context)
      let error = #expect(throws: SaveError.self) { try context.save() }
      guard case .conflicts(let conflicts)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(conflicts.map(\.object) == [one.objectID])
      context.mergePolicy = .objectTrump
      try context.save()
      #expect(try stack.savedNames() == [.string("Mine"), .string("New")])
      #expect(new.objectID == two.objectID)
    },
  ]

  static let others: [StackCase<ClubStack>] = [
    StackCase("a custom policy says what holds for unique values") { (stack: ClubStack) throws in
      try stack.club("a", "Old")
      try stack.context.save()
      let context = stack.makeContext(.custom { try $0.resolution(by: .objectTrump) })
      try stack.club("a", "New", in: context)
      #expect(UpsertCases.conflicts { try context.save() }.count == 1)
      context.mergePolicy = .custom(constraints: .objectTrump) { try $0.resolution(by: .error) }
      try context.save()
      #expect(try stack.savedNames() == [.string("New")])
    },
    StackCase("two saved rows are never made one") { (stack: ClubStack) throws in
      for (code, name) in [("a", "One"), ("b", "Two")] { try stack.club(code, name) }
      try stack.context.save()
      for policy in [MergePolicy.objectTrump, .overwrite] {
        let context = stack.makeContext(policy)
        let two = try context.fetch(FetchRequest("Club", order: [.ascending("name")]))[1]
        try two.set("code", to: "a")
        #expect(UpsertCases.conflicts { try context.save() }.map(\.reason) == [.savedRows])
      }
      for (policy, name) in [(MergePolicy.storeTrump, "Changed"), (.rollback, "Two")] {
        let context = stack.makeContext(policy)
        let two = try context.fetch(FetchRequest("Club", order: [.ascending("name")])).last
        try two?.set("code", to: "a")
        try two?.set("name", to: "Changed")
        try context.save()
        #expect(try two?.value("code") == .string("b") && two?.value("name") == .string(name))
        try two?.set("name", to: "Two")
        try context.save()
      }
      #expect(try stack.savedNames() == [.string("One"), .string("Two")])
    },
    StackCase("a new object of another entity does not become the row") { (stack: ClubStack) throws in
      try stack.club("a", "Old")
      try stack.context.save()
      let context = stack.makeContext(.objectTrump)
      let branch = try stack.club("a", "New", as: "Branch", in: context)
      #expect(UpsertCases.conflicts { try context.save() }.map(\.reason) == [.otherEntity])
      context.mergePolicy = .storeTrump
      try context.save()
      #expect(try branch.context == nil && stack.savedNames() == [.string("Old")])
    },
  ]
}
