import FederatedData
import Foundation
import TestSupport
import Testing

/// Keys that look alike and are not equal, between stores of every kind.
@Suite("Near keys over stores")
struct NearKeysTests {
  private let folder: TemporaryFolder

  init() throws { self.folder = try TemporaryFolder() }

  private func context(
    _ from: ReportStore, _ to: ReportStore, source: AttributeType, item: AttributeType, limit: Int = 0,
    unique: Bool = false
  ) throws -> ManagedObjectContext {
    var entity = EntityDescription("Item") { AttributeDescription("code", item, optional: true) }
    if unique { entity.uniquenessConstraints = [["code"]] }
    let model = try ManagedObjectModel(
      entities: [
        EntityDescription("Source") {
          AttributeDescription("key", source, optional: true)
          FetchedPropertyDescription("items", of: "Item", where: "code == $FETCH_SOURCE.key", limit: limit)
        }, entity,
      ],
      configurations: [
        ModelConfiguration("From", entities: ["Source"]), ModelConfiguration("To", entities: ["Item"]),
      ])
    return try PersistentContainer(
      model: model,
      stores: [
        from.description("from", configuration: "From", in: self.folder),
        to.description("to", configuration: "To", in: self.folder),
      ]
    ).makeContext()
  }

  /// The differences that a diagnosis of the one source and a check of all links tell, before the save and after it.
  private func differences(
    _ from: ReportStore, _ to: ReportStore, _ source: (AttributeType, Value), _ item: (AttributeType, Value)
  ) throws -> Set<[KeyDifference]> {
    let context = try self.context(from, to, source: source.0, item: item.0)
    let owner = try context.insert("Source")
    try owner.set("key", to: source.1)
    try context.insert("Item").set("code", to: item.1)
    var found: Set<[KeyDifference]> = []
    for isSaved in [false, true] {
      if isSaved { try context.save() }
      #expect(try owner.diagnose("items").results == 0)
      let diagnosis = try owner.diagnose("items")
      #expect(diagnosis.nearMisses.map(\.count) == [1])
      found.formUnion(diagnosis.nearMisses.map(\.differences))
      let check = try context.checkLinks()
      let findings = check.properties.flatMap(\.findings).filter { $0.kind == .nearMisses }
      #expect(findings.map(\.count) == [1])
      found.formUnion(findings.map(\.differences))
    }
    return found
  }

