import FederatedModel
import FederatedStore
import Foundation
import TestSupport
import Testing

@testable import FederatedXMLStore

/// What is wrong in a mapping, told whole and by place.
struct MappingCheckTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var change: @Sendable (inout XMLMapping) -> Void
    var faults: [String]

    init(_ name: String, _ faults: String..., change: @escaping @Sendable (inout XMLMapping) -> Void) {
      (self.testDescription, self.faults, self.change) = (name, faults, change)
    }
  }

  static let cases: [Case] = [
    Case(
      "an unknown entity", "entities.Boook: the store holds no entity of that name. Did you mean \"Book\"?"
    ) {
      $0.entities["Boook"] = XMLEntityMapping(records: "/a")
    },
    Case("an entity that is not mapped", "entities: the store holds Chapter, which is not mapped") {
      $0.entities["Chapter"] = nil
      $0.entities["Book"]?.relationships["chapters"] = nil
    },
    Case(
      "an unknown attribute",
      "entities.Author.attributes.nam: Author has no stored attribute of that name. Did you mean \"name\"?"
    ) {
      $0.entities["Author"]?.attributes["nam"] = "@x"
    },
    Case(
      "a mandatory attribute without a place",
      "entities.Author.attributes: code has no place and is not optional"
    ) {
      $0.entities["Author"]?.attributes["code"] = nil
      $0.entities["Author"]?.key = ["name"]
    },
    Case(
      "a format of another type",
      "entities.Book.attributes.pages.format: texts of this format cannot be values"
    ) {
      $0.entities["Book"]?.attributes["pages"] = XMLAttributeMapping("@p", format: .unixSeconds)
    },
    Case(
      "a pattern without a zone",
      "entities.Book.attributes.published.format: the pattern 'dd.MM.yyyy' has no letter"
    ) {
      $0.entities["Book"]?.attributes["published"] = XMLAttributeMapping(
        "@p", format: .datePattern("dd.MM.yyyy", .required))
    },
    Case("a path with a fault", "entities.Book.attributes.pages: column 8 of the path 'b:title]': expected /")
    {
      $0.entities["Book"]?.attributes["pages"] = "b:title]"
    },
    Case(
      "an unknown prefix",
      "entities.Book.attributes.pages: column 3 of the path 'a/x:y': the prefix 'x' has no namespace"
    ) {
      $0.entities["Book"]?.attributes["pages"] = "a/x:y"
    },
    Case("an absolute path of a value", "entities.Book.attributes.pages: '/b:title' begins at the root") {
      $0.entities["Book"]?.attributes["pages"] = "/b:title"
    },
    Case("a relative path of records", "entities.Author.records: 'b:author' is no path of record elements") {
      $0.entities["Author"]?.records = ["b:author"]
    },
    Case("no path to records", "entities.Author: no path leads to its records") {
      $0.entities["Author"]?.records = []
    },
    Case("a key that is not mapped", "entities.Author.key: 'cod' is no mapped attribute") {
      $0.entities["Author"]?.key = ["cod"]
    },
    Case("a key that may be nil", "entities.Author.attributes.code: the attribute is part of the key") {
      $0.entities["Author"]?.attributes["code"]?.unfit = .asNil
    },
    Case(
      "an unknown relationship",
      "entities.Book.relationships.autor: Book has no stored relationship of that name. Did you mean \"author\"?"
    ) {
      $0.entities["Book"]?.relationships["autor"] = .reference("@a")
    },
    Case(
      "a reference to records without a key",
      "entities.Book.relationships.author: Author, its destination, has no \"key\""
    ) {
      $0.entities["Author"]?.key = []
    },
    Case(
      "a reference of too many parts",
      "entities.Book.relationships.author: the key of Author has 1 parts and the reference 2"
    ) {
      $0.entities["Book"]?.relationships["author"] = .references(["@a", "@b"])
    },
    Case(
      "two faults", "namespaces.l: a namespace is not empty",
      "entities.Author.attributes.nam: Author has no stored"
    ) {
      $0.namespaces["l"] = ""
      $0.entities["Author"]?.attributes["nam"] = "@x"
    },
  ]

  @Test("every fault of a mapping is told with its place", arguments: MappingCheckTests.cases)
  func faults(_ test: Case) throws {
    let document = try Library.document()
    test.change(&document.mapping)
    let error = try #require(throws: StoreError.self) { try document.open() }
    #expect(error.code == .cannotOpen)
    let mapping = try #require(error.underlying as? MappingError)
    #expect(mapping.faults.count == test.faults.count, "\(mapping)")
    for (fault, start) in zip(mapping.faults, test.faults) { #expect(fault.description.hasPrefix(start)) }
    #expect(try Library.document().open().repairs.isEmpty)
  }

  @Test(
    "a path that cannot be read says where it breaks off",
    arguments: [
      ("", 1), ("/", 2), ("a//", 4), ("a b", 2), ("@", 2), ("@a/b", 3), ("a[b='c']", 3), ("a[@b]", 5),
      ("a[@b='c]", 7),
      ("key('x'", 8), ("a:/b", 3), ("1a", 1), ("//@a", 3),
    ])
  func paths(_ text: String, _ column: Int) {
    let error = #expect(throws: XMLPathError.self) { try XMLPathParser.parse(text) }
    #expect(error?.column == column, "\(String(describing: error))")
  }
}
