internal import FederatedModel
internal import FederatedRuntime
internal import FederatedStore
internal import Foundation
internal import Testing

/// The VA cases: what a value, an object and a deletion must keep to be saved.
public enum ValidationCases {
  /// What an attribute is set to, and the rule that the save says it breaks; nil for none.
  private static let values: [(key: String, value: Value, rule: ValidationError.Rule?)] = [
    ("name", .string("A"), .stringTooShort), ("name", .string("Adalie"), .stringTooLong),
    ("name", .string("Al"), nil), ("name", .string("Alice"), nil), ("name", .null, .missingMandatoryValue),
    // Two UTF-16 units each: three of them are six, and two are four.
    ("name", .string("😀😀😀"), .stringTooLong), ("name", .string("😀😀"), nil),
    // An accent of its own is a unit of its own, whatever is seen.
    ("name", .string("e\u{301}e\u{301}e\u{301}"), .stringTooLong), ("name", .string("ééééé"), nil),
    ("code", .string("ab1"), .patternMismatch), ("code", .string("ab"), nil),
    ("code", .string("ab\n"), .patternMismatch), ("code", .string(""), .patternMismatch),
    ("age", .int(151), .valueTooLarge), ("age", .int(150), nil), ("age", .int(10), .conditionFailed),
    ("age", .null, nil),
    ("born", .date(Date(timeIntervalSinceReferenceDate: -1)), .dateTooEarly),
    ("born", .date(Date(timeIntervalSinceReferenceDate: 1001)), .dateTooLate),
    ("born", .date(Date(timeIntervalSinceReferenceDate: 0)), nil),
    ("born", .date(Date(timeIntervalSinceReferenceDate: .nan)), .invalidDate),
    ("page", .uri(""), .invalidURI), ("page", .uri("https://example.org/a"), nil),
    ("digest", .null, .missingMandatoryValue),
  ]

