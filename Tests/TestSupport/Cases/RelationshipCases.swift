internal import FederatedModel
internal import FederatedRuntime
internal import FederatedStore
internal import Testing

/// The RE cases: links and their inverses, deletion, and saving of both.
public enum RelationshipCases {
  public static let upkeep: [StackCase<PersonStack>] = [
    StackCase("RE-02 adding sets the other side, removing clears it") { (stack: PersonStack) throws in
      let (team, person) = (try stack.named("Team", "Reds"), try stack.person("Ada"))
      try team.add(person, to: "members")
      #expect(try person.object("team") === team)
      try team.remove(person, from: "members")
      #expect(try person.object("team") == nil)
    },
    StackCase("RE-03 pointing elsewhere moves the member") { (stack: PersonStack) throws in
      let (one, two) = (try stack.named("Team", "Reds"), try stack.named("Team", "Blues"))
      let person = try stack.person("Ada")
      try person.set("team", to: one)
      try stack.context.save()
      try person.set("team", to: two)
      #expect(try one.objects("members").isEmpty)
      #expect(try two.objects("members") == [person])
      #expect(one.isUpdated && two.isUpdated)
      try stack.context.save()
      let teams = try stack.saved("Team")
      #expect(try teams[0].objects("members").texts("name") == ["Ada"])
      #expect(try teams[1].objects("members").isEmpty)
    },
    StackCase("RE-04 a one-to-one can be stolen") { (stack: PersonStack) throws in
      let (one, two) = (try stack.person("Ada"), try stack.person("Bob"))
      let badge = try stack.named("Badge", "7")
      try one.set("badge", to: badge)
      try two.set("badge", to: badge)
      #expect(try one.object("badge") == nil)
      #expect(try badge.object("person") === two)
      let other = try stack.named("Badge", "8")
      try two.set("badge", to: other)
      #expect(try badge.object("person") == nil)
      try other.set("person", to: one)
      #expect(try two.object("badge") == nil && one.object("badge") === other)
    },
    StackCase("A8.5 a many-to-many with itself is symmetric") { (stack: PersonStack) throws in
      let (one, two) = (try stack.person("Ada"), try stack.person("Bob"))
      try one.add(two, to: "friends")
      #expect(try two.objects("friends") == [one])
      try stack.context.save()
      let people = try stack.saved("Person")
      #expect(try people[0].objects("friends").texts("name") == ["Bob"])
      #expect(try people[1].objects("friends").texts("name") == ["Ada"])
      try two.remove(one, from: "friends")
      #expect(try one.objects("friends").isEmpty)
      try stack.context.save()
      #expect(try stack.saved("Person")[0].objects("friends").isEmpty)
    },
    StackCase("RE-06 an ordered list keeps its order over a save") { (stack: PersonStack) throws in
      let team = try stack.named("Team", "Reds")
      let people = try ["A", "B", "C", "D"].map { try stack.person($0) }
      for person in people { try team.add(person, to: "lineup") }
      try team.insert(people[3], into: "lineup", at: 0)
      try team.remove(people[1], from: "lineup")
      #expect(try team.objects("lineup").texts("name") == ["D", "A", "C"])
      try stack.context.save()
      #expect(try stack.saved("Team")[0].objects("lineup").texts("name") == ["D", "A", "C"])
      try team.insert(people[2], into: "lineup", at: 1)
      #expect(try team.objects("lineup").count == 3)
      try stack.context.save()
      #expect(try stack.saved("Team")[0].objects("lineup").texts("name") == ["D", "C", "A"])
      #expect(try people[0].objects("lineups") == [team])
      #expect(try people[1].objects("lineups").isEmpty)
    },
    StackCase("RE-07 setting the other side of an ordered list appends") { (stack: PersonStack) throws in
      let team = try stack.named("Team", "Reds")
      let people = try ["A", "B", "C"].map { try stack.person($0) }
      try people[0].set("queueing", to: team)
      try people[1].set("queueing", to: team)
      try stack.context.save()
      let context = stack.makeContext()
      let mine = try stack.saved("Team", in: context)[0]
      let c = context.object(with: people[2].objectID)
      try c.set("queueing", to: mine)
      #expect(try mine.objects("queue").texts("name") == ["A", "B", "C"])
      try context.object(with: people[0].objectID).set("queueing", to: nil)
      try context.object(with: people[0].objectID).set("queueing", to: mine)
      #expect(try mine.objects("queue").texts("name") == ["B", "C", "A"])
      try context.save()
      #expect(try stack.saved("Team")[0].objects("queue").texts("name") == ["B", "C", "A"])
    },
    StackCase("RE-08 assigning a whole list applies the difference") { (stack: PersonStack) throws in
      let team = try stack.named("Team", "Reds")
      let people = try ["A", "B", "C"].map { try stack.person($0) }
      try team.set("members", to: [people[0], people[1]])
      try team.set("members", to: [people[1], people[2]])
      #expect(try people[0].object("team") == nil && people[2].object("team") === team)
      #expect(Set(try team.objects("members")) == [people[1], people[2]])
    },
    StackCase("A8.9 upkeep of a list that was not read asks no store") { (stack: PersonStack) throws in
      let team = try stack.named("Team", "Reds")
      let people = try ["A", "B"].map { try stack.person($0) }
      try people[0].set("team", to: team)
      try stack.context.save()
      let context = stack.makeContext()
      let mine = try stack.saved("Team", in: context)[0]
      let b = try context.existingObject(with: people[1].objectID)
      stack.forgetCalls()
      try b.set("team", to: mine)
      #expect(stack.asked == 0)
      #expect(try mine.hasFault(forRelationshipNamed: "members"))
      #expect(Set(try mine.objects("members").texts("name")) == ["A", "B"])
      #expect(stack.people.calls.related.count == 1)
      #expect(try mine.objects("members").count == 2)
      #expect(stack.people.calls.related.count == 1)
    },
    StackCase("RE-16 a subentity may be a member, and comes back as what it is") {
      (stack: PersonStack) throws in
      let team = try stack.named("Team", "Reds")
      let boss = try stack.named("Manager", "Zoe")
      try boss.set("level", to: 3)
      try team.add(boss, to: "members")
      try stack.context.save()
      let member = try stack.saved("Team")[0].objects("members")[0]
      #expect(member.entity.name == "Manager")
      #expect(try member.value("level") == .int(3))
    },
    StackCase("RE-18 a relationship without inverse changes one side only") { (stack: PersonStack) throws in
      let (team, person) = (try stack.named("Team", "Reds"), try stack.person("Ada"))
      try stack.context.save()
      try person.set("favourite", to: team)
      #expect(!team.hasChanges)
      try stack.context.save()
      #expect(try stack.saved("Person")[0].object("favourite")?.value("name") == .string("Reds"))
    },
    StackCase("A7.6 an object is deleted in the save that leads a link without inverse to it") {
      (stack: PersonStack) throws in
      let (team, person) = (try stack.named("Team", "Reds"), try stack.person("Ada"))
      try stack.context.save()
      try person.set("favourite", to: team)
      stack.context.delete(team)
      try stack.context.save()
      #expect(try stack.saved("Team").isEmpty && stack.saved("Person").count == 1)
    },
    StackCase("A7.6 a link without inverse to an insert that was taken back reads nil") {
      (stack: PersonStack) throws in
      let (team, person) = (try stack.named("Team", "Reds"), try stack.person("Ada"))
      try person.set("favourite", to: team)
      stack.context.delete(team)
      try stack.context.save()
      #expect(try person.object("favourite") == nil)
    },
    StackCase("RE-19, RE-20 identifiers without firing, and whether a read would fire") {
      (stack: PersonStack) throws in
      let (team, person) = (try stack.named("Team", "Reds"), try stack.person("Ada"))
      try person.set("team", to: team)
      try stack.context.save()
      let context = stack.makeContext()
      let mine = try stack.saved("Team", in: context)[0]
      stack.forgetCalls()
      #expect(try mine.hasFault(forRelationshipNamed: "members"))
      #expect(stack.asked == 0)
      #expect(try mine.objectIDs(forRelationshipNamed: "members") == [person.objectID])
      #expect(stack.people.calls.queries.isEmpty)
      #expect(try !mine.hasFault(forRelationshipNamed: "members"))
      let loner = try stack.named("Team", "Empty")
      #expect(try loner.objectIDs(forRelationshipNamed: "members").isEmpty)
      #expect(try person.objectIDs(forRelationshipNamed: "favourite").isEmpty)
    },
    StackCase("PS-54 objects of two contexts are not linked, and nothing changes") {
      (stack: PersonStack) throws in
      let person = try stack.person("Ada")
      let stranger = try stack.named("Team", "Reds", in: stack.makeContext())
      let error = #expect(throws: ManagedObjectError.self) { try person.set("team", to: stranger) }
      #expect(error?.code == .differentContext)
      #expect(try person.object("team") == nil)
      #expect(try stranger.objects("members").isEmpty)
    },
  ]

