internal import FederatedModel
internal import FederatedRuntime
internal import Foundation
internal import Testing

/// The PR cases that are fetches over fixture D0: each condition with the objects that it finds.
public enum PredicateCases {
  static let authors: [(String, Set<String>)] = [
    ("alias != 'ann'", ["Bob", "Cy", "Dee"]),  // PR-64
    ("NOT (alias == 'ann')", ["Bob", "Cy", "Dee"]),
    ("alias == nil", ["Cy"]), ("alias != nil", ["Ann", "Bob", "Dee"]),  // PR-67
    ("NOT (code IN {1, nil})", ["Bob", "Dee"]), ("code IN {1, nil}", ["Ann", "Cy"]),  // PR-68
    ("code < 3", ["Ann", "Bob"]), ("NOT (code < 3)", ["Dee", "Cy"]),  // PR-70
    ("code BETWEEN {1, 2}", ["Ann", "Bob"]), ("NOT (code BETWEEN {1, 2})", ["Cy", "Dee"]),  // PR-71
    ("TERNARY(alias != nil, alias, '') IN {'ann', ''}", ["Ann", "Cy"]),  // PR-55
    ("name == 5", []), ("name != 5", ["Ann", "Bob", "Cy", "Dee"]),  // PR-75
    ("name.length == 3", ["Ann", "Bob", "Dee"]),  // PR-83
    ("'Alpha' IN books.title", ["Ann"]),  // PR-42
    ("TRUEPREDICATE", ["Ann", "Bob", "Cy", "Dee"]), ("FALSEPREDICATE", []),  // FR-61
    ("alias ==[c] 'ANN'", ["Ann"]), ("alias !=[c] 'ANN'", ["Bob", "Cy", "Dee"]),
    ("alias <[c] 'BZ'", ["Ann", "Bob"]),  // PR-22
    ("name LIKE '?n*'", ["Ann"]), ("name LIKE[c] 'A?N'", ["Ann"]), ("name LIKE 'A_n'", []),
    ("name LIKE 'A%'", []),  // PR-26 to PR-28
    ("name MATCHES 'A|Ann'", ["Ann"]), ("name MATCHES[c] '[ad].*'", ["Ann", "Dee"]),  // PR-31
    ("name CONTAINS ''", ["Ann", "Bob", "Cy", "Dee"]), ("alias BEGINSWITH ''", ["Ann", "Bob", "Dee"]),  // Q23
    ("ANY books.title == 'beta'", ["Ann"]), ("ALL books.pages > 50", ["Ann", "Cy", "Dee"]),  // PR-35
    ("NONE books.title == 'Gamma'", ["Ann", "Cy", "Dee"]), ("SOME books.pages == nil", ["Bob"]),  // PR-36
    ("ANY books.title != 'Alpha'", ["Ann", "Bob"]),
    ("NOT (ANY books.title == 'Alpha')", ["Bob", "Cy", "Dee"]),  // Q28
    ("ANY books.pages == 100 AND ANY books.price == 8", ["Ann"]),  // PR-38
    ("SUBQUERY(books, $b, $b.pages == 100 AND $b.price == 8).@count > 0", []),
    ("SUBQUERY(books, $b, $b.pages > code).@count == 2", ["Ann"]),  // PR-39
    ("books.@count == 0", ["Cy", "Dee"]), ("books.@sum.pages == 300", ["Ann"]),
    ("books.@avg.pages == 150", ["Ann"]),  // PR-44
    ("books.@max.price == 12.5", ["Ann"]), ("books.@min.title == 'Gamma'", ["Bob"]),
    ("books.@avg.pages == 0", ["Bob", "Cy", "Dee"]), ("average(books.pages) == nil", ["Cy", "Dee"]),
    ("code + 1 * 2 == 3", ["Ann"]), ("code / 2 == 1", ["Bob"]), ("score / 4 == 2.5", ["Ann"]),
    ("code / 0 == nil", ["Ann", "Bob", "Cy", "Dee"]),  // PR-46 to PR-48
    ("2 ** code == 4", ["Bob"]), ("modulus:by:(code, 2) == 0", ["Bob", "Dee"]), ("(code & 2) == 2", ["Bob"]),
    ("score == 10 OR score == 5", ["Ann", "Cy"]), ("score > code", ["Ann"]), ("score >= 5.0", ["Ann", "Cy"]),
    ("uppercase(name) == 'ANN'", ["Ann"]), ("alias IN {'ann', 'dee'} AND NOT name IN {'Dee'}", ["Ann"]),
    ("'xannx' CONTAINS alias", ["Ann"]), ("alias IN 'xannx'", ["Ann"]),
    ("name CONTAINS[c] alias", ["Ann", "Bob", "Dee"]),
    ("max(books.pages) == 200", ["Ann"]), ("count(books) == 1", ["Bob"]),
    ("ANY books.author == SELF", ["Ann", "Bob"]),
    ("uuid == nil AND uuid != 'x'", ["Ann", "Bob", "Cy", "Dee"]), ("alias IN {}", []),
    ("code == 1.0", ["Ann"]), ("code < 1.5", ["Ann"]),
  ]

