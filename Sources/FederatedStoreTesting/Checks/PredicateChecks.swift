internal import FederatedModel
internal import FederatedStore

/// Predicates and orders against the answers of the in-memory store.
enum PredicateChecks {
  static var all: [CheckBody] {
    let formats = [
      CheckBody("each kind of predicate is answered as in memory") { test in
        let comparison = try StoreComparison(against: test, seed: 1)
        for (entity, format) in self.formats { try comparison.ask(entity, format) }
      },
      CheckBody("each attribute sorts as in memory") { test in
        let comparison = try StoreComparison(against: test, seed: 2)
        for attribute in try unwrap(test.model.entity(named: "Memo"), "Memo").attributes
        where attribute.slot != nil {
          for ascending in [true, false] {
            let sort = FetchSortDescriptor(attribute.name, ascending: ascending)
            try comparison.ask("Memo", "TRUEPREDICATE", order: [sort])
          }
        }
        for key in ["folder.name", "folder.parent.rank", "folder.cover.title"] {
          try comparison.ask("Record", "TRUEPREDICATE", order: [.descending(key), .ascending("title")])
        }
        for kind in FetchSortDescriptor.Comparison.allCases {
          try comparison.ask("Tag", "TRUEPREDICATE", order: [FetchSortDescriptor("label", comparison: kind)])
        }
      },
    ]
    return formats
      + (10..<16 as Range<UInt64>).map { seed in
        CheckBody("random predicates are answered as in memory (seed \(seed))") { test in
          try StoreComparison(against: test, seed: seed).run(questions: 150)
        }
      }
  }

  private static let formats: [(String, String)] = [
    ("Record", "TRUEPREDICATE"), ("Record", "FALSEPREDICATE"), ("Record", "title == nil"),
    ("Record", "title != nil"),
    ("Record", "title == 'ada'"), ("Record", "title != 'ada'"), ("Record", "NOT (title == 'ada')"),
    ("Record", "title ==[c] 'ADA'"), ("Record", "title ==[cd] 'CAFE'"), ("Record", "title ==[d] 'cafe'"),
    ("Record", "title BEGINSWITH 'a'"), ("Record", "title ENDSWITH[c] 'A'"), ("Record", "title CONTAINS ''"),
    ("Record", "title CONTAINS[cd] 'E'"), ("Record", "title LIKE 'a*'"), ("Record", "title LIKE[c] '?da*'"),
    ("Record", "title LIKE '100%'"), ("Record", "title LIKE 'a_b'"), ("Record", "title LIKE '\\\\*'"),
    ("Record", "title MATCHES '[a-z]+'"), ("Record", "title IN {'a', 'ab', nil}"),
    ("Record", "NOT (title IN {'a', nil})"),
    ("Record", "title IN {}"), ("Record", "'a' IN {'a', 'b'}"), ("Record", "title > 'a' AND title <= 'e'"),
    ("Record", "title BETWEEN {'A', 'a'}"), ("Record", "title < nil"), ("Record", "small BETWEEN {-1, 5}"),
    ("Record", "small == 5.0"), ("Record", "small < 2.5"), ("Record", "large == 9007199254740993"),
    ("Record", "large > 9.007199254740992e15"), ("Record", "large == 9.007199254740992e15"),
    ("Record", "large < 9.3e18"), ("Record", "price == 0.1"), ("Record", "price > 0.1"),
    ("Record", "price == 10.5"),
    ("Record", "weight == 0"), ("Record", "weight == -0.0"), ("Record", "isOpen == YES"),
    ("Record", "isOpen == 1"),
    ("Record", "isOpen != NO"), ("Record", "weight > small"), ("Record", "small == middle"),
    ("Record", "title == title"),
    ("Record", "folder == nil"), ("Record", "folder != nil"), ("Record", "folder.name == nil"),
    ("Record", "folder.name != 'a'"), ("Record", "folder.parent.name == 'ada' OR folder.rank > 3"),
    ("Record", "folder.parent.parent.rank < 100"), ("Record", "tags.@count == 0"),
    ("Record", "tags.@count > 1"),
    ("Record", "ANY tags.label == 'a'"), ("Record", "ALL tags.label != nil"),
    ("Record", "NONE tags.label BEGINSWITH 'c'"),
    ("Record", "NOT (ANY tags.label ==[c] 'ADA')"), ("Note", "text == nil AND title != nil"),
    ("Memo", "urgency >= 0"),
    ("Folder", "ANY records.title CONTAINS 'a'"), ("Folder", "records.@count BETWEEN {1, 3}"),
    ("Folder", "children.@count == 0 AND parent != nil"), ("Folder", "ALL children.rank > 0"),
    ("Tag", "ANY records.folder.name == 'a'"), ("Tag", "records.@count >= 2 OR label == nil"),
    ("Tag", "SUBQUERY(records, $r, $r.small > 2 AND $r.title != nil).@count > 1"),
    ("Folder", "records.@sum.small > 10"), ("Folder", "records.@max.date > CAST(0, 'NSDate')"),
    ("Record", "small + middle > 10"), ("Record", "small * 2 == middle"), ("Record", "title.length > 3"),
    ("Record", "lowercase(title) == 'ada'"), ("Record", "large + 1 > large"), ("Record", "large * large > 0"),
    ("Record", "small / 2 == 3 OR small / 0 == nil"), ("Record", "modulus:by:(large, 7) < 0"),
    ("Record", "weight / small > 1 OR sqrt(weight) != nil"), ("Record", "ln(weight) == nil"),
    ("Record", "price * 2 == 21 OR price - small < 0"), ("Record", "weight * 10 - weight * 10 == nil"),
    ("Record", "(small & 3) == 1 OR (small | 8) == 9 OR (small ^ 1) == 2 OR (small << 2) == 12"),
    ("Record", "TERNARY(title != nil, title, 'none') IN {'none', 'ada'}"),
    ("Record", "small > TERNARY(isOpen == YES, middle, 2)"),
    ("Record", "title IN[c] {'ADA', 'STRASSE', nil}"),
    ("Record", "small BETWEEN {middle, large}"), ("Record", "weight == price OR large < price"),
    ("Record", "CAST(small, 'NSString') == '7' OR CAST(title, 'NSNumber') == 100"),
    ("Record", "FUNCTION(date, 'dateByAddingTimeInterval:', small * 60) > date"),
    ("Record", "canonical(title) == 'cafe' OR uppercase(title) == 'ADA'"), ("Record", "title IN 'adamant'"),
    ("Record", "folder.records.@max.small == small"), ("Record", "link == title OR uuid == bytes"),
    ("Folder", "records.@avg.weight > 0 OR records.@sum.price > 1 OR records.@min.title == 'a'"),
    ("Folder", "ANY children.records.title == 'a' OR children.records.@count > 2"),
    ("Folder", "SUBQUERY(records, $r, $r.small > rank).@count > 0"),
    ("Folder", "ANY SUBQUERY(records, $r, $r.isOpen == YES).title BEGINSWITH 'a'"),
    ("Folder", "SUBQUERY(children, $c, SUBQUERY($c.records, $r, $r.small < $c.rank).@count > 0).@count > 0"),
    ("Tag", "ANY records.folder.children.name == nil"),
    ("Tag", "SUBQUERY(related, $t, $t.label > label).@count == 1"),
    ("Tag", "label IN related.label"), ("Tag", "records.folder.children.@count > 1"),
    ("Tag", "SUBQUERY(records, $r, $r.folder != nil AND $r.folder.name != label).@count == records.@count"),
  ]
}
