import FederatedData
import Foundation
import TestSupport
import Testing

@Suite("Bug reports: predicates and SQL generation")
struct PredicateReportsTests {
  private let folder: TemporaryFolder
  init() throws { self.folder = try TemporaryFolder() }

  private static func itemModel() throws -> ManagedObjectModel {
    try ManagedObjectModel {
      EntityDescription("Item") {
        AttributeDescription("name", .string, optional: true)
        AttributeDescription("n", .integer64, optional: true)
      }
    }
  }

  private func names(_ names: [String?], in store: ReportStore) throws -> PersistentContainer {
    let container = try store.container(Self.itemModel(), in: self.folder)
    let context = container.makeContext()
    for (n, name) in names.enumerated() {
      let item = try context.insert("Item")
      try item.set("name", to: name)
      try item.set("n", to: n)
    }
    try context.save()
    return container
  }

  @Test("case is ignored in every script, in every store (BR-49)", arguments: ReportStore.allCases)
  func caseOfEveryScript(_ store: ReportStore) throws {
    let container = try self.names(["Творог", "творог", "ΣΊΣΥΦΟΣ", "Ä", nil], in: store)
    let context = container.makeContext()
    #expect(
      try context.texts("name", of: "Item", where: "name CONTAINS[c] 'творог'", order: [.ascending("n")]) == [
        "Творог", "творог",
      ])
    #expect(try context.texts("name", of: "Item", where: "name CONTAINS 'творог'") == ["творог"])
    #expect(try context.texts("name", of: "Item", where: "name LIKE[c] 'ТВО*'").count == 2)
    #expect(try context.texts("name", of: "Item", where: "name ==[c] 'σίσυφος'") == ["ΣΊΣΥΦΟΣ"])
    #expect(try context.texts("name", of: "Item", where: "name LIKE[c] 'ä'") == ["Ä"])
  }

  private static let patterns: [(format: String, pattern: String, names: Set<String>)] = [
    ("name LIKE %@", "a_b*", ["a_b", "a_b%"]), ("name LIKE %@", "a%", ["a%"]),
    ("name LIKE %@", "*%*", ["a_b%", "a%", "%"]),
    ("name LIKE %@", "a?b", ["a_b", "axb", "a*b", "a?b", "a\\b"]),
    ("name LIKE %@", "a\\*b", ["a*b"]), ("name LIKE %@", "a\\?b", ["a?b"]),
    ("name LIKE %@", "a\\\\b", ["a\\b"]),
    ("name LIKE[c] %@", "A_B", ["a_b", "A_B"]),
    ("name BEGINSWITH %@", "a%", ["a%"]), ("name BEGINSWITH %@", "a_", ["a_b", "a_b%"]),
    ("name BEGINSWITH %@", "a*", ["a*b"]), ("name BEGINSWITH %@", "a\\", ["a\\b"]),
    ("name BEGINSWITH[c] %@", "A_", ["a_b", "a_b%", "A_B"]), ("name ENDSWITH %@", "%", ["a_b%", "a%", "%"]),
    ("name CONTAINS %@", "_", ["a_b", "a_b%", "A_B"]), ("name CONTAINS %@", "?", ["a?b"]),
    ("name MATCHES %@", "a_b", ["a_b"]), ("name MATCHES %@", "a.b", ["a_b", "axb", "a*b", "a?b", "a\\b"]),
    ("name MATCHES %@", "a[*?]b", ["a*b", "a?b"]), ("name MATCHES %@", "a\\\\b", ["a\\b"]),
    ("name MATCHES %@", ".*%", ["a_b%", "a%", "%"]), ("name MATCHES[c] %@", "A_B", ["a_b", "A_B"]),
  ]

  @Test(
    "the signs of patterns mean the same in data and pattern, in every store (BR-51)",
    arguments: ReportStore.allCases)
  func patternSigns(_ store: ReportStore) throws {
    let container = try self.names(
      ["a_b", "a_b%", "axb", "a*b", "a?b", "a\\b", "a%", "%", "A_B", "", nil], in: store)
    let context = container.makeContext()
    for (format, pattern, names) in Self.patterns {
      #expect(
        Set(try context.texts("name", of: "Item", where: format, pattern)) == names, "\(format) \(pattern)")
    }
  }

  @Test(
    "BETWEEN takes calculated bounds, and a nil bound holds nothing (BR-53)", arguments: ReportStore.allCases,
    ReportStore.allCases)
  func calculatedBounds(_ from: ReportStore, _ to: ReportStore) throws {
    let model = try ManagedObjectModel {
      EntityDescription("Range") {
        AttributeDescription("a", .integer32, optional: true)
        AttributeDescription("b", .integer32, optional: true)
        FetchedPropertyDescription(
          "items", of: "Item", where: "n BETWEEN {$FETCH_SOURCE.a, $FETCH_SOURCE.b - 1}",
          order: .ascending("n"))
      }
      EntityDescription("Item") { AttributeDescription("n", .integer64) }
      ModelConfiguration("From", entities: ["Range"])
      ModelConfiguration("To", entities: ["Item"])
    }
    let container = try PersistentContainer(
      model: model,
      stores: [
        from.description("from", configuration: "From", in: self.folder),
        to.description("to", configuration: "To", in: self.folder),
      ])
    let context = container.makeContext()
    for n in 0..<10 { try context.insert("Item").set("n", to: n) }
    let bounds: [(Int?, Int?, [Value])] = [
      (3, 6, [.int(3), .int(4), .int(5)]), (3, 3, []), (nil, 6, []), (3, nil, []),
    ]
    var ranges: [ManagedObject] = []
    for (a, b, _) in bounds {
      let range = try context.insert("Range")
      try range.set("a", to: a)
      try range.set("b", to: b)
      ranges.append(range)
    }
    try context.save()
    for (range, bound) in zip(ranges, bounds) {
      #expect(try range.fetched("items").map { try $0.value("n") } == bound.2)
    }
    let plain = FetchRequest(
      "Item", where: try FetchPredicate(format: "n * 2 BETWEEN {n + 1, 2 * 4 - 1}"), order: [.ascending("n")])
    #expect(
      try context.fetch(plain).map { try $0.value("n") } == [.int(1), .int(2), .int(3)])
  }

  @Test(
    "a text key never equals a number, the model warns of it, and CAST makes them meet (BR-57)",
    arguments: ReportStore.allCases, ReportStore.allCases)
  func unlikeKeys(_ from: ReportStore, _ to: ReportStore) throws {
    let model = try ManagedObjectModel {
      EntityDescription("Source") {
        AttributeDescription("code", .string, optional: true)
        FetchedPropertyDescription("items", of: "Item", where: "number == $FETCH_SOURCE.code")
        FetchedPropertyDescription(
          "castItems", of: "Item", where: "number == CAST($FETCH_SOURCE.code, 'NSNumber')")
      }
      EntityDescription("Item") { AttributeDescription("number", .integer32, optional: true) }
      ModelConfiguration("From", entities: ["Source"])
      ModelConfiguration("To", entities: ["Item"])
    }
    #expect(model.problems.isEmpty)
    #expect(model.warnings.map(\.rule) == [.unlikeLinkTypes])
    let warning = try #require(model.warnings.first)
    #expect(warning.entity == "Source" && warning.property == "items")
    #expect(warning.detail.contains("Item.number, which is a number, with code, which is text"), "\(warning)")

    let container = try PersistentContainer(
      model: model,
      stores: [
        from.description("from", configuration: "From", in: self.folder),
        to.description("to", configuration: "To", in: self.folder),
      ])
    let context = container.makeContext()
    let source = try context.insert("Source")
    try source.set("code", to: "007")
    try context.insert("Item").set("number", to: 7)
    try context.save()
    #expect(try source.fetched("items").isEmpty)
    #expect(try source.fetched("castItems").count == 1)
    try context.prefetch("items", for: [source])
    #expect(try source.fetched("items").isEmpty)
  }

  @Test(
    "IN takes lists of any length, and an empty one asks nothing (BR-59)",
    arguments: ReportStore.allCases, [0, 1, 999, 1_000, 32_766, 32_767, 250_001])
  func lists(_ store: ReportStore, _ size: Int) throws {
    let container = try self.names(["0", "500", "999", "31000", "32766", "250000", nil], in: store)
    let context = container.makeContext()
    let list = (0..<size).map { "\($0)" }
    let found = ["0", "500", "999", "31000", "32766", "250000"].filter { (Int($0) ?? 0) < size }
    let before = container.coordinator.statisticsByStore["store"]
    #expect(
      try context.texts("name", of: "Item", where: "name IN %@", list, order: [.descending("n")])
        == found.reversed())
    if size == 0, store == .sqlite {
      #expect(container.coordinator.statisticsByStore["store"]?.statements == before?.statements)
    }
    #expect(
      try context.texts("name", of: "Item", where: "NOT name IN %@ AND name != nil", list).count == 6
        - found.count)
  }

  @Test(
    "1,500 sources of a link over two columns are filled at once (BR-61)", arguments: ReportStore.allCases)
  func twoColumns(_ store: ReportStore) throws {
    let model = try ManagedObjectModel {
      EntityDescription("Source") {
        AttributeDescription("a", .integer32)
        AttributeDescription("b", .string, optional: true)
        FetchedPropertyDescription(
          "items", of: "Item", where: "a == $FETCH_SOURCE.a AND b == $FETCH_SOURCE.b", order: .ascending("n"))
      }
      EntityDescription("Item") {
        AttributeDescription("a", .integer32)
        AttributeDescription("b", .string, optional: true)
        AttributeDescription("n", .integer32)
      }
    }
    let container = try store.container(model, in: self.folder)
    let context = container.makeContext()
    for n in 0..<1_500 {
      let (source, item) = (try context.insert("Source"), try context.insert("Item"))
      try source.set("a", to: n)
      try source.set("b", to: n % 7 == 0 ? nil : "k\(n % 40)")
      try item.set("a", to: n - n % 2)
      try item.set("b", to: n % 7 == 0 ? nil : "k\(n % 40)")
      try item.set("n", to: n)
    }
    try context.save()
    let reader = container.makeContext()
    let sources = try reader.fetch(FetchRequest("Source", order: [.ascending("a")]))
    let before = try #require(container.coordinator.statisticsByStore["store"])
    let report = try reader.prefetch("items", for: sources)
    let after = try #require(container.coordinator.statisticsByStore["store"])
    #expect(report.fallbackReasons == [])
    #expect(after.reads - before.reads <= 3)
    for (n, source) in sources.enumerated() {
      let expected: [Value] = n % 2 == 0 ? [.int(Int64(n))] : []
      #expect(try source.fetched("items").map { try $0.value("n") } == expected)
    }
  }
}