  @Test(
    "a text key that spells a number is a near miss of the number (BR-57)", arguments: ReportStore.allCases,
    ReportStore.allCases)
  func numberText(_ from: ReportStore, _ to: ReportStore) throws {
    #expect(
      try self.differences(from, to, (.string, .string("007")), (.integer32, .int(7))) == [[.numberText]])
  }

  @Test(
    "composed and decomposed text are near misses in both directions, and are told by their scalars (BR-75)",
    arguments: ReportStore.allCases, ReportStore.allCases)
  func normalForms(_ from: ReportStore, _ to: ReportStore) throws {
    let (composed, decomposed) = ("Mich\u{E8}le", "Miche\u{300}le")
    #expect(
      try self.differences(from, to, (.string, .string(composed)), (.string, .string(decomposed)))
        == [[.normalization]])
  }

  @Test(
    "dates, UUIDs and numbers of other kinds are near over every pair of stores",
    arguments: ReportStore.allCases, ReportStore.allCases)
  func kinds(_ from: ReportStore, _ to: ReportStore) throws {
    let uuid = UUID()
    let date = Date(timeIntervalSinceReferenceDate: 700_000_000.5)
    for (number, (source, item, difference)) in [
      ((AttributeType.uuid, Value.uuid(uuid)), (.string, .string(uuid.uuidString.lowercased())), .uuidForm),
      ((.date, .date(date)), (.date, .date(date - 0.5)), .dateFraction),
      ((.date, .date(date)), (.date, .date(date + 3600)), .timeZone),
      ((.double, .double(0.1)), (.float, .double(Double(Float(0.1)))), .numberPrecision),
    ].enumerated() as EnumeratedSequence<[((AttributeType, Value), (AttributeType, Value), KeyDifference)]> {
      let tests = try NearKeysTests()
      #expect(try tests.differences(from, to, source, item) == [[difference]], "case \(number)")
    }
  }

  @Test(
    "several rows of one key are a finding where one is expected, and only there",
    arguments: ReportStore.allCases)
  func duplicates(_ to: ReportStore) throws {
    for (limit, isExpected) in [(0, false), (1, true), (2, false)] {
      let tests = try NearKeysTests()
      let context = try tests.context(.memory, to, source: .string, item: .string, limit: limit)
      try context.insert("Source").set("key", to: "a")
      for code in ["a", "a", "b", "b"] { try context.insert("Item").set("code", to: code) }
      try context.save()
      let findings = try context.checkLinks("Source.items").properties.flatMap(\.findings)
      #expect(findings.map(\.kind) == (isExpected ? [.duplicates] : []))
      #expect(findings.first?.examples.first?.rows.count == (isExpected ? 2 : nil))
    }
  }

  @Test("a destination without a store, and one without rows")
  func missing() throws {
    let model = try ManagedObjectModel {
      EntityDescription("Source") {
        AttributeDescription("key", .string)
        FetchedPropertyDescription("items", of: "Item", where: "code == $FETCH_SOURCE.key")
        FetchedPropertyDescription("others", of: "Other", where: "code == $FETCH_SOURCE.key")
      }
      EntityDescription("Item") { AttributeDescription("code", .string) }
      EntityDescription("Other") { AttributeDescription("code", .string) }
      ModelConfiguration("Held", entities: ["Source", "Other"])
    }
    let container = try PersistentContainer(
      model: model,
      stores: [ReportStore.sqlite.description("held", configuration: "Held", in: self.folder)],
      missingDestinations: .allow)
    let context = container.makeContext()
    let source = try context.insert("Source")
    try source.set("key", to: "a")
    try context.save()
    #expect(try source.diagnose("items").reasons.map(\.code) == [.noStore])
    #expect(try source.diagnose("others").reasons.map(\.code) == [.noRows])
    let check = try context.checkLinks()
    #expect(check.properties.map { $0.findings.map(\.kind) } == [[.noStore], [.danglingKeys]])
  }

  @Test("an object whose row is gone says so, and a condition that cannot be asked is a reason")
  func unreadable() throws {
    let context = try self.context(.sqlite, .xml, source: .date, item: .double)
    let source = try context.insert("Source")
    try source.set("key", to: Date(timeIntervalSinceReferenceDate: 7))
    try context.insert("Item").set("code", to: 7.0)
    try context.save()
    #expect(throws: FetchPredicateError.self) { try source.fetched("items") }
    let diagnosis = try source.diagnose("items")
    #expect(diagnosis.reasons.first?.code == .cannotBeAsked)
    let other = ManagedObjectContext(coordinator: context.coordinator)
    other.delete(try other.existingObject(with: source.objectID))
    try other.save()
    context.refresh(source, mergeChanges: false)
    #expect(throws: ManagedObjectError.self) { try source.value("key") }
    #expect(try source.diagnose("items").reasons.map(\.code) == [.sourceDeleted])
  }

  @Test("explanations of links are data: encoded and decoded they are the same")
  func coding() throws {
    let context = try self.context(.memory, .memory, source: .string, item: .string)
    let source = try context.insert("Source")
    try source.set("key", to: "A")
    try context.insert("Item").set("code", to: "a")
    let diagnosis = try source.diagnose("items")
    let check = try context.checkLinks()
    #expect(
      try JSONDecoder().decode(LinkDiagnosis.self, from: JSONEncoder().encode(diagnosis)) == diagnosis)
    #expect(try JSONDecoder().decode(LinkCheck.self, from: JSONEncoder().encode(check)) == check)
    #expect("\(check)".hasSuffix("1 fetched property checked, 2 findings"))
  }
}
