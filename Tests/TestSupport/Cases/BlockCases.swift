internal import FederatedModel
internal import FederatedRuntime
internal import Foundation
internal import Testing

/// Conditions and orders that are code.
public enum BlockCases {
  private static let isPalindrome = FetchPredicate.block("isPalindrome", reading: "text") { row in
    guard case .string(let text) = row[0] else { return false }
    return text == String(text.reversed())
  }

  private static func fill(_ stack: LanguageStack) throws -> ManagedObjectContext {
    let context = stack.makeContext()
    try stack.fill(
      [
        Sample("a", ["text": "anna", "size": 1], box: ["name": "left"], parts: [["x": 1], ["x": 2]]),
        Sample("b", ["text": "bernd", "size": 2], box: ["name": "right"]),
        Sample("c", ["text": "otto", "size": 3], parts: [["x": 5]]), Sample("nil", ["size": 4]),
      ], in: context)
    try context.save()
    stack.store.forgetCalls()
    return context
  }

  public static let all: [StackCase<LanguageStack>] = [
    StackCase("PR-82 a block chooses the same objects in every store, beside other terms too") {
      (stack: LanguageStack) throws in
      _ = try BlockCases.fill(stack)
      let context = stack.makeContext()
      let isPalindrome = BlockCases.isPalindrome
      #expect(try stack.labels(isPalindrome, in: context) == ["a", "c"])
      #expect(try context.count(for: FetchRequest("Sample", where: isPalindrome)) == 2)
      #expect(try stack.labels(.not(isPalindrome), in: context) == ["b", "nil"])
      let small = try FetchPredicate(format: "#size < 3")
      #expect(try stack.labels(.and([small, isPalindrome]), in: context) == ["a"])
      #expect(try stack.labels(.or([small, isPalindrome]), in: context) == ["a", "b", "c"])
      var first = FetchRequest("Sample", where: isPalindrome, order: [.descending("size")], limit: 1)
      #expect(try context.fetch(first).texts("label") == ["c"])
      first.fetchOffset = 1
      #expect(try context.fetch(first).texts("label") == ["a"])
      #expect(try context.identifiers(for: FetchRequest("Sample", where: isPalindrome)).count == 2)
    },
    StackCase("PR-82 a block judges unsaved values") { (stack: LanguageStack) throws in
      _ = try BlockCases.fill(stack)
      let context = stack.makeContext()
      for sample in try context.fetch(FetchRequest("Sample")) {
        switch try sample.value("label") {
        case .string("a"): try sample.set("text", to: "ann")
        case .string("b"): try sample.set("text", to: "bob")
        default: break
        }
      }
      try stack.fill([Sample("new", ["text": "eve"])], in: context)
      #expect(try stack.labels(BlockCases.isPalindrome, in: context) == ["b", "c", "new"])
    },
    StackCase("PR-82 a block reads paths, collections and objects, by place and by text") {
      (stack: LanguageStack) throws in
      _ = try BlockCases.fill(stack)
      let context = stack.makeContext()
      let block = FetchPredicate.block("links", reading: "box.name", "steps.x", "steps.@count", "box") {
        row in
        guard try row["box.name"] == .string("left"), row[1] == .list([.int(1), .int(2)]) else {
          return false
        }
        guard case .object = row[3] else { return false }
        return try row["steps.@count"] == .int(2)
      }
      #expect(try stack.labels(block, in: context) == ["a"])
      let isMissing = FetchPredicate.block("isMissing", reading: "box.name") { $0[0].isNull }
      #expect(try stack.labels(isMissing, in: context) == ["c", "nil"])
      // What the block follows counts as read: an unsaved box moves the answer.
      let box = try #require(
        try context.fetch(FetchRequest("Box", where: try FetchPredicate(format: "name == 'left'"))).first)
      try box.set("name", to: .null)
      #expect(try stack.labels(isMissing, in: context) == ["a", "c", "nil"])
    },
    StackCase("PR-82 a wrong key is refused before the store is asked, and a failing block fails the fetch") {
      (stack: LanguageStack) throws in
      _ = try BlockCases.fill(stack)
      let context = stack.makeContext()
      let wrong = FetchPredicate.block("wrong", reading: "texd") { _ in true }
      var error = #expect(throws: FetchPredicateError.self) { try stack.labels(wrong, in: context) }
      #expect(error?.code == .unknownKeyPath && error?.subject == "texd")
      #expect(stack.store.calls.queries.isEmpty)
      let unnamed = FetchPredicate.block("unnamed", reading: "text") { row in try row["size"] == .int(1) }
      error = #expect(throws: FetchPredicateError.self) { try stack.labels(unnamed, in: context) }
      #expect(error?.code == .unknownKeyPath && error?.subject == "size")
    },
    StackCase("PR-82 a block in a subquery takes its values from the element") {
      (stack: LanguageStack) throws in
      _ = try BlockCases.fill(stack)
      let isOdd = FetchPredicate.block(
        PredicateBlock("isOdd", reading: [try FetchExpression(format: "$p.x")]) { row in
          if case .int(let number) = row[0] { number % 2 == 1 } else { false }
        })
      let count = FetchExpression.path(.subquery(.keyPath(["parts"]), variable: "p", isOdd), ["@count"])
      let predicate = FetchPredicate.comparison(.init(count, .equal, .constant(.int(1))))
      #expect(try stack.labels(predicate, in: stack.makeContext()) == ["a", "c"])
    },
    StackCase("BR-65, F29 an order that is code sorts before offset and limit, in every store") {
      (stack: LanguageStack) throws in
      let context = stack.makeContext()
      try stack.fill((0..<100).map { Sample("\($0)", ["size": $0, "text": "t\($0)"]) }, in: context)
      try stack.fill([Sample("nil")], in: context)
      let byLastDigit = SortComparator("byLastDigit") { a, b in
        guard case .int(let a) = a, case .int(let b) = b else { return .orderedSame }
        return a % 10 == b % 10 ? .orderedSame : a % 10 < b % 10 ? .orderedAscending : .orderedDescending
      }
      for save in [false, true] {
        if save { try context.save() }
        for context in save ? [context, stack.makeContext()] : [context] {
          var request = FetchRequest(
            "Sample",
            order: [FetchSortDescriptor("size", ascending: false, by: byLastDigit), .ascending("size")],
            limit: 5)
          #expect(try context.fetch(request).texts("label") == ["9", "19", "29", "39", "49"])
          request.sortDescriptors[0].ascending = true
          #expect(try context.fetch(request).texts("label") == ["nil", "0", "10", "20", "30"])
          request.fetchOffset = 1
          request.predicate = try FetchPredicate(format: "#size > 50")
          #expect(try context.fetch(request).texts("label") == ["70", "80", "90", "51", "61"])
        }
      }
      var columns = FetchRequest(
        "Sample",
        order: [FetchSortDescriptor("size", ascending: false, by: byLastDigit), .ascending("size")],
        limit: 3)
      columns.propertiesToFetch = ["label"]
      #expect(
        try context.dictionaries(for: columns) == ["9", "19", "29"].map { ["label": .string($0)] })
      let predicate = FetchPredicate.constant(true)
      let wrong = FetchRequest(
        "Sample", where: predicate, order: [FetchSortDescriptor("sise", by: byLastDigit)])
      #expect(throws: FetchPredicateError.self) { try context.fetch(wrong) }
    },
  ]
}