  private static let attributes: [StackCase<RuledStack>] = Self.values.map { (key, value, rule) in
    StackCase("VA-04, VA-05, VA-16, VA-20 \(key) = \(value): \(rule?.rawValue ?? "saved")") {
      (stack: RuledStack) throws in
      let member = try stack.member()
      try member.set(key, to: value)
      let breaches = try stack.breaches()
      #expect(breaches.map(\.rule) == [rule].compactMap(\.self))
      #expect(breaches.allSatisfy { $0.property == key && $0.object == member.objectID })
      if rule != nil { #expect(breaches.first?.value.isNull == value.isNull) }
      #expect(stack.store.calls.prepared.isEmpty == (rule != nil))
      #expect(member.isInserted == (rule != nil))
    }
  }

  public static let model: [StackCase<RuledStack>] = [
    StackCase("VA-07 a condition that fails says its predicate, its value and the model's message") {
      (stack: RuledStack) throws in
      let member = try stack.member()
      try member.set("age", to: 10)
      let error = #expect(throws: SaveError.self) { try stack.context.save() }
      guard case .invalid(let breaches)? = error, breaches.count == 1 else { return }
      #expect(error?.legacyCode == 1550)
      #expect(breaches[0].predicate == "SELF >= 18 OR guardian != nil")
      #expect(breaches[0].value == .int(10) && breaches[0].detail == "A minor needs a guardian.")
      try member.set("guardian", to: try stack.member("Bob"))
      try stack.context.save()
    },
    StackCase("VA-13 an update is checked in all its properties, changed or not") {
      (stack: RuledStack) throws in
      let (child, adult) = (try stack.member(), try stack.member("Bob"))
      try child.set("age", to: 10)
      try child.set("guardian", to: adult)
      try stack.context.save()
      try child.set("guardian", to: nil)
      #expect(try stack.breaches().map(\.property) == ["age"])
    },
    StackCase("VA-09 destinations are counted: too many, too few, none of an optional list") {
      (stack: RuledStack) throws in
      let team = try stack.context.insert("Team")
      let members = try ["Ab", "Bc", "Cd", "De"].map { try stack.member($0) }
      #expect(try stack.breaches().map(\.rule) == [.tooFewDestinations])
      try team.add(members[0], to: "captains")
      try team.set("players", to: members)
      #expect(try stack.breaches().map(\.rule.legacyCode) == [1590])
      try team.set("players", to: [members[0]])
      #expect(try stack.breaches().map(\.rule.legacyCode) == [1580])
      try team.set("players", to: [members[0], members[1]])
      #expect(try stack.breaches().isEmpty)
      try team.set("players", to: [ManagedObject]())
      #expect(try stack.breaches().isEmpty)
      try team.set("captains", to: [ManagedObject]())
      #expect(try stack.breaches().map(\.rule.legacyCode) == [1580])
    },
    StackCase("A11.8 the other side's edits count too, and a list that nobody touched is not read") {
      (stack: RuledStack) throws in
      let team = try stack.context.insert("Team")
      let members = try ["Ab", "Bc", "Cd"].map { try stack.member($0) }
      try team.set("captains", to: [members[0]])
      try team.set("players", to: members)
      try stack.context.save()
      let context = stack.makeContext()
      try context.object(with: members[1].objectID).set("age", to: 30)
      stack.store.forgetCalls()
      #expect(try stack.breaches(context).isEmpty)
      #expect(stack.store.calls.related.isEmpty)
      for member in members[1...] { try context.object(with: member.objectID).set("team", to: nil) }
      #expect(try stack.breaches(context).map(\.rule) == [.tooFewDestinations])
    },
    StackCase("A11.13 breaches come in the order of the model: entity, object, property") {
      (stack: RuledStack) throws in
      try stack.context.insert("Team")
      let (one, two) = (try stack.context.insert("Member"), try stack.member("A"))
      try two.set("code", to: "1")
      try two.set("age", to: -1)
      let breaches = try stack.breaches()
      #expect(
        breaches.map { "\($0.entity).\($0.property ?? "")" } == [
          "Member.name", "Member.digest", "Member.name", "Member.code", "Member.age", "Member.age",
          "Team.captains",
        ])
      #expect(breaches.prefix(2).allSatisfy { $0.object == one.objectID })
      #expect(try stack.breaches().map(\.rule) == breaches.map(\.rule))
    },
    StackCase("VA-17 fetched properties are never named, nor asked") { (stack: RuledStack) throws in
      let member = try stack.context.insert("Member")
      let breaches = try stack.breaches()
      #expect(!breaches.isEmpty && breaches.allSatisfy { $0.property != "namesakes" })
      #expect((member as? RuledMember)?.asked.contains("namesakes") == false)
      #expect(stack.store.calls.queries.isEmpty)
    },
  ]

