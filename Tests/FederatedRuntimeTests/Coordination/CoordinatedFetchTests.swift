import FederatedModel
import FederatedRuntime
import FederatedStore
import TestSupport
import Testing

@Suite("A fetch over several stores")
struct CoordinatedFetchTests {
  @Test("PS-09, FR-34, F30: all stores that hold the entity answer, or those that are named; counts alike")
  func union() throws {
    let stores = try NoteStores([("x", 1)], [("s", 2)])
    let read = stores.coordinator.beginRead()
    defer { read.end() }
    let both = try stores.request()
    let first = try stores.request(stores: [stores.spies[0].id])
    let second = try stores.request(stores: [stores.spies[1].id])
    #expect(try stores.texts(read.fetch(both)) == ["x", "s"])
    #expect(try stores.texts(read.fetch(first)) == ["x"])
    #expect(try stores.texts(read.fetch(second)) == ["s"])
    #expect(try read.count(both) == 2)
    #expect(try read.count(first) == 1)
    #expect(try read.count(second) == 1)
    #expect(try stores.texts(read.fetch(stores.request(stores: []))) == [])
  }

  @Test(
    "PS-11, FR-35, F31: without an order the store attached first comes first, and a full window asks no more"
  )
  func attachmentOrder() throws {
    let stores = try NoteStores([("x", 1), ("y", 2)], [("a", 3)])
    let read = stores.coordinator.beginRead()
    defer { read.end() }
    #expect(try stores.texts(read.fetch(stores.request(limit: 1))) == ["x"])
    #expect(stores.spies[1].calls.queries.isEmpty)
    #expect(stores.spies[1].calls.beganReads == 0)
  }

  @Test(
    "F31, F33: offset and limit are of the union",
    arguments: [(0, nil), (0, 2), (1, 2), (2, 2), (3, 1), (2, nil), (4, nil), (9, 1), (0, 0)] as [(Int, Int?)]
  )
  func windows(offset: Int, limit: Int?) throws {
    let all: [String?] = ["a", "b", "c", "d"]
    let expected = Array(all.dropFirst(offset).prefix(limit ?? .max))
    let stores = try NoteStores([("a", 1), ("b", 2)], [("c", 3)], [("d", 4)])
    let request = try stores.request(offset: offset, limit: limit)
    let read = stores.coordinator.beginRead()
    defer { read.end() }
    let rows = try read.fetch(request)
    #expect(try stores.texts(rows) == expected)
    #expect(try read.identities(request) == rows.map(\.objectID))
    #expect(try read.count(request) == expected.count)
    var streamed: [String?] = []
    try read.stream(request, batch: 1) { streamed += try stores.texts($0) }
    #expect(streamed == expected)
  }

  @Test("one store's answer passes as it came, window and all")
  func oneStore() throws {
    let stores = try NoteStores([("a", 1), ("b", 2), ("c", 3)])
    let read = stores.coordinator.beginRead()
    defer { read.end() }
    let rows = try read.fetch(stores.request(offset: 1, limit: 1))
    #expect(try stores.texts(rows) == ["b"])
    let query = try #require(stores.spies[0].calls.queries.first)
    #expect(query.offset == 1)
    #expect(query.limit == 1)
    #expect(stores.spies[0].calls.queries.count == 1)
  }

  @Test("the scope of a store begins when it is asked first, serves all of a read, and ends with it")
  func scopes() throws {
    let stores = try NoteStores([("a", 1)], [("b", 2)])
    let read = stores.coordinator.beginRead()
    #expect(stores.spies.allSatisfy { $0.calls.beganReads == 0 })
    _ = try read.fetch(stores.request())
    _ = try read.count(stores.request())
    #expect(stores.spies.allSatisfy { $0.calls.beganReads == 1 && $0.calls.endedReads == 0 })
    read.end()
    #expect(stores.spies.allSatisfy { $0.calls.endedReads == 1 })
  }

  @Test("a read that is let go ends its scopes")
  func forgottenRead() throws {
    let stores = try NoteStores([("a", 1)])
    do {
      let read = stores.coordinator.beginRead()
      _ = try read.fetch(stores.request())
    }
    #expect(stores.spies[0].calls.endedReads == 1)
  }

  @Test("a store error passes, and a predicate error passes as itself")
  func errors() throws {
    let stores = try NoteStores([("a", 1)], [("b", 2)])
    stores.spies[1].fail(.query)
    let read = stores.coordinator.beginRead()
    defer { read.end() }
    let error = #expect(throws: StoreError.self) { try read.fetch(stores.request()) }
    #expect(error?.code == .inputOutput)
    let below = FetchPredicateError(.unsupportedConstruct, subject: "SOUNDEX", "no store answers it")
    stores.spies[1].fail(.query, with: StoreError(.predicate, store: nil, underlying: below, "no"))
    #expect(throws: below) { try read.fetch(stores.request()) }
    #expect(throws: below) { try read.count(stores.request()) }
    #expect(throws: below) { try read.stream(stores.request(), batch: 10) { _ in } }
  }

