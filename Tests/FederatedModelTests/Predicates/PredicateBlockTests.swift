import FederatedModel
import Foundation
import Testing

@Suite("Conditions and orders that are code") struct PredicateBlockTests {
  private let block = FetchPredicate.block("isLong", reading: "name", "author.name") { row in
    if case .string(let name) = row[0] { name.count > 3 } else { false }
  }

  @Test("a block is equal to its own copies alone (PR-82, Q17)")
  func identity() {
    let copy = self.block
    #expect(copy == self.block && copy.hashValue == self.block.hashValue)
    let other = FetchPredicate.block("isLong", reading: "name", "author.name") { _ in true }
    #expect(other != self.block)
    #expect(FetchPredicate.not(copy) == .not(self.block))
  }

  @Test("a block prints its name and what it reads, and does not read back (PR-82, §3.8)")
  func printing() {
    #expect(self.block.description == "BLOCKPREDICATE(isLong, name, author.name)")
    #expect(FetchPredicate.not(self.block).description == "NOT BLOCKPREDICATE(isLong, name, author.name)")
    let both = FetchPredicate.and([self.block, .constant(true)])
    #expect(both.description == "BLOCKPREDICATE(isLong, name, author.name) AND TRUEPREDICATE")
    #expect(throws: PredicateFormatError.self) { try FetchPredicate(format: both.description) }
  }

  @Test("neither a block nor a comparator can be encoded (PR-82)")
  func coding() throws {
    for predicate in [self.block, .or([.constant(false), .not(self.block)])] {
      let error = #expect(throws: FetchPredicateError.self) { try JSONEncoder().encode(predicate) }
      #expect(error?.code == .unsupportedConstruct)
    }
    let sort = FetchSortDescriptor("name", by: SortComparator("any") { _, _ in .orderedSame })
    let error = #expect(throws: FetchPredicateError.self) { try JSONEncoder().encode([sort]) }
    #expect(error?.code == .unsupportedConstruct && error?.subject == "COMPARATOR(any)")
    let plain = FetchSortDescriptor("name", ascending: false, comparison: .localized)
    let data = try JSONEncoder().encode(plain)
    #expect(try JSONDecoder().decode(FetchSortDescriptor.self, from: data) == plain)
  }

  @Test("a block is asked of dictionaries too, and variables among its operands are replaced (PR-82)")
  func subjects() throws {
    #expect(try self.block.evaluate(KeyedSubject(["name": "Anna"])))
    #expect(try !self.block.evaluate(KeyedSubject([:])))
    let isAbove = FetchPredicate.block(
      PredicateBlock("isAbove", reading: [.keyPath(["age"]), .variable("limit")]) { row in
        guard case .int(let age) = row[0], case .int(let limit) = try row["30"] else { return false }
        return age > limit
      })
    #expect(isAbove.freeVariables == ["limit"])
    let bound = isAbove.substituting(["limit": .int(30)])
    #expect(bound.freeVariables.isEmpty && bound != isAbove)
    #expect(bound == isAbove.substituting(["limit": .int(30)]))
    #expect(try bound.evaluate(KeyedSubject(["age": 31])))
    #expect(try !bound.evaluate(KeyedSubject(["age": 30])))
    #expect(throws: FetchPredicateError.self) { try isAbove.evaluate(KeyedSubject(["age": 31])) }
  }

  @Test("a comparator is equal to its own copies alone, and nil comes first without its being asked (BR-65)")
  func comparators() throws {
    let byLength = SortComparator("byLength") { a, b in
      guard case .string(let a) = a, case .string(let b) = b else { return .orderedSame }
      return a.count == b.count ? .orderedSame : a.count < b.count ? .orderedAscending : .orderedDescending
    }
    let sort = FetchSortDescriptor("name", by: byLength)
    #expect(sort == FetchSortDescriptor("name", by: byLength) && sort.hashValue == sort.hashValue)
    #expect(sort != FetchSortDescriptor("name", by: SortComparator("byLength") { _, _ in .orderedSame }))
    #expect(sort != FetchSortDescriptor("name"))
    let subjects = ["ccc", "a", nil, "bb"].map {
      KeyedSubject($0.map { ["name": .value(.string($0))] } ?? [:])
    }
    let names = { (sort: FetchSortDescriptor) in
      try SubjectOrder([sort.boundToKeys()]).sorted(subjects).map { subject -> String in
        if case .value(.string(let name))? = subject.values["name"] { name } else { "nil" }
      }
    }
    #expect(try names(sort) == ["nil", "a", "bb", "ccc"])
    #expect(
      try names(FetchSortDescriptor("name", ascending: false, by: byLength)) == ["ccc", "bb", "a", "nil"])
  }
}