  static let books: [(String, Set<String>)] = [
    ("author.name == 'Ann'", ["Alpha", "beta"]), ("author.name != 'Ann'", ["Gamma", "Émile"]),  // PR-72
    ("author.name == nil", ["Émile"]), ("author == nil", ["Émile"]),
    ("author != nil", ["Alpha", "beta", "Gamma"]),
    ("price == 8", ["beta"]), ("price == 8.0", ["beta"]), ("price < 12.5", ["beta", "Émile"]),  // PR-78
    ("price == 3.1", ["Émile"]), ("price <= 3.1", ["Émile"]), ("price IN {12.5, 3.1}", ["Alpha", "Émile"]),
    ("price == CAST('12.50', 'NSDecimalNumber')", ["Alpha"]), ("price BETWEEN {3.1, 8}", ["beta", "Émile"]),
    ("price > 3.0999999999999999", ["Alpha", "beta"]),
    ("pages == 100.0", ["Alpha"]), ("pages > 99.5", ["Alpha", "beta"]), ("pages < 99.5", ["Émile"]),  // PR-79
    ("title BEGINSWITH[cd] 'E'", ["Émile"]), ("title BEGINSWITH 'E'", []),
    ("title ENDSWITH 'a'", ["Alpha", "beta", "Gamma"]),  // PR-80
    ("title ==[cd] 'emile'", ["Émile"]), ("title ==[c] 'emile'", []), ("title ==[c] 'ÉMILE'", ["Émile"]),
    ("title BEGINSWITH[c] 'e'", []),  // PR-23
    ("title CONTAINS[d] 'Emi'", ["Émile"]), ("title == 'E\\u0301mile'", []),
    ("title ==[d] 'E\\u0301mile'", ["Émile"]),  // §3.10
    ("title < 'b'", ["Alpha", "Gamma"]), ("title >[c] 'b'", ["beta", "Gamma", "Émile"]),
    ("pages / 3 == 33", ["Alpha"]), ("author.books.@count == 2", ["Alpha", "beta"]),
    ("ANY author.books.title == 'beta'", ["Alpha", "beta"]),
    ("author.books CONTAINS SELF", ["Alpha", "beta", "Gamma"]), ("NOT author.books CONTAINS SELF", ["Émile"]),
    ("author.code BETWEEN {2, 9}", ["Gamma"]), ("author.alias IN {'bob', nil}", ["Gamma", "Émile"]),
    ("NOT (pages > 100 OR price < 5)", ["Alpha", "Gamma"]),
    ("pages != 100 AND price != 8", ["Gamma", "Émile"]),
  ]

  static let notes: [(String, Set<String>)] = [
    ("at >= CAST(1000, 'NSDate')", ["so-so"]), ("at == CAST(0, 'NSDate')", ["great start"]),
    ("at < now()", ["great start", "so-so"]),  // PR-76
    ("at IN {CAST(0, 'NSDate'), CAST(5, 'NSDate')}", ["great start"]),
    ("text CONTAINS[c] 'GREAT'", ["great start", "Great end", "great memo"]),
    ("rating BETWEEN {4.2, 4.3}", ["so-so", "Great end"]),
    ("authorAlias == nil OR rating > 4.9", ["orphan", "great memo"]),
    ("(rating > 4) AND text LIKE '*e*'", ["Great end", "great memo"]),
  ]