  @Test("PS-57: a store that cannot answer says so, and nobody else answers for it")
  func unsupported() throws {
    let stores = try NoteStores([("a", 1)], [("b", 2)])
    stores.spies[1].fail(
      .query, with: StoreError(.unsupported, store: nil, "no such question here; ask for rows"))
    let read = stores.coordinator.beginRead()
    defer { read.end() }
    for ask in [
      { _ = try read.fetch(stores.request()) }, { _ = try read.count(stores.request()) },
      { _ = try read.identities(stores.request()) },
    ] {
      let error = #expect(throws: StoreError.self, performing: ask)
      #expect(error?.code == .unsupported && error?.code.legacyCode == 134091)
    }
    #expect(try read.fetch(stores.request(stores: [stores.spies[0].id])).count == 1)
  }

  @Test("a store that is not attached is refused by name, never left out in silence")
  func unknownStore() throws {
    let stores = try NoteStores([("a", 1)])
    let read = stores.coordinator.beginRead()
    defer { read.end() }
    let error = #expect(throws: CoordinatorError.self) {
      try read.fetch(stores.request(stores: [StoreID(9999)]))
    }
    #expect(error?.code == .unknownStore)
  }

  @Test("P35: an entity that no store holds has no rows")
  func noStore() throws {
    let stores = try NoteStores([("a", 1)])
    let read = stores.coordinator.beginRead()
    defer { read.end() }
    let person = BoundRequest(try stores.coordinator.model.id("Person"))
    #expect(try read.fetch(person).isEmpty)
    #expect(try read.count(person) == 0)
    #expect(try read.identities(person).isEmpty)
  }

  @Test("a read keeps the stores that it began with; a new one has the new ones")
  func addedMeanwhile() throws {
    let stores = try NoteStores([("a", 1)])
    let read = stores.coordinator.beginRead()
    defer { read.end() }
    _ = try read.fetch(stores.request())
    var description = PersistentStoreDescription(.inMemory, at: nil, configuration: "Notes")
    description.name = "late"
    try stores.coordinator.add(description)
    _ = try read.fetch(stores.request())
    #expect(stores.spies[0].calls.queries.count == 2)
    #expect(try stores.coordinator.beginRead().fetch(stores.request()).parts.count == 2)
  }

  @Test("PS-10, FR-37, F32: one order over all stores, and one window behind it")
  func merged() throws {
    let stores = try NoteStores([("a", 1), ("c", 4)], [("b", 2), ("d", 3)])
    let read = stores.coordinator.beginRead()
    defer { read.end() }
    #expect(
      try stores.texts(read.fetch(stores.request(sortedBy: "text", offset: 1, limit: 2))) == ["b", "c"])
    #expect(
      try stores.ratings(read.fetch(stores.request(sortedBy: "rating", offset: 1, limit: 2))) == [2, 3])
    #expect(
      try stores.texts(read.fetch(stores.request(sortedBy: "text", ascending: false))) == [
        "d", "c", "b", "a",
      ])
    for query in stores.spies.flatMap(\.calls.queries).prefix(2) {
      #expect(query.offset == 0)
      #expect(query.limit == 3, "a store is asked for no more than the window can need")
    }
  }

  @Test(
    "F32: windows of a sorted union, by row, identifier and stream",
    arguments: [(0, nil), (0, 1), (2, 3), (5, 1), (6, nil), (7, 2), (0, 0)] as [(Int, Int?)])
  func mergedWindows(offset: Int, limit: Int?) throws {
    let stores = try NoteStores([("x", 5), ("x", 1)], [("y", 3), ("y", 6), ("y", 2)], [], [("z", 4)])
    let request = try stores.request(sortedBy: "rating", offset: offset, limit: limit)
    let expected = Array([1, 2, 3, 4, 5, 6].dropFirst(offset).prefix(limit ?? .max).map(Int64.init))
    let read = stores.coordinator.beginRead()
    defer { read.end() }
    let rows = try read.fetch(request)
    #expect(try stores.ratings(rows) == expected)
    #expect(try read.identities(request) == rows.map(\.objectID))
    #expect(try read.count(request) == expected.count)
    var streamed: [Int64] = []
    try read.stream(request, batch: 2) { streamed += try stores.ratings($0) }
    #expect(streamed == expected)
  }

  @Test("F27: rows that compare equal come in order of attachment, then by key; nil comes before every value")
  func ties() throws {
    let stores = try NoteStores([("s", 2), (nil, 9), ("s", 1)], [("s", 4), (nil, 8), ("a", 3)])
    let read = stores.coordinator.beginRead()
    defer { read.end() }
    #expect(try stores.ratings(read.fetch(stores.request(sortedBy: "text"))) == [9, 8, 3, 2, 1, 4])
    #expect(
      try stores.ratings(read.fetch(stores.request(sortedBy: "text", ascending: false))) == [
        2, 1, 4, 3, 9, 8,
      ])
  }

  @Test("F34: an identifier of another store never matches")
  func foreignIdentifier() throws {
    let stores = try NoteStores([("a", 1)], [("b", 2)])
    let read = stores.coordinator.beginRead()
    defer { read.end() }
    let identities = try read.identities(stores.request())
    for identity in identities {
      var request = try stores.request()
      request.predicate = .comparison(
        .init(.evaluatedObject, .equal, .constant(.object(identity)), modifier: .direct, options: []))
      #expect(try read.identities(request) == [identity])
    }
  }
}
