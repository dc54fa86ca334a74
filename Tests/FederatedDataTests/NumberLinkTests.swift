import FederatedData
import Foundation
import TestSupport
import Testing

/// Fetched properties between columns of unlike numbers, at the edges of what each kind can hold.
@Suite("Links over numbers of unlike kinds")
struct NumberLinkTests {
  private static let links = ["dIsI", "mIsI", "iIsD", "mIsD", "iIsM", "dIsM"]

  private static func model() throws -> ManagedObjectModel {
    var entity = EntityDescription("Number") {
      AttributeDescription("n", .integer64)
      AttributeDescription("i", .integer64, optional: true)
      AttributeDescription("d", .double, optional: true)
      AttributeDescription("m", .decimal, optional: true)
    }
    for link in links {
      let (key, source) = (link.first?.lowercased() ?? "", link.last?.lowercased() ?? "")
      entity.properties.append(
        FetchedPropertyDescription(
          link, of: "Number", where: "\(key) == $FETCH_SOURCE.\(source)", order: .ascending("n")))
    }
    return try ManagedObjectModel(entities: [entity], configurations: [])
  }

  private static let integers: [Int64?] = [
    nil, 0, .max, .min, 1 << 53, (1 << 53) + 1, 9_223_372_036_854_774_784,
  ]
  private static let doubles: [Double?] = [
    nil, 0, 0x1p53, 0x1p63, -0x1p63, 0x1p63 - 1024, 0.1, 0.300_000_000_000_000_04, 1e22, 1e23, .infinity,
    1e-200,
  ]
  private static let decimals = [
    nil, "0", "0.1", "0.30000000000000004", "0.3000000000000000444", "9007199254740993", "9007199254740992",
    "9223372036854775807", "9223372036854775808", "-9223372036854775808", "10000000000000000000000",
    "100000000000000000000000", "99999999999999991611392", "12345678901234567890123456789012345678",
  ]

  private static func fill(_ context: ManagedObjectContext) throws {
    for n in 0..<14 {
      let number = try context.insert("Number")
      try number.set("n", to: n)
      try number.set("i", to: integers[n % integers.count])
      try number.set("d", to: doubles[n % doubles.count])
      try number.set("m", to: decimals[n].flatMap { Decimal(string: $0) })
    }
    try context.save()
  }

  private static func expected(_ link: String, _ owner: ManagedObject, among all: [ManagedObject]) throws
    -> [Value]
  {
    let (key, source) = (link.first?.lowercased() ?? "", link.last?.lowercased() ?? "")
    let wanted = try owner.value(source)
    return try all.filter { try $0.value(key).matches(wanted) }.map { try $0.value("n") }
  }

  @Test(
    "every kind of store finds what is equal, one by one and by the set",
    arguments: ["memory", "xml", "sqlite"])
  func links(_ kind: String) throws {
    let folder = try TemporaryFolder()
    let coordinator = PersistentStoreCoordinator(model: try Self.model())
    let type: StoreType = kind == "xml" ? .xml : kind == "sqlite" ? .sqlite : .inMemory
    try coordinator.add(
      PersistentStoreDescription(type, at: kind == "memory" ? nil : folder.file("numbers.\(kind)")))
    try Self.fill(ManagedObjectContext(coordinator: coordinator))
    let order = FetchRequest("Number", order: [.ascending("n")])
    for link in Self.links {
      let single = ManagedObjectContext(coordinator: coordinator)
      let all = try single.fetch(order)
      let together = ManagedObjectContext(coordinator: coordinator)
      let owners = try together.fetch(order)
      #expect(try together.prefetch(link, for: owners).fallbackReasons == [])
      for (one, other) in zip(all, owners) {
        let expected = try Self.expected(link, one, among: all)
        #expect(try one.fetched(link).map { try $0.value("n") } == expected, "\(link), one by one")
        #expect(try other.fetched(link).map { try $0.value("n") } == expected, "\(link), by the set")
      }
    }
  }

  @Test(
    "numbers of unlike kinds have one order in every kind of store", arguments: ["memory", "xml", "sqlite"])
  func order(_ kind: String) throws {
    let folder = try TemporaryFolder()
    let coordinator = PersistentStoreCoordinator(model: try Self.model())
    let type: StoreType = kind == "xml" ? .xml : kind == "sqlite" ? .sqlite : .inMemory
    try coordinator.add(
      PersistentStoreDescription(type, at: kind == "memory" ? nil : folder.file("numbers.\(kind)")))
    let context = ManagedObjectContext(coordinator: coordinator)
    try Self.fill(context)
    let all = try context.fetch(FetchRequest("Number", order: [.ascending("n")]))
    let bounds =
      Self.integers.compactMap(\.self).map(Value.int) + Self.doubles.compactMap(\.self).map(Value.double)
      + Self.decimals.compactMap(\.self).compactMap { Decimal(string: $0) }.map(Value.decimal)
    for key in ["i", "d", "m"] {
      for bound in bounds {
        let request = FetchRequest(
          "Number", where: try FetchPredicate(format: "%K < %@", key, bound), order: [.ascending("n")])
        let expected = try all.filter { try $0.value(key).order(bound).map { $0 < 0 } ?? false }
        #expect(try context.fetch(request) == expected, "\(key) < \(bound)")
      }
    }
  }
}
