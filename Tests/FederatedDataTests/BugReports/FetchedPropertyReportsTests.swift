import FederatedData
import Foundation
import TestSupport
import Testing

@Suite("Bug reports: fetched properties")
struct FetchedPropertyReportsTests {
  @Test("BR-01: the source is the object in every context, never an identifier")
  func sourceIsTheObject() throws {
    let stack = try TwoFileStack()
    try stack.fill([("A", "a"), ("B", "b")], [("a", "one"), ("a", "two"), ("b", "three")])
    for _ in 0..<2 {
      let context = stack.container.makeContext()
      let books = try stack.books(in: context)
      #expect(try TwoFileStack.texts(books[0].fetched("info")) == ["one", "two"])
      #expect(try TwoFileStack.texts(books[1].fetched("info")) == ["three"])
    }
  }

  @Test("BR-03: sorting through a fetched property of another store is one error that names the key")
  func sortAcross() throws {
    let stack = try TwoFileStack()
    try stack.fill([("A", "a")], [("a", "one")])
    let context = stack.container.makeContext()
    let error = try #require(throws: FetchPredicateError.self) {
      try context.fetch(FetchRequest("Book", order: [.ascending("info.text")]))
    }
    #expect(error.code == .keyPathNotFetchable)
    #expect("\(error)".contains("info"), "\(error)")
  }

  @Test(
    "BR-05: a fetched property among relationships to prefetch is refused, and the error points to the set-wise read"
  )
  func prefetchList() throws {
    let stack = try TwoFileStack()
    try stack.fill([("A", "a")], [("a", "one")])
    let context = stack.container.makeContext()
    var request = FetchRequest("Book")
    request.relationshipKeyPathsForPrefetching = ["info"]
    let error = try #require(throws: (any Error).self) { try context.fetch(request) }
    #expect("\(error)".contains("prefetch"), "\(error)")
  }

  @Test("BR-05: 200 sources take one statement, and the results are those of 200 single reads")
  func batch() throws {
    let stack = try TwoFileStack()
    let books = (0..<200).map { (String(format: "%03d", $0), $0 % 9 == 0 ? nil : "k\($0 % 50)") }
    let infos: [(String?, String)] = (0..<300).map { ($0 % 13 == 0 ? nil : "k\($0 % 60)", "t\($0)") }
    try stack.fill(books, infos)
    let single = stack.container.makeContext()
    let expected = try stack.books(in: single).map { try TwoFileStack.texts($0.fetched("info")) }

    let context = stack.container.makeContext()
    let sources = try stack.books(in: context)
    let before = try #require(stack.container.coordinator.statisticsByStore["infos"])
    let report = try context.prefetch("info", for: sources)
    let after = try #require(stack.container.coordinator.statisticsByStore["infos"])
    #expect(after.reads - before.reads == 1)
    #expect(after.statements - before.statements == 1)
    #expect(report.requests == 1)
    #expect(report.fallbackReasons == [])
    #expect(try sources.map { try TwoFileStack.texts($0.fetched("info")) } == expected)
    #expect(stack.container.coordinator.statisticsByStore["infos"] == after)
  }

  @Test(
    "BR-07: a stored condition with a transient or misspelt key is refused with property, key and entity",
    arguments: [("mood == $FETCH_SOURCE.key", "mood"), ("kye == $FETCH_SOURCE.key", "kye")])
  func badKey(condition: String, key: String) throws {
    let error = try #require(throws: ModelError.self) {
      try ManagedObjectModel {
        EntityDescription("Book") {
          AttributeDescription("key", .string)
          FetchedPropertyDescription("info", of: "Info", where: condition)
        }
        EntityDescription("Info") {
          AttributeDescription("key", .string)
          AttributeDescription("mood", .string, transient: true)
        }
      }
    }
    let breach = try #require(error.breaches.first)
    #expect(breach.entity == "Book" && breach.property == "info")
    #expect(breach.detail.contains(key) && breach.detail.contains("Info"), "\(breach)")
  }

  @Test("BR-09: arrays belong to one source and its values; a changed key brings no other source's rows")
  func noCrossTalk() throws {
    let stack = try TwoFileStack()
    try stack.fill([("A", "a"), ("B", "b")], [("a", "one"), ("b", "two")])
    let context = stack.container.makeContext()
    let books = try stack.books(in: context)
    #expect(try TwoFileStack.texts(books[0].fetched("info")) == ["one"])
    #expect(try TwoFileStack.texts(books[1].fetched("info")) == ["two"])
    try books[0].set("key", to: "b")
    #expect(try TwoFileStack.texts(books[0].fetched("info")) == ["one"])
    context.refresh(books[0], mergeChanges: true)
    #expect(try TwoFileStack.texts(books[0].fetched("info")) == ["two"])
    try books[1].set("key", to: "a")
    context.refresh(books[1], mergeChanges: true)
    #expect(try TwoFileStack.texts(books[1].fetched("info")) == ["one"])
    #expect(try TwoFileStack.texts(books[0].fetched("info")) == ["two"])
  }

  @Test(
    "BR-17: a condition through a fetched property of another store is refused, never answered from one store"
  )
  func conditionAcross() throws {
    let stack = try TwoFileStack()
    try stack.fill([("A", "a")], [("a", "one")])
    let context = stack.container.makeContext()
    for format in ["ANY info.rating > 3", "info.rating > 3", "info.@count > 0"] {
      let error = try #require(throws: FetchPredicateError.self) {
        try context.fetch(FetchRequest("Book", where: format))
      }
      #expect(error.code == .keyPathNotFetchable, "\(error)")
    }
  }
}
