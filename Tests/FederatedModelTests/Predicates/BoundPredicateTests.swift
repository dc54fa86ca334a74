import FederatedModel
import Foundation
import Testing

@Suite("Predicates bound to an entity answer about its rows") struct BoundPredicateTests {
  static let library = Library.shared

  static let authors: [(String, Set<String>)] = [
    ("alias != 'ann'", ["a2", "a3", "w1"]),  // PR-64
    ("NOT (alias == 'ann')", ["a2", "a3", "w1"]),
    ("alias == nil", ["a3"]), ("alias != nil", ["a1", "a2", "w1"]),  // PR-67
    ("code < 3", ["a1", "a2"]), ("NOT (code < 3)", ["w1", "a3"]),  // PR-70
    ("code BETWEEN {1, 2}", ["a1", "a2"]),  // PR-71
    ("TERNARY(alias != nil, alias, '') IN {'ann', ''}", ["a1", "a3"]),  // PR-55
    ("name == 5", []), ("name != 5", ["a1", "a2", "a3", "w1"]),  // PR-75
    ("name.length == 3", ["a1", "a2", "w1"]),  // PR-83
    ("'Alpha' IN books.title", ["a1"]),  // PR-42
    ("TRUEPREDICATE", ["a1", "a2", "a3", "w1"]), ("FALSEPREDICATE", []),  // FR-61
    ("score == 10", ["a1"]), ("10 == score", ["a1"]), ("5.0 < score", ["a1"]), ("score >= 5", ["a1", "a3"]),
    ("score != 10", ["a2", "a3", "w1"]), ("score == code * 10", ["a1"]), ("score == nil AND code == nil", []),
    ("active == TRUE", ["a1"]), ("active == 0", ["a2"]), ("active < 1", ["a2"]),
    ("active != YES", ["a2", "a3", "w1"]),
    ("uuid == CAST('E621E1F8-C36C-495A-93FC-0C247A3E6E5F', 'NSUUID')", ["a1"]), ("uuid == 'E621E1F8'", []),
    ("photo == CAST('AQI=', 'NSData')", ["a1"]), ("photo != nil", ["a1"]),
    ("site == 'http://example.org/ann'", ["a1"]), ("site BEGINSWITH 'http:' AND site LIKE '*ann'", ["a1"]),
    ("books.@count == 2", ["a1"]), ("books.@count == 0", ["a3", "w1"]), ("books[SIZE] == 1", ["a2"]),
    ("books.@sum.pages == 300", ["a1"]), ("books.@avg.pages == 150", ["a1"]),
    ("books.@max.title == 'beta'", ["a1"]),
    ("books.@min.price == 8", ["a1"]), ("books.@sum.price == 20.5", ["a1"]),
    ("books.@sum.price == 0", ["a2", "a3", "w1"]),
    ("ANY books.pages > 150", ["a1"]), ("ALL books.pages > 50", ["a1", "a3", "w1"]),
    ("NONE books.title == 'Gamma'", ["a1", "a3", "w1"]),
    ("ANY books.title ==[cd] 'gamma'", ["a2"]), ("ANY books.author == SELF", ["a1", "a2"]),
    ("SUBQUERY(books, $b, $b.pages > 50 AND $b.title BEGINSWITH 'A').@count == code", ["a1"]),
    ("SUBQUERY(books, $b, $b.author.name == name).@count > 0", ["a1", "a2"]),
    ("count(books) == 2", ["a1"]), ("max(books.pages) == 200", ["a1"]), ("uppercase(name) == 'ANN'", ["a1"]),
    ("alias IN {'ann', 'dee', nil}", ["a1", "w1", "a3"]), ("alias IN[c] {'ANN', 'DEE'}", ["a1", "w1"]),
    ("alias LIKE[c] 'A*'", ["a1"]), ("alias MATCHES '[ab].*'", ["a1", "a2"]),
    ("alias BETWEEN {'b', 'z'}", ["a2", "w1"]),
    ("'xannx' CONTAINS alias", ["a1"]), ("alias IN 'xannx'", ["a1"]), ("alias >= 'bob'", ["a2", "w1"]),
    ("alias > alias", []), ("alias == alias", ["a1", "a2", "a3", "w1"]),
    ("name CONTAINS[c] alias", ["a1", "a2", "w1"]),
  ]

  @Test("authors (PR-42, PR-55, PR-64, PR-67, PR-70, PR-71, PR-75, PR-83)", arguments: authors)
  func findAuthors(format: String, names: Set<String>) throws {
    #expect(try Self.library.names("Author", format) == names)
  }

