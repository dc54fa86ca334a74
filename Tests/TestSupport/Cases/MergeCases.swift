internal import FederatedModel
internal import FederatedRuntime
internal import Testing

/// What a save does about rows that another context changed.
public enum MergeCases {
  public static var all: [StackCase<PersonStack>] {
    self.detection + self.properties + self.deletions + self.links + self.reliance + self.custom
      + self.takenBack
  }

  /// One person in two contexts: mine is stale once theirs has saved.
  struct Two {
    let stack: PersonStack
    let context: ManagedObjectContext
    let other: ManagedObjectContext
    let mine: ManagedObject
    let theirs: ManagedObject

    /// A person of which both contexts know name "Ada", age 30 and salary 1.
    init(_ stack: PersonStack, _ policy: MergePolicy) throws {
      self.stack = stack
      let ada = try stack.person("Ada")
      try ada.set("age", to: 30)
      try ada.set("salary", to: 1)
      try stack.context.save()
      self.context = stack.makeContext()
      self.context.mergePolicy = policy
      self.other = stack.makeContext()
      self.mine = try stack.saved("Person", in: self.context)[0]
      self.theirs = try stack.saved("Person", in: self.other)[0]
      _ = try (self.mine.value("name"), self.theirs.value("name"))
    }

    /// Both change the salary, each one thing more.
    func edit() throws {
      try self.mine.set("name", to: "Eva")
      try self.mine.set("salary", to: 2)
      try self.theirs.set("salary", to: 3)
      try self.theirs.set("age", to: 31)
      try self.other.save()
    }

    /// The row as a new context reads it; nil when it is gone.
    func stored() throws -> [Value]? {
      try self.stack.saved("Person").first.map { try Self.values($0) }
    }

    static func values(_ person: ManagedObject) throws -> [Value] {
      try [person.value("name"), person.value("age"), person.value("salary")]
    }
  }

