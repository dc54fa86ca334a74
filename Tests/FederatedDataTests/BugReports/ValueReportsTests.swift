import FederatedData
import Foundation
import TestSupport
import Testing

@Suite("Bug reports: order, dates, numbers and normal forms")
struct ValueReportsTests {
  private let folder: TemporaryFolder
  init() throws { self.folder = try TemporaryFolder() }

  private static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel {
      EntityDescription("Item") {
        AttributeDescription("n", .integer32)
        AttributeDescription("name", .string, optional: true)
        AttributeDescription("at", .date, optional: true)
        AttributeDescription("amount", .decimal, optional: true)
      }
    }
  }

  @Test("signs and letters have one order in every store (BR-63)", arguments: ReportStore.allCases)
  func signs(_ store: ReportStore) throws {
    let container = try store.container(Self.model(), in: self.folder)
    let context = container.makeContext()
    for (n, name) in ["08 sircus", "'PalinkA", "A.I.C", "&byP&D", ".efiLevol"].enumerated() {
      let item = try context.insert("Item")
      try item.set("n", to: n)
      try item.set("name", to: name)
    }
    for saved in [false, true] {
      if saved { try context.save() }
      let context = saved ? container.makeContext() : context
      #expect(
        try context.texts("name", of: "Item", order: [.ascending("name")]) == [
          "&byP&D", "'PalinkA", ".efiLevol", "08 sircus", "A.I.C",
        ])
      #expect(
        try context.texts(
          "name", of: "Item",
          order: [FetchSortDescriptor("name", ascending: false, comparison: .caseInsensitive)])
          == ["A.I.C", "08 sircus", ".efiLevol", "'PalinkA", "&byP&D"])
    }
  }

  @Test("100,000 dates come back with every bit (BR-67)", arguments: ReportStore.allCases)
  func dates(_ store: ReportStore) throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = SplitMix(state: seed)
    let seconds = (0..<100_000).map { n -> Double in
      switch n % 4 {
      case 0: Double(Int64.random(in: -4_000_000_000...4_000_000_000, using: &random)) / 1000
      case 1: Double.random(in: -1e9...1e9, using: &random)
      case 2: Double.random(in: -1e-3...1e-3, using: &random)
      default: Double.random(in: -6e10...2.5e11, using: &random)
      }
    }
    let container = try store.container(Self.model(), in: self.folder)
    let writer = container.makeContext()
    for (n, second) in seconds.enumerated() {
      let item = try writer.insert("Item")
      try item.set("n", to: n)
      try item.set("at", to: Date(timeIntervalSinceReferenceDate: second))
    }
    try writer.save()
    let reader =
      store == .memory
      ? container.makeContext() : try store.container(Self.model(), in: self.folder).makeContext()
    let items = try reader.fetch(FetchRequest("Item", order: [.ascending("n")]))
    #expect(items.count == seconds.count)
    var differing = 0
    for (item, second) in zip(items, seconds) {
      guard case .date(let date) = try item.value("at"),
        date.timeIntervalSinceReferenceDate.bitPattern == second.bitPattern
      else {
        differing += 1
        continue
      }
    }
    #expect(differing == 0, "seed \(seed)")
    let some = Date(timeIntervalSinceReferenceDate: seconds[1])
    #expect(try reader.count(for: FetchRequest("Item", where: "at == %@", some)) == 1)
  }

  @Test(
    "setting what is stored already writes nothing, and no version moves (BR-69)",
    arguments: ReportStore.allCases)
  func unchanged(_ store: ReportStore) throws {
    let container = try store.container(Self.model(), in: self.folder)
    let writer = container.makeContext()
    let item = try writer.insert("Item")
    try item.set("n", to: 1)
    try item.set("name", to: "a")
    try item.set("at", to: Date(timeIntervalSinceReferenceDate: 0.1))
    try item.set("amount", to: Decimal(string: "3.330"))
    try writer.save()
    let before = try self.writtenFiles()
    let statements = container.coordinator.statisticsByStore["store"]?.statements
    let context = container.makeContext()
    let read = try context.fetch(FetchRequest("Item"))[0]
    try read.set("at", to: Date(timeIntervalSinceReferenceDate: 0.1))
    try read.set("name", to: "a")
    try read.set("amount", to: Decimal(string: "3.33"))
    #expect(!read.hasPersistentChangedValues)
    try context.save()
    #expect(try self.writtenFiles() == before)
    let fetched = container.coordinator.statisticsByStore["store"]?.statements
    #expect((fetched ?? 0) - (statements ?? 0) <= 1)
    // No version moved: another context's edit of the same row meets no conflict.
    try item.set("n", to: 2)
    try writer.save()
    #expect(try container.makeContext().count(for: FetchRequest("Item", where: "n == 2")) == 1)
  }

  /// The files without the index of the write-ahead log, which readers change too.
  private func writtenFiles() throws -> [String: Data] {
    try FolderState(self.folder.url).files.filter { !$0.key.hasSuffix("-shm") }
  }

  @Test(
    "decimals keep their digits and their order, read by a new stack (BR-73, FR-33)",
    arguments: ReportStore.allCases)
  func decimals(_ store: ReportStore) throws {
    let texts = [
      "-12345678901234567.89", "0", "0.00000000000000000001", "0.1", "0.1234567890123456789", "3.33", "9",
      "10",
      "12345678901234567.89",
    ]
    let container = try store.container(Self.model(), in: self.folder)
    let writer = container.makeContext()
    for (n, text) in texts.enumerated().shuffled() {
      let item = try writer.insert("Item")
      try item.set("n", to: n)
      try item.set("amount", to: Decimal(string: text))
    }
    try writer.save()
    let reader =
      store == .memory
      ? container.makeContext() : try store.container(Self.model(), in: self.folder).makeContext()
    let items = try reader.fetch(FetchRequest("Item", order: [.ascending("amount")]))
    #expect(try items.map { try $0.value("n") } == texts.indices.map { .int(Int64($0)) })
    for (item, text) in zip(items, texts) {
      #expect(try item.value("amount") == Decimal(string: text).map { .decimal($0) })
    }
    for (n, text) in texts.enumerated() {
      let decimal = try #require(Decimal(string: text))
      #expect(try reader.fetch(FetchRequest("Item", where: "amount == %@", decimal)).count == 1)
      #expect(try reader.count(for: FetchRequest("Item", where: "amount < %@", decimal)) == n)
      #expect(try reader.count(for: FetchRequest("Item", where: "amount >= %@", decimal)) == texts.count - n)
    }
  }

  @Test(
    "composed and decomposed text are two texts in both directions, and one under [d] (BR-75)",
    arguments: ReportStore.allCases, ReportStore.allCases)
  func normalForms(_ from: ReportStore, _ to: ReportStore) throws {
    let (composed, decomposed) = ("Mich\u{E8}le", "Miche\u{300}le")
    let model = try ManagedObjectModel {
      EntityDescription("Source") {
        AttributeDescription("key", .string)
        FetchedPropertyDescription("exact", of: "Item", where: "name == $FETCH_SOURCE.key")
        FetchedPropertyDescription("marked", of: "Item", where: "name ==[d] $FETCH_SOURCE.key")
        FetchedPropertyDescription("folded", of: "Item", where: "name ==[c] $FETCH_SOURCE.key")
      }
      EntityDescription("Item") { AttributeDescription("name", .string) }
      ModelConfiguration("From", entities: ["Source"])
      ModelConfiguration("To", entities: ["Item"])
    }
    for (key, name) in [(composed, decomposed), (decomposed, composed), (composed, composed)] {
      let folder = try TemporaryFolder()
      let container = try PersistentContainer(
        model: model,
        stores: [
          from.description("from", configuration: "From", in: folder),
          to.description("to", configuration: "To", in: folder),
        ])
      let context = container.makeContext()
      try context.insert("Source").set("key", to: key)
      try context.insert("Item").set("name", to: name)
      try context.save()
      let reader = container.makeContext()
      let source = try reader.fetch(FetchRequest("Source"))[0]
      let isSame = key.utf8.elementsEqual(name.utf8)
      #expect(try source.fetched("exact").count == (isSame ? 1 : 0))
      #expect(try source.fetched("marked").count == 1)
      #expect(try source.fetched("folded").count == 1)
      try reader.prefetch("exact", for: [source])
      #expect(try source.fetched("exact").count == (isSame ? 1 : 0))
      #expect(try reader.count(for: FetchRequest("Item", where: "name == %@", key)) == (isSame ? 1 : 0))
      #expect(try reader.count(for: FetchRequest("Item", where: "name LIKE %@", key)) == (isSame ? 1 : 0))
    }
  }
}

/// Random numbers that a seed gives again.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    self.state &+= 0x9E37_79B9_7F4A_7C15
    var z = self.state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
