internal import FederatedModel
internal import FederatedRuntime
internal import FederatedStore
internal import Testing

/// The FR and PS cases of a context's fetches, on the author fixture and on employees.
public enum FetchCases {
  private static func names(_ context: ManagedObjectContext, _ request: FetchRequest) throws -> [String] {
    try context.fetch(request).texts("name")
  }

  private static func request(
    _ format: String?, limit: Int = 0, offset: Int = 0, by key: String = "name"
  ) throws -> FetchRequest {
    var request = FetchRequest("Employee", order: [.ascending(key)])
    request.predicate = try format.map { try FetchPredicate(format: $0) }
    request.fetchLimit = limit
    request.fetchOffset = offset
    return request
  }

  /// Fixture E0.
  public static let employees: [StackCase<EmployeeStack>] = [
    StackCase("FR-02, F21, CX-45 unsaved edits decide who is found") { (stack: EmployeeStack) throws in
      let context = try stack.dirtyContext()
      let request = try FetchCases.request("salary > 20")
      #expect(try FetchCases.names(context, request) == ["charlie", "delta", "echo"])
      #expect(try context.count(for: request) == 3)
    },
    StackCase("FR-03, F22, CX-44 saved membership, unsaved values") { (stack: EmployeeStack) throws in
      let context = try stack.dirtyContext()
      var request = try FetchCases.request("salary > 20")
      request.includesPendingChanges = false
      let found = try context.fetch(request)
      #expect(try found.texts("name") == ["alpha", "bravo"])
      #expect(try found[0].value("salary") == .int(5))
      #expect(try context.count(for: request) == 2)
    },
    StackCase("CX-47 unsaved inserts have temporary identifiers") { (stack: EmployeeStack) throws in
      let context = try stack.dirtyContext()
      let ids = try context.identifiers(for: try FetchCases.request("salary > 20"))
      #expect(ids.map(\.isTemporary) == [false, true, true])
    },
    StackCase("F23 unsaved values are sorted by") { (stack: EmployeeStack) throws in
      let context = try stack.dirtyContext()
      #expect(
        try FetchCases.names(context, try FetchCases.request(nil, by: "salary")) == [
          "alpha", "charlie", "delta", "echo",
        ])
    },
    StackCase("F24, F26 offset and limit after the merge") { (stack: EmployeeStack) throws in
      let context = try stack.dirtyContext()
      let request = try FetchCases.request("salary > 20", limit: 2)
      #expect(try FetchCases.names(context, request) == ["charlie", "delta"])
      #expect(try context.count(for: request) == 2)
      #expect(
        try FetchCases.names(context, try FetchCases.request(nil, limit: 2, offset: 1, by: "salary")) == [
          "charlie", "delta",
        ])
      // Five changed objects may take five rows out of the answer.
      #expect(stack.store.calls.queries.allSatisfy { $0.offset == 0 && ($0.limit ?? 99) >= 7 })
    },
    StackCase("a clean context sends offset and limit along") { (stack: EmployeeStack) throws in
      let context = stack.makeContext()
      #expect(
        try FetchCases.names(context, try FetchCases.request(nil, limit: 1, offset: 1, by: "salary")) == [
          "alpha"
        ])
      #expect(stack.store.calls.queries.map(\.limit) == [1])
    },
    StackCase("FR-09, FR-10, FR-11 windows at their ends") { (stack: EmployeeStack) throws in
      let context = stack.makeContext()
      #expect(try context.fetch(try FetchCases.request(nil, offset: 3)).isEmpty)
      #expect(try context.fetch(try FetchCases.request(nil)).count == 3)
      #expect(try context.count(for: try FetchCases.request(nil, limit: 2)) == 2)
    },
    StackCase("FR-14 an unknown entity") { (stack: EmployeeStack) throws in
      let error = #expect(throws: ManagedObjectError.self) {
        try stack.makeContext().fetch(FetchRequest("NoSuchEntity"))
      }
      #expect(error?.code == .unknownEntity)
    },
    StackCase("FR-15 objects can come realised") { (stack: EmployeeStack) throws in
      let context = try stack.dirtyContext()
      var request = try FetchCases.request(nil)
      request.returnsObjectsAsFaults = false
      #expect(try context.fetch(request).allSatisfy { !$0.isFault })
    },
    StackCase("2.1 objects can come without their rows") { (stack: EmployeeStack) throws in
      let context = stack.makeContext()
      var request = try FetchCases.request(nil)
      request.includesPropertyValues = false
      let found = try context.fetch(request)
      #expect(found.count == 3 && found.allSatisfy(\.isFault))
      stack.store.forgetCalls()
      #expect(try found.texts("name") == ["alpha", "bravo", "charlie"])
      #expect(stack.store.calls.queries.count == 1)
    },
    StackCase("FR-53 rows can come in batches") { (stack: EmployeeStack) throws in
      let context = stack.makeContext()
      for name in ["delta", "echo"] { try EmployeeStack.insert(name, 1, in: context) }
      try context.save()
      let other = stack.makeContext()
      var request = try FetchCases.request(nil)
      request.fetchBatchSize = 2
      let found = try other.fetch(request)
      #expect(found.count == 5)
      stack.store.forgetCalls()
      #expect(try found[0].value("name") == .string("alpha"))
      #expect(stack.store.calls.queries.map(\.references?.count) == [2])
      #expect(try found.texts("name") == ["alpha", "bravo", "charlie", "delta", "echo"])
      #expect(stack.store.calls.queries.count == 3)
    },
    StackCase("FR-06, F7, FR-26 rows as values are saved rows, nil left out") {
      (stack: EmployeeStack) throws in
      let context = try stack.dirtyContext()
      var request = try FetchCases.request("salary > 20")
      request.propertiesToFetch = ["name", "salary", "hireDate"]
      #expect(
        try context.dictionaries(for: request) == [
          ["name": .string("alpha"), "salary": .int(22)], ["name": .string("bravo"), "salary": .int(25)],
        ])
      request.propertiesToFetch = nil
      #expect(
        try context.dictionaries(for: request).map { $0.keys.sorted() } == [
          ["name", "salary"], ["name", "salary"],
        ])
    },
    StackCase("FR-17, FR-18 distinct values; objects are distinct by themselves") {
      (stack: EmployeeStack) throws in
      let context = stack.makeContext()
      for _ in 0..<2 { try EmployeeStack.insert("dup", 1, in: context) }
      try context.save()
      var request = try FetchCases.request("name == 'dup'")
      request.returnsDistinctResults = true
      #expect(try context.fetch(request).count == 2)
      request.propertiesToFetch = ["name"]
      #expect(try context.dictionaries(for: request) == [["name": .string("dup")]])
    },
    StackCase("F8, FR-25 a to-one is a column, a to-many is none") { (stack: EmployeeStack) throws in
      let context = stack.makeContext()
      let department = try context.insert("Department")
      let employee = try EmployeeStack.insert("zoe", 1, in: context)
      try employee.set("department", to: department)
      try context.save()
      var request = try FetchCases.request("name == 'zoe'")
      request.propertiesToFetch = ["department"]
      #expect(try context.dictionaries(for: request) == [["department": .object(department.objectID)]])
      var wrong = FetchRequest("Department")
      wrong.propertiesToFetch = ["employees"]
      #expect(throws: ManagedObjectError.self) { try context.dictionaries(for: wrong) }
    },
    StackCase("links from rows of one fetch are read together, whatever the rows' order") {
      (stack: EmployeeStack) throws in
      let context = stack.makeContext()
      for number in 0..<50 {
        let department = try context.insert("Department")
        try department.set("name", to: "d\(number)")
        try EmployeeStack.insert("e\(number)", number, in: context).set("department", to: department)
      }
      try context.save()
      let other = stack.makeContext()
      let employees = try other.fetch(
        FetchRequest("Employee", where: try FetchPredicate(format: "department != nil")))
      stack.store.forgetCalls()
      var names: Set<Value> = []
      for employee in employees { names.insert(try employee.value(forKeyPath: "department.name")) }
      #expect(names.count == 50)
      #expect(stack.store.calls.queries.count <= 2)
    },
    StackCase("FR-29 nil comes first, last when descending") { (stack: EmployeeStack) throws in
      let context = stack.makeContext()
      let new = try context.insert("Employee")
      try new.set("name", to: "nemo")
      for save in [false, true] {
        if save { try context.save() }
        #expect(try FetchCases.names(context, try FetchCases.request(nil, by: "salary"))[0] == "nemo")
        let descending = FetchRequest("Employee", order: [.descending("salary")])
        #expect(try FetchCases.names(context, descending)[3] == "nemo")
      }
    },
    StackCase("FR-43 without stores nothing is found") { (stack: EmployeeStack) throws in
      let coordinator = PersistentStoreCoordinator(model: stack.coordinator.model)
      let context = ManagedObjectContext(coordinator: coordinator)
      #expect(try context.fetch(FetchRequest("Employee")).isEmpty)
      #expect(try context.count(for: FetchRequest("Employee")) == 0)
    },
    StackCase("PS-01 without stores an insert stays pending") { (stack: EmployeeStack) throws in
      let coordinator = PersistentStoreCoordinator(model: stack.coordinator.model)
      let context = ManagedObjectContext(coordinator: coordinator)
      let new = try context.insert("Employee")
      try new.set("name", to: "x")
      let error = #expect(throws: SaveError.self) { try context.save() }
      guard case .refused(_, let underlying)? = error else { return }
      #expect((underlying as? CoordinatorError)?.code == .noStoreForEntity)
      #expect(new.isInserted && new.objectID.isTemporary)
    },
    StackCase("FR-51 a row that others deleted is not found") { (stack: EmployeeStack) throws in
      let (context, other) = (stack.makeContext(), stack.makeContext())
      #expect(try context.fetch(FetchRequest("Employee")).count == 3)
      other.delete(try other.fetch(try FetchCases.request("name == 'bravo'"))[0])
      try other.save()
      #expect(try FetchCases.names(context, try FetchCases.request(nil)) == ["alpha", "charlie"])
    },
    StackCase("FR-54, F2 a request is not changed by being asked") { (stack: EmployeeStack) throws in
      let request = try FetchCases.request("salary > 20", limit: 1)
      let copy = request
      _ = try stack.makeContext().fetch(request)
      #expect(request == copy)
    },
    StackCase("FR-61 constant predicates") { (stack: EmployeeStack) throws in
      let context = stack.makeContext()
      #expect(try context.fetch(try FetchCases.request("TRUEPREDICATE")).count == 3)
      #expect(try context.count(for: try FetchCases.request("FALSEPREDICATE")) == 0)
    },
    StackCase("FR-63 after a refresh saved membership counts again") { (stack: EmployeeStack) throws in
      let context = stack.makeContext()
      let alpha = try context.fetch(try FetchCases.request("name == 'alpha'"))[0]
      try alpha.set("salary", to: 5)
      #expect(try FetchCases.names(context, try FetchCases.request("salary > 20")) == ["bravo"])
      context.refresh(alpha, mergeChanges: false)
      #expect(try FetchCases.names(context, try FetchCases.request("salary > 20")) == ["alpha", "bravo"])
    },
    StackCase("P13 an unbound variable is an error that names it") { (stack: EmployeeStack) throws in
      let error = #expect(throws: FetchPredicateError.self) {
        try stack.makeContext().fetch(try FetchCases.request("name == $WHO"))
      }
      #expect(error?.code == .unboundVariable && error?.subject == "$WHO")
    },
    StackCase("MG-02 a row that others changed is a conflict, and edits stay") {
      (stack: EmployeeStack) throws in
      let (context, other) = (stack.makeContext(), stack.makeContext())
      let mine = try context.fetch(try FetchCases.request("name == 'alpha'"))[0]
      try mine.set("salary", to: 1)
      try other.fetch(try FetchCases.request("name == 'alpha'"))[0].set("salary", to: 2)
      try other.save()
      let error = #expect(throws: SaveError.self) { try context.save() }
      guard case .conflicts(let rows)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(rows.map(\.object) == [mine.objectID])
      #expect(try mine.isUpdated && mine.value("salary") == .int(1))
      context.refresh(mine, mergeChanges: true)
      try context.save()
      #expect(
        try stack.makeContext().fetch(try FetchCases.request("name == 'alpha'"))[0].value("salary") == .int(1)
      )
    },
  ]
}
