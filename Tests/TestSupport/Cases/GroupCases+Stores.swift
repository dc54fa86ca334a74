internal import FederatedModel
internal import FederatedRuntime
internal import FederatedStore
internal import Testing

extension GroupCases {
  private static func notes(
    _ stack: AuthorStack, _ rows: [(store: String, text: String?, rating: Double?)]
  ) throws -> ManagedObjectContext {
    try stack.addSecondSide().forgetCalls()
    let context = stack.makeContext()
    for row in rows {
      let note = try stack.insertNote("two", row.text, row.rating, in: context)
      try context.assign(note, toStoreNamed: row.store)
    }
    try context.save()
    return stack.makeContext()
  }

  private static func request(_ columns: FetchColumn...) throws -> FetchRequest {
    var request = FetchRequest("Note", where: try FetchPredicate(format: "authorAlias == 'two'"))
    request.propertiesToFetch = columns
    return request
  }

  /// Fixture D0, with notes in two stores.
  public static let stores: [StackCase<AuthorStack>] = [
    StackCase("FR-38, F33 an average over two stores is of all rows") { (stack: AuthorStack) throws in
      let context = try notes(
        stack, [("X", "a", 1), ("X", "a", 4), ("X2", "b", 2), ("X2", "b", 3), ("X2", "b", 5)])
      var request = try request(
        .expression(try ExpressionDescription("mean", "average(rating)")),
        .expression(try ExpressionDescription("middle", "median(rating)")),
        .expression(try ExpressionDescription("rows", "count(SELF)")))
      #expect(
        try context.dictionaries(for: request) == [
          ["mean": .double(3), "middle": .double(3), "rows": .int(5)]
        ])
      request.affectedStores = ["X"]
      #expect(
        try context.dictionaries(for: request) == [
          ["mean": .double(2.5), "middle": .double(2.5), "rows": .int(2)]
        ])
    },
    StackCase("FR-39, F33 distinct lines are distinct over both stores") { (stack: AuthorStack) throws in
      let context = try notes(
        stack, [("X", "same", 1), ("X", "x", 2), ("X2", "same", 3), ("X2", "y", 4), ("X2", "x", 0)])
      var request = try request("text")
      request.returnsDistinctResults = true
      #expect(
        try context.dictionaries(for: request) == ["same", "x", "y"].map { ["text": .string($0)] })
      request.sortDescriptors = [.ascending("rating")]
      request.fetchOffset = 1
      #expect(try context.dictionaries(for: request) == ["same", "y"].map { ["text": .string($0)] })
      request.resultType = .dictionaries
      #expect(try context.count(for: request) == 2)
    },
    StackCase("F33 groups with equal keys in two stores are one") { (stack: AuthorStack) throws in
      let context = try notes(
        stack, [("X", "a", 1), ("X", nil, -0.0), ("X2", "a", 3), ("X2", "b", nil), ("X2", nil, 0.0)])
      var request = try request(
        "text", .expression(try ExpressionDescription("total", "sum(rating)")),
        .expression(try ExpressionDescription("best", "max(rating)")))
      request.propertiesToGroupBy = ["text"]
      #expect(
        try context.dictionaries(for: request) == [
          ["total": .double(0), "best": .double(0)],
          ["text": .string("a"), "total": .double(4), "best": .double(3)],
          ["text": .string("b"), "total": .double(0)],
        ])
      request.havingPredicate = try FetchPredicate(format: "count(SELF) > 1 AND text != nil")
      #expect(
        try context.dictionaries(for: request) == [
          ["text": .string("a"), "total": .double(4), "best": .double(3)]
        ])
    },
    StackCase("F30 columns of two stores have one order and one window") { (stack: AuthorStack) throws in
      let context = try notes(
        stack, [("X", "a", 4), ("X", "b", 1), ("X2", "c", 3), ("X2", "d", 2), ("X2", "e", 4)])
      var request = try request("text", .expression(try ExpressionDescription("twice", "rating * 2")))
      for key in ["rating", "twice"] {
        request.sortDescriptors = [.descending(key)]
        request.fetchOffset = 1
        request.fetchLimit = 2
        #expect(
          try context.dictionaries(for: request) == [
            ["text": .string("e"), "twice": .double(8)], ["text": .string("c"), "twice": .double(6)],
          ], "\(key)")
      }
    },
  ]
}
