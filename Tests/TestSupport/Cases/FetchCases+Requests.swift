internal import FederatedModel
internal import FederatedRuntime
internal import FederatedStore
internal import Foundation
internal import Testing

extension FetchCases {
  /// What a request can say, on fixture E0.
  public static let requests: [StackCase<EmployeeStack>] = [
    StackCase("FR-05 a count is of merged rows, or of saved ones alone") { (stack: EmployeeStack) throws in
      let context = try stack.dirtyContext()
      var request = FetchRequest("Employee", where: try FetchPredicate(format: "salary > 20"))
      request.resultType = .count
      #expect(try context.count(for: request) == 3)
      request.includesPendingChanges = false
      #expect(try context.count(for: request) == 2)
      // A request that asks for a count is not answered with objects.
      let error = #expect(throws: ManagedObjectError.self) { try context.fetch(request) }
      #expect(error?.code == .invalidArgument)
    },
    StackCase("FR-07 offset and limit cut the order") { (stack: EmployeeStack) throws in
      let context = stack.makeContext()
      for (name, salary) in [("a", 5), ("b", 21), ("c", 30), ("d", 40)] {
        try EmployeeStack.insert(name, salary, in: context)
      }
      var request = FetchRequest(
        "Employee", where: try FetchPredicate(format: "name.length == 1"), order: [.ascending("salary")],
        limit: 2)
      request.fetchOffset = 1
      for save in [false, true] {
        if save { try context.save() }
        for context in save ? [context, stack.makeContext()] : [context] {
          #expect(try context.fetch(request).texts("name") == ["b", "c"])
          #expect(try context.identifiers(for: request).count == 2)
          #expect(try context.count(for: request) == 2)
        }
      }
    },
    StackCase("FR-13 a name is resolved when the request is asked, against the model that is asked") {
      (stack: EmployeeStack) throws in
      let request = FetchRequest("Employee", order: [.ascending("name")])
      let other = try ManagedObjectModel {
        EntityDescription("Other") { AttributeDescription("name", .string) }
      }
      let stranger = ManagedObjectContext(coordinator: PersistentStoreCoordinator(model: other))
      let error = #expect(throws: ManagedObjectError.self) { try stranger.fetch(request) }
      #expect(error?.code == .unknownEntity && error?.description.contains("Employee") == true)
      let found = try stack.makeContext().fetch(request)
      #expect(found.count == 3 && found.allSatisfy { $0.entity.name == "Employee" })
    },
    StackCase("FR-19 a column that the entity does not have is refused, before a store is asked") {
      (stack: EmployeeStack) throws in
      let context = stack.makeContext()
      var request = FetchRequest("Employee")
      request.propertiesToFetch = ["name", "wage"]
      for ask in [{ _ = try context.dictionaries(for: request) }, { _ = try context.fetch(request) }] {
        let error = #expect(throws: ManagedObjectError.self) { try ask() }
        #expect(error?.description.contains("wage") == true)
      }
      #expect(stack.store.calls.queries.isEmpty)
    },
    StackCase("F10 objects fetched for some properties have all their values") {
      (stack: EmployeeStack) throws in
      let context = stack.makeContext()
      var request = FetchRequest("Employee", order: [.ascending("name")])
      request.propertiesToFetch = ["name"]
      let found = try context.fetch(request)
      #expect(try found.texts("name") == ["alpha", "bravo", "charlie"])
      #expect(try found.numbers("salary") == [22, 25, 10])
      try found[0].set("salary", to: 23)
      try context.save()
      let reread = try stack.makeContext().fetch(FetchRequest("Employee", order: [.ascending("name")]))
      #expect(try reread.numbers("salary") == [23, 25, 10] && reread.texts("name") == found.texts("name"))
    },
    StackCase("FR-33 exact decimals come back digit for digit") { (stack: EmployeeStack) throws in
      let texts = ["0.1", "0.1234567890123456789", "-12345678901234567.89"]
      let context = stack.makeContext()
      for (number, text) in texts.enumerated() {
        let employee = try EmployeeStack.insert("x\(number)", number, in: context)
        try employee.set("bonus", to: Decimal(string: text))
      }
      try context.save()
      let request = FetchRequest(
        "Employee", where: try FetchPredicate(format: "bonus != nil"), order: [.ascending("salary")])
      let read = try stack.makeContext().fetch(request).map { try $0.value("bonus") }
      #expect(read == texts.map { .decimal(Decimal(string: $0) ?? .nan) })
    },
    StackCase("FR-45, FR-46, FR-47 templates take every variable, nil among them, and ignore others") {
      (stack: EmployeeStack) throws in
      let model = stack.coordinator.model
      let context = try stack.dirtyContext()
      let error = #expect(throws: FetchTemplateError.self) { try model.fetchRequest(fromTemplate: "earning") }
      #expect(error?.description.contains("$MIN") == true)
      let names = { (template: String, variables: [String: Value]) in
        try model.fetchRequest(fromTemplate: template, variables: variables).map {
          try context.fetch($0).texts("name")
        }
      }
      #expect(try names("earning", ["MIN": .int(20), "EXTRA": .int(1)]) == ["charlie", "delta"])
      #expect(try names("hired", ["D": .null]).map(Set.init) == ["alpha", "charlie", "delta", "echo"])
      #expect(try names("hired", ["D": .date(Date(timeIntervalSinceReferenceDate: 0))]) == [])
      #expect(try names("nope", [:]) == nil)
      // The template stays as it is.
      #expect(model.fetchRequestTemplate(named: "earning")?.request.predicate?.freeVariables == ["MIN"])
    },
    StackCase("2.1 rows of subentities are left out where they are not wanted") {
      (stack: EmployeeStack) throws in
      let context = stack.makeContext()
      let manager = try context.insert("Manager")
      try manager.set("name", to: "mel")
      try manager.set("salary", to: 99)
      var request = FetchRequest("Employee", where: try FetchPredicate(format: "salary > 20"))
      for save in [false, true] {
        if save { try context.save() }
        for includes in [true, false] {
          request.includesSubentities = includes
          let wanted = Set(["alpha", "bravo"] + (includes ? ["mel"] : []))
          #expect(Set(try context.fetch(request).texts("name")) == wanted)
          #expect(try context.count(for: request) == wanted.count)
          #expect(try context.identifiers(for: request).count == wanted.count)
        }
      }
      #expect(try stack.makeContext().fetch(FetchRequest("Manager")).texts("name") == ["mel"])
    },
  ]