  static let refusals: [(String, String, FetchPredicateError.Code)] = [
    ("Author", "books.title == 'Alpha'", .toManyKeyNeedsModifier),
    ("Author", "ANY name == 'x'", .collectionExpected),  // PR-42, PR-43
    // PR-75, PR-76
    ("Author", "name < 5", .predicateTypeMismatch), ("Note", "at > 1000", .predicateTypeMismatch),
    ("Author", "genre == 'sf'", .unknownKeyPath), ("Author", "mood == 'x'", .keyPathNotFetchable),  // FR-55
    ("Author", "ANY notes.rating > 4", .keyPathNotFetchable),
    ("Author", "name MATCHES 'a('", .invalidRegularExpression),  // PR-32
    ("Author", "FALSEPREDICATE AND name MATCHES 'a('", .invalidRegularExpression),
    ("Author", "code BETWEEN {1}", .invalidRange),
    ("Author", "name == $name", .unboundVariable),  // PR-56
    ("Author", "distanceToLocation:fromLocation:(name, name) == 1", .unsupportedFunction),
  ]

  public static let all: [StackCase<AuthorStack>] = [
    StackCase("PR-22 to PR-83 conditions on authors") { stack throws in
      try PredicateCases.check(PredicateCases.authors, "Author", "name", stack.makeContext())
    },
    StackCase("PR-66 one unsaved edit moves no other row's answer") { stack throws in
      let context = stack.makeContext()
      try stack.author("Cy", in: context).set("score", to: 6.0)
      try PredicateCases.check(
        PredicateCases.authors.filter { !$0.0.contains("score") }, "Author", "name", context)
      try PredicateCases.check(
        [("score == 6", ["Cy"]), ("score >= 5.0", ["Ann", "Cy"])], "Author", "name", context)
    },
    StackCase("PR-66 unsaved rows are judged as saved ones") { stack throws in
      let context = stack.makeContext()
      for author in try context.fetch(FetchRequest("Author")) { try author.set("uuid", to: UUIDs.some) }
      let conditions = PredicateCases.authors.filter { !$0.0.contains("uuid") }
      try PredicateCases.check(conditions, "Author", "name", context)
    },
    StackCase("PR-47 to PR-80 conditions on books") { stack throws in
      try PredicateCases.check(PredicateCases.books, "Book", "title", stack.makeContext())
    },
    StackCase("PR-76 conditions on notes") { stack throws in
      try PredicateCases.check(PredicateCases.notes, "Note", "text", stack.makeContext())
    },
    StackCase("PR-74, FR-57, FR-62 objects compare by who they are") { stack throws in
      try PredicateCases.checkObjects(stack)
    },
    StackCase("PR-32, PR-42, PR-43, PR-56, PR-75, PR-76, FR-55 what has no answer throws") { stack throws in
      let context = stack.makeContext()
      for (entity, format, code) in PredicateCases.refusals {
        let request = FetchRequest(entity, where: try FetchPredicate(format: format))
        let error = #expect(throws: FetchPredicateError.self, "\(format)") { try context.fetch(request) }
        #expect(error?.code == code, "\(format)")
      }
    },
  ]

  private static func check(
    _ conditions: [(String, Set<String>)], _ entity: String, _ key: String, _ context: ManagedObjectContext
  ) throws {
    for (format, expected) in conditions {
      let request = FetchRequest(entity, where: try FetchPredicate(format: format))
      #expect(Set(try context.fetch(request).texts(key)) == expected, "\(format)")
      #expect(try context.count(for: request) == expected.count, "\(format)")
    }
  }

  private static func checkObjects(_ stack: AuthorStack) throws {
    let context = stack.makeContext()
    let ann = try stack.author("Ann", in: context).objectID
    let bob = try stack.author("Bob", in: context).objectID
    let titles = { (format: String, arguments: [any PredicateArgument]) in
      let request = FetchRequest("Book", where: try FetchPredicate(format: format, arguments: arguments))
      return Set(try context.fetch(request).texts("title"))
    }
    #expect(try titles("author == %@", [ann]) == ["Alpha", "beta"])
    #expect(try titles("author != %@", [ann]) == ["Gamma", "Émile"])
    #expect(try titles("author IN %@", [[ann, bob]]) == ["Alpha", "beta", "Gamma"])
    #expect(try titles("SELF IN %@", [[ann]]) == [])
    let names = { (format: String, arguments: [any PredicateArgument]) in
      let request = FetchRequest("Author", where: try FetchPredicate(format: format, arguments: arguments))
      return Set(try context.fetch(request).texts("name"))
    }
    #expect(try names("SELF == %@", [ann]) == ["Ann"])
    #expect(try names("objectID != %@", [ann]) == ["Bob", "Cy", "Dee"])
    #expect(try names("SELF IN {%@, %@}", [ann, bob]) == ["Ann", "Bob"])
    #expect(try names("NOT SELF IN %@", [[ann, bob]]) == ["Cy", "Dee"])
  }
}

private enum UUIDs {
  static let some = UUID()
}