  static func conflicts(_ body: () throws -> Void) -> [MergeConflict] {
    guard case .conflicts(let conflicts)? = #expect(throws: SaveError.self, performing: body) else {
      Issue.record("no conflict")
      return []
    }
    return conflicts
  }

  static let ada: [Value] = [.string("Ada"), .int(30), .int(1)]

  static let detection: [StackCase<PersonStack>] = [
    StackCase("MG-01, MG-02, BR-97 without a policy a conflict says which fields, and edits stay") {
      (stack: PersonStack) throws in
      #expect(stack.context.mergePolicy.isError)
      let two = try Two(stack, .error)
      try two.edit()
      let error = #expect(throws: SaveError.self) { try two.context.save() }
      #expect(error?.legacyCode == 133020)
      guard case .conflicts(let conflicts)? = error, let conflict = conflicts.first else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(conflicts.count == 1 && conflict.object == two.mine.objectID)
      #expect(conflict.entity == "Person" && conflict.store == "X" && conflict.change == .update)
      #expect(conflict.oldVersion == 1 && conflict.newVersion == 2)
      #expect(conflict.objectSnapshot["salary"] == .int(1) && conflict.storedSnapshot?["salary"] == .int(3))
      #expect(conflict.values["salary"] == .int(2))
      #expect(Set(conflict.fields.map(\.name)) == ["name", "age", "salary"])
      #expect(conflict.fields.filter(\.isContested).map(\.name) == ["salary"])
      let text = error.map { "\($0)" } ?? ""
      for word in ["Person", "store X", "name", "age", "salary"] { #expect(text.contains(word), "\(text)") }
      #expect(try two.mine.isUpdated && Two.values(two.mine) == [.string("Eva"), .int(30), .int(2)])
      #expect(try two.stored() == [.string("Ada"), .int(31), .int(3)])
    },
    StackCase("A10.4 rows that others inserted or changed elsewhere are no conflict") {
      (stack: PersonStack) throws in
      let two = try Two(stack, .error)
      try stack.person("Bob", in: two.other)
      try two.other.save()
      try two.mine.set("salary", to: 2)
      try two.context.save()
      #expect(try stack.saved("Person").map { try $0.value("salary") } == [.int(2), .null])
    },
    StackCase("a save tells of the conflicts of all stores at once") { (stack: PersonStack) throws in
      let two = try Two(stack, .error)
      let note = try stack.context.insert("Note")
      try stack.context.save()
      try two.context.existingObject(with: note.objectID).set("text", to: "mine")
      try note.set("text", to: "theirs")
      try stack.context.save()
      try two.edit()
      let conflicts = MergeCases.conflicts { try two.context.save() }
      #expect(Set(conflicts.map(\.store)) == ["X", "S"])
    },
  ]

  static let properties: [StackCase<PersonStack>] =
    [
      ("MG-03 store trump", MergePolicy.storeTrump, [Value.string("Eva"), .int(31), .int(3)]),
      ("MG-04, BR-97 object trump", .objectTrump, [.string("Eva"), .int(31), .int(2)]),
      ("MG-05 overwrite", .overwrite, [.string("Eva"), .int(30), .int(2)]),
      ("MG-06 rollback", .rollback, [.string("Ada"), .int(31), .int(3)]),
    ].map { name, policy, expected in
      StackCase("\(name) merges property by property") { (stack: PersonStack) throws in
        let two = try Two(stack, policy)
        try two.edit()
        try two.context.save()
        #expect(try two.stored() == expected)
        #expect(try Two.values(two.mine) == expected)
        #expect(!two.context.hasChanges && two.mine.changedValues().isEmpty)
        try two.mine.set("salary", to: 9)
        try two.context.save()
        #expect(try two.stored()?.last == .int(9))
      }
    } + [
      StackCase("MG-12 conflicts in both stores are resolved in one save") { (stack: PersonStack) throws in
        let two = try Two(stack, .storeTrump)
        let note = try stack.context.insert("Note")
        try note.set("text", to: "first")
        try stack.context.save()
        let mine = try two.context.existingObject(with: note.objectID)
        try mine.set("text", to: "mine")
        try mine.set("ownerKey", to: "mine")
        try note.set("text", to: "theirs")
        try stack.context.save()
        try two.edit()
        try two.context.save()
        #expect(try two.stored() == [.string("Eva"), .int(31), .int(3)])
        let saved = try stack.makeContext().existingObject(with: note.objectID)
        #expect(try saved.value("text") == .string("theirs") && saved.value("ownerKey") == .string("mine"))
        #expect(!two.context.hasChanges)
      },
      StackCase("MG-12 nothing is written when another store refuses after the merge") {
        (stack: PersonStack) throws in
        let two = try Two(stack, .objectTrump)
        try two.context.insert("Note").set("text", to: "new")
        try two.edit()
        stack.notes.fail(.prepare)
        let error = #expect(throws: SaveError.self) { try two.context.save() }
        guard case .refused(let store, _)? = error else {
          Issue.record("\(String(describing: error))")
          return
        }
        #expect(store == "S" && two.context.hasChanges)
        #expect(try two.stored() == [.string("Ada"), .int(31), .int(3)])
        stack.notes.heal()
        try two.context.save()
        #expect(try two.stored() == [.string("Eva"), .int(31), .int(2)])
      },
      StackCase("MG-13 what a merge makes is validated, and not written when it breaks a rule") {
        (stack: PersonStack) throws in
        let two = try Two(
          stack, .custom { _ in MergeResolution(values: ["age": .int(200), "name": .string("Eva")]) })
        try two.edit()
        let error = #expect(throws: SaveError.self) { try two.context.save() }
        guard case .invalid(let breaches)? = error else {
          Issue.record("\(String(describing: error))")
          return
        }
        #expect(breaches.map(\.rule) == [.valueTooLarge])
        #expect(try two.stored() == [.string("Ada"), .int(31), .int(3)])
        #expect(try Two.values(two.mine) == [.string("Eva"), .int(30), .int(2)])
        two.context.mergePolicy = .storeTrump
        try two.context.save()
        #expect(try two.stored() == [.string("Eva"), .int(31), .int(3)])
      },
    ]
}

extension MergePolicy {
  var isError: Bool { if case .error = self { true } else { false } }
  var letsStoreWin: Bool {
    switch self {
    case .storeTrump, .rollback: true
    case .error, .objectTrump, .overwrite, .custom: false
    }
  }
}