  public static let classes: [StackCase<RuledStack>] = [
    StackCase("VA-08 a class's own error is thrown unchanged when it is alone") {
      (stack: RuledStack) throws in
      let member = try stack.member("Eve")
      #expect(throws: ForbiddenName(name: "Eve")) { try stack.context.save() }
      #expect(member.isInserted && stack.store.calls.prepared.isEmpty)
      try member.set("name", to: "Ada")
      try stack.context.save()
    },
    StackCase("VA-08 with others it is one of the details") { (stack: RuledStack) throws in
      try stack.member("Eve").set("age", to: 200)
      let error = #expect(throws: SaveError.self) { try stack.context.save() }
      guard case .invalid(let breaches)? = error else { return }
      #expect(error?.legacyCode == 1560)
      #expect(breaches.map(\.rule) == [.custom, .valueTooLarge])
      #expect(breaches[0].underlying as? ForbiddenName == ForbiddenName(name: "Eve"))
      #expect(breaches[0].property == "name" && breaches[0].value == .string("Eve"))
    },
    StackCase("a validation error of the class is told as it is") { (stack: RuledStack) throws in
      try stack.member("Bad")
      #expect(try stack.breaches().map(\.detail) == ["Bad is no name; choose another"])
    },
    StackCase("the class is asked for each property in model order, then for the object") {
      (stack: RuledStack) throws in
      let member = try #require(stack.member() as? RuledMember)
      try stack.context.save()
      #expect(
        member.asked == [
          "name", "code", "age", "born", "page", "digest", "guardian", "wards", "team", "captainOf",
        ])
      #expect(member.changes == [.insert])
      try member.set("age", to: 30)
      try stack.context.save()
      stack.context.delete(member)
      try stack.context.save()
      #expect(member.changes == [.insert, .update, .delete])
    },
    StackCase("a class may refuse a deletion; its values are not checked then (A7.8)") {
      (stack: RuledStack) throws in
      let member = try #require(stack.member() as? RuledMember)
      try stack.context.save()
      try member.set("name", to: "much too long")
      member.refusesDeletion = true
      stack.context.delete(member)
      #expect(throws: ForbiddenName.self) { try stack.context.save() }
      member.refusesDeletion = false
      try stack.context.save()
      #expect(try stack.makeContext().count(for: FetchRequest("Member")) == 0)
    },
  ]

  public static let onDemand: [StackCase<RuledStack>] = [
    StackCase("A11.1 setting validates nothing; each kind of validation is there on demand") {
      (stack: RuledStack) throws in
      let member = try stack.member("A")
      #expect(throws: SaveError.self) { try member.validateForInsert() }
      #expect(throws: SaveError.self) { try member.validateForUpdate() }
      try member.validateForDelete()
      try member.set("name", to: "Ada")
      try member.validateForInsert()
      #expect(member.isInserted && stack.store.calls.prepared.isEmpty)
    },
    StackCase("a value is checked without being set") { (stack: RuledStack) throws in
      let member = try stack.member()
      func code(_ body: () throws -> Void) -> Int? {
        #expect(throws: SaveError.self, performing: body)?.legacyCode
      }
      #expect(code { try member.validateValue("A", forKey: "name") } == 1670)
      #expect(code { try member.validateValue(.null, forKey: "name") } == 1570)
      #expect(code { try member.validateValue("a1", forKey: "code") } == 1680)
      #expect(code { try member.validateValue(10, forKey: "age") } == 1550)
      #expect(throws: ForbiddenName(name: "Eve")) { try member.validateValue("Eve", forKey: "name") }
      try member.validateValue("Bob", forKey: "name")
      #expect(try member.value("name") == .string("Ada"))
      let team = try stack.context.insert("Team")
      let id = Value.object(member.objectID)
      #expect(code { try team.validateValue(.list([id]), forKey: "players") } == 1580)
      #expect(code { try team.validateValue(.list([]), forKey: "captains") } == 1580)
      try team.validateValue(.list([id]), forKey: "captains")
    },
    StackCase("what cannot be checked is an error of the call") { (stack: RuledStack) throws in
      let member = try stack.member()
      func code(_ body: () throws -> Void) -> ManagedObjectError.Code? {
        #expect(throws: ManagedObjectError.self, performing: body)?.code
      }
      #expect(code { try member.validateValue(1, forKey: "nope") } == .unknownProperty)
      #expect(code { try member.validateValue(1, forKey: "name") } == .wrongType)
      #expect(code { try member.validateValue(1, forKey: "namesakes") } == .readOnlyProperty)
      #expect(code { try member.validateValue(.list([]), forKey: "guardian") } == .wrongKind)
    },
    StackCase("VA-15 a denied deletion is told on demand, and lifted when the last destination goes") {
      (stack: RuledStack) throws in
      let (adult, child) = (try stack.member("Bob"), try stack.member())
      try child.set("guardian", to: adult)
      try stack.context.save()
      let error = #expect(throws: SaveError.self) { try adult.validateForDelete() }
      #expect(error?.legacyCode == 1600)
      stack.context.delete(child)
      try adult.validateForDelete()
      stack.context.delete(adult)
      try stack.context.save()
      #expect(try stack.makeContext().count(for: FetchRequest("Member")) == 0)
    },
  ]

  public static let all = Self.attributes + Self.model + Self.classes + Self.onDemand
}