  public static let deletion: [StackCase<PersonStack>] = [
    StackCase("RE-10 a cascade deletes what belongs to it, saved or not") { (stack: PersonStack) throws in
      let person = try stack.person("Ada")
      try stack.named("Pet", "Rex").set("owner", to: person)
      try stack.context.save()
      try stack.named("Pet", "Tom").set("owner", to: person)
      stack.context.delete(person)
      try stack.context.save()
      #expect(try stack.saved("Pet").isEmpty && stack.saved("Person").isEmpty)
    },
    StackCase("RE-11 a cascade that leads back ends") { (stack: PersonStack) throws in
      let person = try stack.person("Ada").recording
      let badge = try stack.named("Badge", "7")
      try person.set("badge", to: badge)
      try stack.context.save()
      stack.context.delete(person)
      try stack.context.save()
      #expect(person.deletions == 1)
      #expect(try stack.saved("Badge").isEmpty && stack.saved("Person").isEmpty)
    },
    StackCase("RE-12 nullify clears the other side, also one that was not read") {
      (stack: PersonStack) throws in
      let team = try stack.named("Team", "Reds")
      for name in ["A", "B"] { try stack.person(name).set("team", to: team) }
      try stack.context.save()
      let context = stack.makeContext()
      context.delete(try stack.saved("Team", in: context)[0])
      try context.save()
      #expect(try stack.saved("Person").map { try $0.value("team") } == [.null, .null])
    },
    StackCase("RE-14, VA-15, A7.3 deny refuses the save until the last destination goes too") {
      (stack: PersonStack) throws in
      let (team, person) = (try stack.named("Team", "Reds"), try stack.person("Ada"))
      let desk = try stack.named("Desk", "1")
      try desk.set("team", to: team)
      try person.set("team", to: team)
      try stack.context.save()
      stack.forgetCalls()
      stack.context.delete(team)
      guard
        case .invalid(let breaches)? = #expect(
          throws: SaveError.self, performing: { try stack.context.save() })
      else { return }
      #expect(breaches.map(\.rule) == [.deniedDelete])
      #expect(breaches[0].rule.legacyCode == 1600)
      #expect(stack.people.calls.prepared.isEmpty)
      #expect(team.isDeleted && stack.context.hasChanges)
      stack.context.delete(desk)
      try stack.context.save()
      #expect(try stack.saved("Team").isEmpty && stack.saved("Desk").isEmpty)
    },
    StackCase("RE-15 a child that gets another parent survives the old one") { (stack: PersonStack) throws in
      let (one, two) = (try stack.person("Ada"), try stack.person("Bob"))
      let pet = try stack.named("Pet", "Rex")
      try pet.set("owner", to: one)
      try stack.context.save()
      stack.context.delete(one)
      try pet.set("owner", to: two)
      try stack.context.save()
      #expect(try stack.saved("Pet")[0].object("owner")?.value("name") == .string("Bob"))
    },
    StackCase("A7.5 a nullified mandatory link makes its owner invalid") { (stack: PersonStack) throws in
      let desk = try stack.named("Desk", "1")
      guard
        case .invalid(let breaches)? = #expect(
          throws: SaveError.self, performing: { try stack.context.save() })
      else { return }
      #expect(breaches.map(\.property) == ["team"])
      #expect(breaches[0].object == desk.objectID && breaches[0].rule.legacyCode == 1570)
    },
    StackCase("A7.10 fetched properties take no part in deletion") { (stack: PersonStack) throws in
      let person = try stack.person("Ada")
      let note = try stack.context.insert("Note")
      try note.set("ownerKey", to: "Ada")
      try stack.context.save()
      _ = try person.fetched("notes")
      stack.context.delete(person)
      try stack.context.save()
      #expect(try stack.makeContext().count(for: FetchRequest("Note")) == 1)
    },
  ]

  public static let validation: [StackCase<PersonStack>] = [
    StackCase("VA-01, A11.3 every missing value, all at once") { (stack: PersonStack) throws in
      let one = try stack.context.insert("Person")
      let two = try stack.context.insert("Team")
      let error = #expect(throws: SaveError.self) { try stack.context.save() }
      guard case .invalid(let breaches)? = error else { return }
      #expect(Set(breaches.map(\.object)) == [one.objectID, two.objectID])
      #expect(breaches.allSatisfy { $0.property == "name" && $0.rule == .missingMandatoryValue })
      #expect(error?.legacyCode == 1560)
      #expect(one.isInserted && stack.people.calls.prepared.isEmpty)
    },
    StackCase("VA-03 bounds are inclusive") { (stack: PersonStack) throws in
      let person = try stack.person("Ada")
      for (age, rule) in [(151, ValidationError.Rule.valueTooLarge), (-1, .valueTooSmall)] {
        try person.set("age", to: age)
        guard
          case .invalid(let breaches)? = #expect(
            throws: SaveError.self, performing: { try stack.context.save() })
        else { return }
        #expect(breaches.map(\.rule) == [rule])
      }
      for age in [0, 150] {
        try person.set("age", to: age)
        try stack.context.save()
      }
    },
    StackCase("VA-11, VA-12 an invalid object keeps a valid one pending; put right, both are saved") {
      (stack: PersonStack) throws in
      let valid = try stack.person("Ada")
      try stack.context.save()
      try valid.set("age", to: 5)
      let invalid = try stack.context.insert("Person")
      #expect(throws: SaveError.self) { try stack.context.save() }
      #expect(valid.isUpdated && invalid.isInserted)
      try invalid.set("name", to: "Bob")
      try stack.context.save()
      #expect(try stack.saved("Person").count == 2)
    },
    StackCase("VA-19 objects of two stores fail in one error, and no store is touched") {
      (stack: PersonStack) throws in
      _ = try stack.context.insert("Person")
      _ = try stack.context.insert("Team")
      try stack.context.insert("Note").set("text", to: "fine")
      #expect(throws: SaveError.self) { try stack.context.save() }
      #expect(stack.people.calls.prepared.isEmpty && stack.notes.calls.prepared.isEmpty)
    },
  ]
}
