import FederatedModel
import Testing

@Suite("Binding refuses what no row could answer, before any store is asked") struct PredicateBindingTests {
  static let refusals: [(String, FetchPredicateError.Code)] = [
    ("nme == 'x'", .unknownKeyPath), ("genre == 'sf'", .unknownKeyPath),
    ("books.nme == 'x'", .unknownKeyPath),  // FR-55
    ("name.first == 'x'", .unknownKeyPath), ("books.@count.x == 1", .unknownKeyPath),
    ("nick == 'x'", .keyPathNotFetchable), ("ANY notes.rating > 4", .keyPathNotFetchable),
    ("books.title == 'Alpha'", .toManyKeyNeedsModifier), ("books == nil", .toManyKeyNeedsModifier),  // PR-42
    ("name == books.title", .toManyKeyNeedsModifier), ("books.title BEGINSWITH 'A'", .toManyKeyNeedsModifier),
    ("books.title IN {'Alpha'}", .toManyKeyNeedsModifier),
    ("books.pages BETWEEN {1, 2}", .toManyKeyNeedsModifier),
    ("SUBQUERY(books, $b, $b.pages > 1) == 1", .toManyKeyNeedsModifier),
    ("ANY name == 'x'", .collectionExpected),
    ("ALL books.author.name.length == 1 AND NONE code == 1", .collectionExpected),  // PR-43
    ("name.@count == 1", .collectionExpected),
    ("SUBQUERY(name, $n, $n == 'x').@count == 1", .collectionExpected),
    ("name[0] == 'x'", .collectionExpected), ("name UNION books == 1", .collectionExpected),
    ("name < 5", .predicateTypeMismatch), ("code >= 'x'", .predicateTypeMismatch),
    ("5 > name", .predicateTypeMismatch),  // PR-75
    ("code LIKE '1*'", .predicateTypeMismatch), ("code BEGINSWITH '1'", .predicateTypeMismatch),
    ("name ENDSWITH 5", .predicateTypeMismatch),
    ("ANY books.pages MATCHES '1'", .predicateTypeMismatch), ("uuid < uuid", .predicateTypeMismatch),
    ("photo > photo", .predicateTypeMismatch),
    ("SELF < SELF", .predicateTypeMismatch), ("books[0].title == 'x'", .predicateTypeMismatch),
    ("code IN 5", .predicateTypeMismatch),
    ("code IN 'abc'", .predicateTypeMismatch), ("code IN name", .predicateTypeMismatch),
    ("name + 1 == 2", .predicateTypeMismatch),
    ("books.@sum.title == 1", .predicateTypeMismatch), ("books.@max.author == 1", .predicateTypeMismatch),
    ("code == {1, 2}", .predicateTypeMismatch),
    ("uppercase(code) == 'x'", .predicateTypeMismatch), ("sqrt(name) == 1", .predicateTypeMismatch),
    ("sum(books.title) == 1", .predicateTypeMismatch),
    ("code BETWEEN {1}", .invalidRange), ("code BETWEEN {1, 2, 3}", .invalidRange),
    ("code BETWEEN 1", .invalidRange),
    ("name MATCHES 'a('", .invalidRegularExpression),  // PR-32
    ("name == $name", .unboundVariable), ("SUBQUERY(books, $b, $c == 1).@count == 1", .unboundVariable),
    ("SUBQUERY(books, $b, $b == nil).@count == $b", .unboundVariable),
    ("books.@magic == 1", .unsupportedConstruct),
    ("distanceToLocation:fromLocation:(name, name) == 1", .unsupportedFunction),
    ("FUNCTION(name, 'hash') == 1", .unsupportedFunction),
    ("CAST(name, 'NSArray') == 1", .unsupportedFunction),
  ]

  @Test(
    "errors carry code and entity (PR-32, PR-42, PR-43, PR-75, FR-55, Q21, Q26, Q29)", arguments: refusals)
  func refuses(format: String, code: FetchPredicateError.Code) throws {
    do {
      let predicate = try Library.shared.bound("Author", format)
      Issue.record("\(format) was bound: \(predicate)")
    } catch let error as FetchPredicateError {
      #expect(error.code == code, "\(error)")
      #expect(error.entity == "Author")
    }
  }

  @Test(
    "a date is not compared with a bare number (PR-76)",
    arguments: ["at > 1000", "at == 1000", "at IN {1, 2}", "1 != at", "at BETWEEN {1, 2}"])
  func dateWithNumber(format: String) throws {
    #expect { try Library.shared.bound("Note", format) } throws: {
      ($0 as? FetchPredicateError)?.code == .predicateTypeMismatch
    }
  }

  @Test("an unknown key names its nearest neighbour")
  func suggestion() throws {
    #expect { try Library.shared.bound("Book", "titel == 'x'") } throws: { error in
      "\(error)" == "Book: titel: Book has no property titel; did you mean title?"
    }
    #expect { try Library.shared.bound("Book", "author.nme == 'x'") } throws: { error in
      "\(error)" == "Book: author.nme: Author has no property nme; did you mean name?"
    }
  }

  @Test("keys become slots that hold in subentities")
  func slots() throws {
    let library = Library.shared
    guard case .comparison(let comparison) = try library.bound("Author", "name == 'x'"),
      case .path(.evaluatedObject, let steps) = comparison.left, case .attribute(let attribute)? = steps.first
    else {
      Issue.record("no attribute")
      return
    }
    #expect(attribute.slot == library.entity("Writer").attribute(named: "name")?.slot)
    #expect(attribute.entity == library.entity("Author").id)
    #expect(try library.bound("Writer", "genre == 'sf'") == library.bound("Writer", "genre = \"sf\""))
  }

  @Test("lists of constants are one constant, hints vanish, indexes have one form")
  func normalForms() throws {
    let library = Library.shared
    #expect(
      try library.bound("Book", "pages IN {1, 2}")
        == library.bound("Book", "pages IN %@", [.list([.int(1), .int(2)])]))
    #expect(try library.bound("Book", "noindex(pages) == 1") == library.bound("Book", "pages == 1"))
    #expect(try library.bound("Book", "%@.x == 1", [.null]) == library.bound("Book", "nil == 1"))
    #expect { try library.bound("Book", "%@.name == 1", [library.id("a1")]) } throws: {
      ($0 as? FetchPredicateError)?.code == .unsupportedConstruct
    }
  }
}
