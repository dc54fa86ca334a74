internal import FederatedModel
internal import FederatedRuntime
internal import Foundation
internal import Testing

/// The cases of dictionaries, aggregates and groups over employees (fixture E0) in one store.
public enum GroupCases {
  private static func column(_ name: String, _ format: String, as type: AttributeType? = nil) throws
    -> FetchColumn
  {
    .expression(try ExpressionDescription(name, format, resultType: type))
  }

  private static func request(_ columns: FetchColumn..., by groups: String...) -> FetchRequest {
    var request = FetchRequest("Employee")
    request.propertiesToFetch = columns
    if !groups.isEmpty { request.propertiesToGroupBy = groups }
    return request
  }

  /// Ten, ten and twenty, and what `more` names, in a store that had other rows.
  private static func salaries(_ salaries: [Int?], in stack: EmployeeStack) throws -> ManagedObjectContext {
    let context = stack.makeContext()
    for employee in try context.fetch(FetchRequest("Employee")) { context.delete(employee) }
    for (number, salary) in salaries.enumerated() {
      let employee = try context.insert("Employee")
      try employee.set("name", to: "e\(number)")
      if let salary { try employee.set("salary", to: salary) }
    }
    try context.save()
    stack.store.forgetCalls()
    return context
  }

  public static let all: [StackCase<EmployeeStack>] = [
    StackCase("FR-21 a count for each group, in the order of the keys") { (stack: EmployeeStack) throws in
      let context = try salaries([20, 10, 10], in: stack)
      let request = request("salary", try column("headcount", "count(name)"), by: "salary")
      #expect(
        try context.dictionaries(for: request) == [
          ["salary": .int(10), "headcount": .int(2)], ["salary": .int(20), "headcount": .int(1)],
        ])
    },
    StackCase("FR-22, FR-23 a condition on groups, by alias, by aggregate and by key") {
      (stack: EmployeeStack) throws in
      let context = try salaries([10, 10, 20], in: stack)
      var request = request("salary", try column("headcount", "count(name)"), by: "salary")
      for having in [
        "headcount > 1", "count(name) > 1", "salary < 15", "sum(salary) == 20 AND headcount == 2",
      ] {
        request.havingPredicate = try FetchPredicate(format: having)
        #expect(
          try context.dictionaries(for: request) == [["salary": .int(10), "headcount": .int(2)]], "\(having)")
      }
      request.havingPredicate = try FetchPredicate(format: "headcount > 2")
      #expect(try context.dictionaries(for: request).isEmpty)
    },
    StackCase("FR-19 columns that are constants stand on every row, and once where lines are distinct") {
      (stack: EmployeeStack) throws in
      let context = try salaries([10, 20, nil], in: stack)
      var request = request(try column("x", "5"), try column("y", "'a'"), try column("z", "nil"))
      let line: [String: Value] = ["x": .int(5), "y": .string("a")]
      #expect(try context.dictionaries(for: request) == [line, line, line])
      request.fetchLimit = 2
      #expect(try context.dictionaries(for: request) == [line, line])
      request.sortDescriptors = [.descending("salary")]
      #expect(try context.dictionaries(for: request) == [line, line])
      request.returnsDistinctResults = true
      #expect(try context.dictionaries(for: request) == [line])
      request.predicate = .constant(false)
      #expect(try context.dictionaries(for: request).isEmpty)
    },
    StackCase("FR-05, F6 a count request, and the count of a dictionary request") {
      (stack: EmployeeStack) throws in
      let context = try stack.dirtyContext()
      var request = FetchRequest("Employee", where: try FetchPredicate(format: "salary > 20"))
      request.resultType = .count
      #expect(try context.count(for: request) == 3)
      request.includesPendingChanges = false
      #expect(try context.count(for: request) == 2)
      var groups = GroupCases.request("salary", by: "salary")
      groups.resultType = .dictionaries
      #expect(try context.count(for: groups) == 3)
      groups.fetchOffset = 1
      groups.fetchLimit = 1
      #expect(try context.count(for: groups) == 1)
      groups.propertiesToGroupBy = nil
      groups.fetchOffset = 0
      groups.fetchLimit = 0
      groups.havingPredicate = nil
      #expect(try context.count(for: groups) == 3)
    },
    StackCase("F9, FR-27 an aggregate without groups is one row of what is saved") {
      (stack: EmployeeStack) throws in
      let context = stack.makeContext()
      try EmployeeStack.insert("new", 30, in: context)
      let request = request(try column("total", "sum(salary)"))
      #expect(try context.dictionaries(for: request) == [["total": .int(57)]])
    },
    StackCase("F9 over no rows there is one row, and none for groups") { (stack: EmployeeStack) throws in
      let context = try salaries([], in: stack)
      var request = request(
        try column("number", "count(SELF)"), try column("total", "sum(salary)"),
        try column("mean", "average(salary)"), try column("least", "min(salary)"),
        try column("middle", "median(salary)"), try column("common", "mode(salary)"),
        try column("spread", "stddev(salary)"))
      #expect(try context.dictionaries(for: request) == [["number": .int(0), "total": .int(0)]])
      request.propertiesToGroupBy = ["name"]
      #expect(try context.dictionaries(for: request).isEmpty)
    },
    StackCase("aggregates pass nil over; nil is a group of its own") { (stack: EmployeeStack) throws in
      let context = try salaries([10, nil, 20, nil], in: stack)
      let request = request(
        try column("rows", "count(SELF)"), try column("paid", "count(salary)"),
        try column("mean", "average(salary)"), try column("least", "min(salary)"),
        try column("mixed", "sum(salary) / count(SELF)"))
      #expect(
        try context.dictionaries(for: request) == [
          ["rows": .int(4), "paid": .int(2), "mean": .double(15), "least": .int(10), "mixed": .int(7)]
        ])
      let groups = GroupCases.request("salary", try column("rows", "count(SELF)"), by: "salary")
      #expect(
        try context.dictionaries(for: groups) == [
          ["rows": .int(2)], ["salary": .int(10), "rows": .int(1)], ["salary": .int(20), "rows": .int(1)],
        ])
    },
    StackCase("every statistic") { (stack: EmployeeStack) throws in
      let context = try salaries([2, 4, 4, 4, 5, 5, 7, 9], in: stack)
      let request = request(
        try column("n", "count(salary)"), try column("s", "sum(salary)"), try column("a", "average(salary)"),
        try column("lo", "min(salary)"), try column("hi", "max(name)"), try column("m", "median(salary)"),
        try column("o", "mode(salary)"), try column("d", "stddev(salary)"),
        try column("t", "sum(salary * 2)", as: .decimal))
      #expect(
        try context.dictionaries(for: request) == [
          [
            "n": .int(8), "s": .int(40), "a": .double(5), "lo": .int(2), "hi": .string("e7"),
            "m": .double(4.5), "o": .list([.int(4)]), "d": .double(2), "t": .decimal(80),
          ]
        ])
    },
    StackCase("an expression is a column of each row, and can be sorted by") {
      (stack: EmployeeStack) throws in
      let context = stack.makeContext()
      var request = request("name", try column("yearly", "salary * 12"))
      request.sortDescriptors = [.descending("yearly")]
      request.fetchLimit = 2
      #expect(
        try context.dictionaries(for: request) == [
          ["name": .string("bravo"), "yearly": .int(300)], ["name": .string("alpha"), "yearly": .int(264)],
        ])
      request.fetchOffset = 2
      #expect(
        try context.dictionaries(for: request) == [["name": .string("charlie"), "yearly": .int(120)]])
    },
    StackCase("groups are sorted by alias or key, then cut; the name of a property may be an alias") {
      (stack: EmployeeStack) throws in
      let context = try salaries([10, 10, 20, 30, nil], in: stack)
      var request = request("salary", try column("name", "count(name)"), by: "salary")
      request.sortDescriptors = [.descending("name"), .descending("salary")]
      request.fetchOffset = 1
      request.fetchLimit = 2
      #expect(
        try context.dictionaries(for: request) == [
          ["salary": .int(30), "name": .int(1)], ["salary": .int(20), "name": .int(1)],
        ])
      request.havingPredicate = try FetchPredicate(format: "name > 1 AND max(name) == 'e1'")
      request.fetchOffset = 0
      #expect(try context.dictionaries(for: request) == [["salary": .int(10), "name": .int(2)]])
    },
    StackCase("rows are grouped by an expression and by a path") { (stack: EmployeeStack) throws in
      let context = try salaries([5, 10, 25, 27], in: stack)
      let departments = try ["a", "b"].map { name in
        let department = try context.insert("Department")
        try department.set("name", to: name)
        return department
      }
      for (number, employee) in try context.fetch(FetchRequest("Employee", order: [.ascending("name")]))
        .enumerated() where number > 0
      {
        try employee.set("department", to: departments[number == 1 ? 0 : 1])
      }
      try context.save()
      let decades = GroupCases.request(
        try column("decade", "salary / 10"), try column("n", "count(SELF)"), by: "decade")
      #expect(
        try context.dictionaries(for: decades) == [
          ["decade": .int(0), "n": .int(1)], ["decade": .int(1), "n": .int(1)],
          ["decade": .int(2), "n": .int(2)],
        ])
      let paths = GroupCases.request(
        "department.name", try column("n", "sum(salary)"), by: "department.name")
      #expect(
        try context.dictionaries(for: paths) == [
          ["n": .int(5)], ["department.name": .string("a"), "n": .int(10)],
          ["department.name": .string("b"), "n": .int(52)],
        ])
      let objects = GroupCases.request("department", try column("n", "count(SELF)"), by: "department")
      #expect(
        try context.dictionaries(for: objects) == [
          ["n": .int(1)], ["department": .object(departments[0].objectID), "n": .int(1)],
          ["department": .object(departments[1].objectID), "n": .int(2)],
        ])
      var people = FetchRequest("Department", order: [.descending("people")])
      people.propertiesToFetch = ["name", "objectID", try column("people", "employees.@count")]
      #expect(
        try context.dictionaries(for: people) == [
          ["name": .string("b"), "objectID": .object(departments[1].objectID), "people": .int(2)],
          ["name": .string("a"), "objectID": .object(departments[0].objectID), "people": .int(1)],
        ])
    },
    StackCase("FR-17 distinct values are cut after they are made distinct") { (stack: EmployeeStack) throws in
      let context = try salaries([30, 10, 10, 20, 30, nil, nil], in: stack)
      var request = request("salary")
      request.returnsDistinctResults = true
      request.sortDescriptors = [.descending("salary")]
      request.fetchOffset = 1
      request.fetchLimit = 2
      #expect(try context.dictionaries(for: request) == [["salary": .int(20)], ["salary": .int(10)]])
      request.sortDescriptors = [.ascending("name")]
      request.fetchOffset = 0
      request.fetchLimit = 0
      #expect(
        try context.dictionaries(for: request) == [
          ["salary": .int(30)], ["salary": .int(10)], ["salary": .int(20)], [:],
        ])
      request.resultType = .dictionaries
      #expect(try context.count(for: request) == 4)
    },
    StackCase("whole numbers that leave 64 bits become a double (Q38)") { (stack: EmployeeStack) throws in
      let context = try salaries([2_147_483_647, 2_147_483_647], in: stack)
      let request = request(
        try column("big", "sum(salary * 4611686018427387904)"), try column("total", "sum(salary)"))
      #expect(
        try context.dictionaries(for: request) == [
          ["big": .double(2 * 2_147_483_647 * 4_611_686_018_427_387_904), "total": .int(4_294_967_294)]
        ])
    },
    StackCase("FR-25, MO-19 columns that are none are refused, and the error names them") {
      (stack: EmployeeStack) throws in
      let context = stack.makeContext()
      func refusal(_ request: FetchRequest) -> String {
        do { return "answered \(try context.dictionaries(for: request))" } catch let error
          as ManagedObjectError
        { return "\(error.code) \(error.property ?? "")" } catch { return "\(error)" }
      }
      #expect(refusal(request("salary", try column("n", "count(SELF)"))) == "invalidArgument salary")
      #expect(
        refusal(request("name", try column("n", "count(SELF)"), by: "salary")) == "invalidArgument name")
      #expect(refusal(request(try column("x", "salary + 1"), by: "name")) == "invalidArgument x")
      #expect(refusal(request("name", try column("name", "salary"))) == "invalidArgument name")
      #expect(refusal(request(try column("n", "count(SELF)"), by: "n")) == "invalidArgument n")
      #expect(refusal(request(try column("n", "sum(max(salary))"))) == "invalidArgument n")
      #expect(refusal(request("nme")) == "unknownProperty nme")
      var many = FetchRequest("Department")
      for column: FetchColumn in [
        "employees", try GroupCases.column("e", "employees"), try GroupCases.column("e", "employees.name"),
      ] {
        many.propertiesToFetch = [column]
        #expect(refusal(many) == "invalidArgument \(column.name)")
      }
      var having = request("name")
      having.havingPredicate = try FetchPredicate(format: "name == 'x'")
      #expect(refusal(having) == "invalidArgument ")
      having.havingPredicate = try FetchPredicate(format: "salary > 1")
      having.propertiesToGroupBy = ["name"]
      #expect(refusal(having) == "invalidArgument salary")
      var sorted = request("name", by: "name")
      sorted.sortDescriptors = [.ascending("salary")]
      #expect(refusal(sorted) == "invalidArgument salary")
      #expect(throws: FetchPredicateError.self) {
        try context.dictionaries(for: request(try column("x", "sum(name)")))
      }
      #expect(stack.store.calls.queries.isEmpty)
      #expect(refusal(request(try column("half", "average(salary)", as: .boolean))) == "wrongType half")
    },
  ]
}