  static let books: [(String, Set<String>)] = [
    ("author.name == 'Ann'", ["b1", "b2"]), ("author.name != 'Ann'", ["b3", "b4"]),  // PR-72
    ("author.name == nil", ["b4"]), ("author == nil", ["b4"]), ("author != nil", ["b1", "b2", "b3"]),
    ("price == 8", ["b2"]), ("price == 8.0", ["b2"]), ("price < 12.5", ["b2", "b4"]),  // PR-78
    ("price == 3.1", ["b4"]), ("price <= 3.1", ["b4"]), ("price IN {12.5, 3.1}", ["b1", "b4"]),
    ("price == CAST('12.50', 'NSDecimalNumber')", ["b1"]), ("price BETWEEN {3.1, 8}", ["b2", "b4"]),
    ("pages == 100.0", ["b1"]), ("pages > 99.5", ["b1", "b2"]),  // PR-79
    ("title BEGINSWITH[cd] 'E'", ["b4"]), ("title BEGINSWITH 'E'", []),
    ("title ENDSWITH 'a'", ["b1", "b2", "b3"]),  // PR-80
    ("pages / 3 == 33", ["b1"]), ("modulus:by:(pages, 3) == 2", ["b2", "b4"]),  // PR-47
    ("author.books.@count == 2", ["b1", "b2"]), ("ANY author.books.title == 'beta'", ["b1", "b2"]),
    ("author.code BETWEEN {2, 9}", ["b3"]), ("author.alias IN {'bob', nil}", ["b3", "b4"]),
  ]

  @Test("books (PR-47, PR-72, PR-78, PR-79, PR-80)", arguments: books)
  func findBooks(format: String, names: Set<String>) throws {
    #expect(try Self.library.names("Book", format) == names)
  }

  @Test("objects compare by who they are (PR-74, FR-57, FR-62, Q16)")
  func objects() throws {
    let library = Self.library
    let (a1, a2) = (library.id("a1"), library.id("a2"))
    #expect(try library.names("Book", "author == %@", [a1]) == ["b1", "b2"])
    #expect(try library.names("Book", "author.objectID == %@", [a1]) == ["b1", "b2"])
    #expect(try library.names("Book", "author IN %@", [.list([a1, a2])]) == ["b1", "b2", "b3"])
    #expect(try library.names("Author", "SELF == %@", [a1]) == ["a1"])
    #expect(try library.names("Author", "objectID != %@", [a1]) == ["a2", "a3", "w1"])
    #expect(try library.names("Author", "SELF IN {%@, %@}", [a1, a2]) == ["a1", "a2"])
    #expect(try library.names("Book", "SELF IN %@", [.list([a1])]) == [])
    let twin = ManagedObjectID(store: StoreID(2), entity: library.subject("a1").row.entity, reference: 1)
    #expect(try library.names("Author", "SELF == %@", [.object(twin)]) == [])
    #expect(try library.names("Author", "ANY books == %@", [library.id("b3")]) == ["a2"])
    #expect(try library.names("Author", "books CONTAINS %@", [library.id("b3")]) == ["a2"])
  }

  @Test("a list that holds nil holds the rows without a value (PR-68)")
  func listWithNull() throws {
    #expect(try Self.library.names("Author", "NOT (code IN %@)", [.list([.int(1), .null])]) == ["a2", "w1"])
  }

  @Test("dates compare with dates (PR-76)")
  func dates() throws {
    #expect(try Self.library.names("Note", "at >= CAST(1000, 'NSDate')") == ["n2"])
    #expect(try Self.library.names("Note", "at < now()") == ["n1", "n2"])
    #expect(try Self.library.names("Note", "at IN {CAST(0, 'NSDate'), nil}") == ["n1", "n3", "n4", "n5"])
  }

  @Test("every test in place answers as the boxed value does")
  func testsInPlace() throws {
    struct Boxed: PredicateSubject {
      let inner: LibrarySubject
      func attribute(_ attribute: BoundAttribute) throws -> Value { try self.inner.attribute(attribute) }
      func toOne(_ relationship: BoundRelationship) throws -> (any PredicateSubject)? {
        try self.inner.toOne(relationship)
      }
      func toMany(_ relationship: BoundRelationship) throws -> [any PredicateSubject] {
        try self.inner.toMany(relationship)
      }
      func operand(forKey key: String) throws -> PredicateOperand { try self.inner.operand(forKey: key) }
      var predicateIdentity: ManagedObjectID? { self.inner.predicateIdentity }
    }
    for (entity, names, cases) in [
      ("Author", ["a1", "a2", "a3", "w1"], Self.authors), ("Book", ["b1", "b2", "b3", "b4"], Self.books),
    ] {
      for (format, _) in cases {
        let predicate = try Self.library.bound(entity, format)
        for name in names {
          let subject = Self.library.subject(name)
          #expect(
            try predicate.evaluate(subject) == predicate.evaluate(Boxed(inner: subject)), "\(name): \(format)"
          )
        }
      }
    }
  }
}
