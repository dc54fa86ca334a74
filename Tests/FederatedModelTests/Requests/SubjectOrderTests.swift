import FederatedModel
import Testing

@Suite("Sort keys put subjects in one order everywhere") struct SubjectOrderTests {
  @Test(
    "titles by scalars and without case (FR-30, F29)",
    arguments: [
      (FetchSortDescriptor("title"), ["b1", "b3", "b2", "b4"]),
      (FetchSortDescriptor("title", comparison: .caseInsensitive), ["b1", "b2", "b4", "b3"]),
      (FetchSortDescriptor("title", comparison: .localizedStandard), ["b1", "b2", "b4", "b3"]),
      (FetchSortDescriptor.descending("title"), ["b4", "b2", "b3", "b1"]),
    ])
  func titles(sort: FetchSortDescriptor, names: [String]) throws {
    #expect(try Library.shared.names("Book", by: [sort]) == names)
  }

  @Test("nil comes first, last when descending; ties go to the next key, then stay (FR-29)")
  func nilOrder() throws {
    let library = Library.shared
    #expect(try library.names("Author", by: [.ascending("score")]) == ["a2", "w1", "a3", "a1"])
    #expect(try library.names("Author", by: [.descending("score")]) == ["a1", "a3", "a2", "w1"])
    #expect(
      try library.names("Author", by: [.ascending("score"), .descending("code")]) == ["w1", "a2", "a3", "a1"])
    #expect(try library.names("Book", by: [.ascending("price")]) == ["b3", "b4", "b2", "b1"])
  }

  @Test("a key leads through to-ones (F28)")
  func paths() throws {
    #expect(
      try Library.shared.names("Book", by: [.descending("author.name"), .ascending("title")]) == [
        "b3", "b1", "b2", "b4",
      ])
  }

  @Test("U+FFFD comes before U+1F600 (FR-31)")
  func scalars() {
    #expect(StringMatching.order("\u{FFFD}", "\u{1F600}", by: .scalar) < 0)
  }

  @Test("file9 comes before file10 in the localized standard order only (F29)")
  func numbers() {
    #expect(StringMatching.order("file9", "file10", by: .localizedStandard) < 0)
    #expect(StringMatching.order("file9", "file10", by: .scalar) > 0)
    #expect(StringMatching.order("file9", "file10", by: .caseInsensitive) > 0)
  }

  @Test(
    "keys without an order are refused",
    arguments: [
      ("books.title", FetchPredicateError.Code.toManyKeyNeedsModifier), ("books", .toManyKeyNeedsModifier),
      ("nick", .keyPathNotFetchable), ("notes", .keyPathNotFetchable), ("nme", .unknownKeyPath),
      ("", .unknownKeyPath),
      ("books.@count", .toManyKeyNeedsModifier),
    ])
  func refuses(key: String, code: FetchPredicateError.Code) throws {
    let library = Library.shared
    #expect { try FetchSortDescriptor(key).bound(to: library.entity("Author"), in: library.model) } throws: {
      ($0 as? FetchPredicateError)?.code == code
    }
    #expect {
      try FetchSortDescriptor("author").bound(to: library.entity("Book"), in: library.model)
    } throws: {
      ($0 as? FetchPredicateError)?.code == .predicateTypeMismatch
    }
  }

  @Test("subjects without an entity are sorted by their keys")
  func dictionaries() throws {
    let subjects = [3, 1, 2].map { KeyedSubject(["n": .keyed(["m": .value(.int($0))])]) }
    let order = SubjectOrder([try FetchSortDescriptor("n.m").boundToKeys()])
    let sorted = try order.sorted(subjects).map {
      try FetchExpression(format: "n.m").boundToKeys().evaluate($0)
    }
    #expect(sorted.map { "\($0)" } == ["value(1)", "value(2)", "value(3)"])
    #expect(try order.areInIncreasingOrder(subjects[1], subjects[0]))
  }
}
