import FederatedData
import Foundation
import TestSupport
import Testing

/// The same rows in one store, in another, and dealt out to three: every answer is the same.
@Suite("Columns and groups mean one thing in every store")
struct OneMeaningOfColumnsTests {
  enum Home: String, CaseIterable {
    case xml = "an XML file"
    case sqlite = "a SQLite file"
    case three = "a third in memory, in XML and in SQLite each"
    case plain = "stores that answer rows only"
  }

  private static let texts: [String?] = [
    "a", "A", "\u{e9}", "e\u{301}", nil, "", "\u{1f600}", "\u{fffd}", "a", nil,
  ]
  private static let doubles: [Double?] = [
    0.1, 1e16, -1e16, nil, -0.0, 0, 1e308, -1e308, 0x1p-1074, 2.5, .infinity, 0.3, 12.1,
  ]
  private static let decimals = [
    "0.1", nil, "12345678901234567890123456789012345678", "1.00", "1", "-0.5", "1e-20", "12.10",
  ]
  private static let wholes: [Int?] = [.max, .min, nil, 1, 0, 9_007_199_254_740_993, 9_007_199_254_740_992]

  private static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel {
      EntityDescription("Note") {
        AttributeDescription("number", .integer32)
        AttributeDescription("text", .string, optional: true)
        AttributeDescription("rating", .double, optional: true)
        AttributeDescription("price", .decimal, optional: true)
        AttributeDescription("weight", .integer64, optional: true)
        AttributeDescription("at", .date, optional: true)
        AttributeDescription("isDone", .boolean, optional: true)
        RelationshipDescription("topic", to: "Topic", inverse: "notes")
      }
      EntityDescription("Topic") {
        AttributeDescription("name", .string)
        RelationshipDescription("notes", to: "Note", .many, inverse: "topic")
      }
    }
  }

  /// - Parameter types: a store for each; rows are dealt out to them in turn.
  private static func context(_ types: [StoreType], in folder: TemporaryFolder) throws -> ManagedObjectContext
  {
    let coordinator = PersistentStoreCoordinator(model: try self.model())
    for (number, type) in types.enumerated() {
      try coordinator.add(
        PersistentStoreDescription(type, at: folder.file("\(number).store"), name: "\(number)"))
    }
    let context = ManagedObjectContext(coordinator: coordinator)
    var topics: [[ManagedObject]] = []
    for store in types.indices {
      topics.append(
        try ["t", "u"].map { name in
          let topic = try context.insert("Topic")
          try topic.set("name", to: name)
          try context.assign(topic, toStoreNamed: "\(store)")
          return topic
        })
    }
    for number in 0..<70 {
      let note = try context.insert("Note")
      let store = number % types.count
      try context.assign(note, toStoreNamed: "\(store)")
      try note.set("number", to: number)
      try note.set("text", to: self.texts[number % self.texts.count])
      try note.set("rating", to: self.doubles[number % self.doubles.count])
      try note.set(
        "price", to: self.decimals[number % self.decimals.count].flatMap { Decimal(string: $0, locale: nil) })
      try note.set("weight", to: self.wholes[number % self.wholes.count])
      if number % 3 > 0 { try note.set("at", to: Date(timeIntervalSinceReferenceDate: Double(number % 4))) }
      if number % 5 > 1 { try note.set("isDone", to: number % 2 == 0) }
      if number % 7 > 0 { try note.set("topic", to: topics[store][number % 2]) }
    }
    try context.save()
    return context
  }

  private static func answers(_ context: ManagedObjectContext) throws -> [[[String: Value]]] {
    let aggregates = try [
      "count(SELF)", "count(rating)", "sum(rating)", "average(rating)", "min(rating)", "max(rating)",
      "median(rating)", "mode(rating)", "sum(price)", "average(price)", "min(price)", "max(price)",
      "stddev(number)", "sum(weight)", "average(weight)", "max(weight)", "min(text)", "max(text)", "min(at)",
      "sum(isDone)", "sum(number * 2)", "sum(rating) / count(rating)", "max(topic.name)",
    ].map { FetchColumn.expression(try ExpressionDescription($0, $0)) }
    var requests: [FetchRequest] = []
    for keys in [
      [], ["text"], ["rating"], ["price"], ["weight"], ["at", "isDone"], ["topic.name"], ["half"],
      ["text", "at"],
    ] {
      var request = FetchRequest("Note")
      request.propertiesToGroupBy = keys
      let half = FetchColumn.expression(try ExpressionDescription("half", "number / 20"))
      request.propertiesToFetch = keys.map { $0 == "half" ? half : .property($0) } + aggregates
      // Infinity would hide what is added to it.
      for format in [nil, "rating < 1e300 OR rating == nil", "text MATCHES[c] '.*[ae].*'", "number < 0"] {
        request.predicate = try format.map { try FetchPredicate(format: $0) }
        requests.append(request)
      }
      // A list of values has no order.
      for aggregate in aggregates where aggregate.name != "mode(rating)" {
        request.propertiesToFetch = (keys == ["half"] ? [half] : []) + [aggregate]
        request.predicate = try FetchPredicate(format: "number > 9")
        request.sortDescriptors = [.descending(aggregate.name)]
        requests.append(request)
        request.sortDescriptors = []
      }
    }
    for columns in [["text"], ["rating"], ["price", "isDone"], ["topic.name", "at"], ["weight"]] {
      var request = FetchRequest("Note", order: [.descending("isDone"), .ascending("number")])
      request.propertiesToFetch = columns.map { .property($0) }
      for format in [nil, "text != 'a'", "text MATCHES '.*'"] {
        request.predicate = try format.map { try FetchPredicate(format: $0) }
        request.returnsDistinctResults = false
        requests.append(request)
        request.returnsDistinctResults = true
        requests.append(request)
        request.fetchOffset = 2
        request.fetchLimit = 3
        requests.append(request)
      }
    }
    return try requests.map { try context.dictionaries(for: $0) }
  }

  /// Of the two zeros a plain column answers the one that the row has.
  private static func text(_ answer: [[String: Value]]) -> [String] {
    answer.map { line in
      line.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ").replacing(
        "-0.0", with: "0.0")
    }
  }

  @Test("one store, another one, three of them, or one that knows rows only", arguments: Home.allCases)
  func answers(_ home: Home) throws {
    let folder = try TemporaryFolder()
    let types: [StoreType] =
      switch home {
      case .xml: [.xml]
      case .sqlite: [.sqlite]
      case .three: [.inMemory, .xml, .sqlite]
      case .plain: [.rowsOnly(.sqlite), .rowsOnly(.inMemory)]
      }
    let reference = try TemporaryFolder()
    let expected = try Self.answers(try Self.context([.inMemory], in: reference))
    let found = try withExtendedLifetime(folder) {
      try Self.answers(try Self.context(types, in: folder))
    }
    #expect(expected.count == found.count)
    for (number, (expected, found)) in zip(expected, found).enumerated() {
      #expect(Self.text(found) == Self.text(expected), "request \(number)")
    }
    #expect(expected[0].count == 1 && expected[0][0]["count(SELF)"] == .int(70))
  }
}