  private static let orders: [(FetchSortDescriptor.Comparison, titles: [String], files: [String])] = [
    (.scalar, ["Alpha", "Gamma", "beta", "Émile"], ["file10", "file9"]),
    (.caseInsensitive, ["Alpha", "beta", "Émile", "Gamma"], ["file10", "file9"]),
    (.localized, ["Alpha", "beta", "Émile", "Gamma"], ["file10", "file9"]),
    (.localizedCaseInsensitive, ["Alpha", "beta", "Émile", "Gamma"], ["file10", "file9"]),
    (.localizedStandard, ["Alpha", "beta", "Émile", "Gamma"], ["file9", "file10"]),
  ]

  /// Orders of text, on samples.
  public static let orderings: [StackCase<LanguageStack>] = [
    StackCase("FR-30, F28, F29 every comparison, by an attribute and through a to-one") {
      (stack: LanguageStack) throws in
      let context = stack.makeContext()
      let texts = ["Gamma", "Émile", "beta", "Alpha", "file9", "file10"]
      try stack.fill(
        texts.map { Sample($0, ["text": $0], box: ["name": $0]) } + [Sample("nil")], in: context)
      for save in [false, true] {
        if save { try context.save() }
        for context in save ? [context, stack.makeContext()] : [context] {
          for (comparison, titles, files) in FetchCases.orders {
            for key in ["text", "box.name"] {
              let sort = FetchSortDescriptor(key, comparison: comparison)
              let found = try context.fetch(FetchRequest("Sample", order: [sort])).texts("label")
              #expect(found[0] == "nil", "\(sort)")
              #expect(found.filter { titles.contains($0) } == titles, "\(sort)")
              #expect(found.filter { files.contains($0) } == files, "\(sort)")
              let back = FetchSortDescriptor(key, ascending: false, comparison: comparison)
              let window = FetchRequest("Sample", order: [back], limit: 3)
              #expect(
                try context.fetch(window).texts("label") == Array(found.reversed().prefix(3)), "\(back)")
            }
          }
        }
      }
    },
    StackCase("F28 a sort key that has no order is refused") { (stack: LanguageStack) throws in
      let context = stack.makeContext()
      for (key, code) in [
        ("parts.x", FetchPredicateError.Code.toManyKeyNeedsModifier), ("box", .predicateTypeMismatch),
        ("box.nme", .unknownKeyPath), ("parts.@count", .toManyKeyNeedsModifier),
        ("text.length", .unsupportedConstruct),
      ] {
        let error = #expect(throws: FetchPredicateError.self, "\(key)") {
          try context.fetch(FetchRequest("Sample", order: [.ascending(key)]))
        }
        #expect(error?.code == code, "\(key): \(String(describing: error))")
      }
      #expect(stack.store.calls.queries.isEmpty)
    },
  ]
}
