public import FederatedModel
internal import FederatedRuntime
internal import Foundation

/// A typed condition and the format that gives the same tree.
public struct TypedPredicateCase: Sendable, CustomStringConvertible {
  public let typed: FetchPredicate
  public let format: String

  public var description: String { self.format }

  private static func invoice(_ format: String, _ typed: (Invoice.Keys) -> FetchPredicate)
    -> TypedPredicateCase
  {
    TypedPredicateCase(typed: typed(Invoice.keys), format: format)
  }

  private static func line(_ format: String, _ typed: (Line.Keys) -> FetchPredicate) -> TypedPredicateCase {
    TypedPredicateCase(typed: typed(Line.keys), format: format)
  }

  public static let values: [TypedPredicateCase] = [
    .invoice("rank == 3") { $0.rank == 3 }, .invoice("rank != 3") { $0.rank != 3 },
    .invoice("rank < 3") { $0.rank < 3 }, .invoice("rank <= 3") { $0.rank <= 3 },
    .invoice("rank > 3") { $0.rank > 3 }, .invoice("rank >= 3") { $0.rank >= 3 },
    .invoice("weight > 2.5") { $0.weight > 2.5 }, .invoice("paid == YES") { $0.paid == true },
    .invoice("code == nil") { $0.code == nil }, .invoice("code != nil") { $0.code != nil },
    .invoice("code == 'a' AND rank > 3") { $0.code == "a" && $0.rank > 3 },
    .invoice("code == 'a' OR rank > 3 OR paid == NO") { $0.code == "a" || $0.rank > 3 || $0.paid == false },
    .invoice("NOT (rank > 3 AND code != 'x')") { !($0.rank > 3 && $0.code != "x") },
    .invoice("rank BETWEEN {1, 9}") { $0.rank.isBetween(1, 9) },
    .invoice("rank BETWEEN {1, 9}") { (1...9).contains($0.rank) },
    .invoice("rank IN {1, 5, 9}") { $0.rank.isIn([1, 5, 9]) },
    .invoice("rank IN {1, 5, 9}") { [1, 5, 9].contains($0.rank) },
    .invoice("code IN {'a', 'b'}") { $0.code.isIn(["a", "b"]) },
    .invoice("rank == customerNumber") { $0.rank == $0.customerNumber },
    .invoice("rank >= customerNumber") { $0.rank >= $0.customerNumber },
    .invoice("customerNumber == $FETCH_SOURCE.number AND rank < $FETCH_SOURCE.number") {
      $0.customerNumber == Customer.source(\.number) && $0.rank < Customer.source(\.number)
    },
  ]

  public static let texts: [TypedPredicateCase] = [
    .invoice("code CONTAINS 'a'") { $0.code.contains("a") },
    .invoice("code CONTAINS[cd] 'a'") { $0.code.contains("a", [.caseInsensitive, .diacriticInsensitive]) },
    .invoice("code BEGINSWITH[c] 'a'") { $0.code.begins(with: "a", .caseInsensitive) },
    .invoice("code ENDSWITH 'a'") { $0.code.ends(with: "a") },
    .invoice("code LIKE[d] 'a*'") { $0.code.isLike("a*", .diacriticInsensitive) },
    .invoice("code MATCHES '[a-z]+'") { $0.code.matches("[a-z]+") },
    .invoice("code ==[c] 'a'") { $0.code.equals("a", .caseInsensitive) },
    .line("text CONTAINS 'a'") { $0.text.contains("a") },
  ]

  public static let links: [TypedPredicateCase] = [
    .line("invoice.rank > 3") { $0.invoice.rank > 3 },
    .line("invoice.code BEGINSWITH 'a' AND invoice.paid == NO") {
      $0.invoice.code.begins(with: "a") && $0.invoice.paid == false
    },
    .line("invoice == nil") { $0.invoice == nil }, .line("invoice != nil") { $0.invoice != nil },
    .line("invoice.rank == invoice.customerNumber") { $0.invoice.rank == $0.invoice.customerNumber },
    .line("invoice.lines.@count > 3") { $0.invoice.lines.count > 3 },
    .invoice("ANY lines.text == 'a'") { $0.lines.any.text == "a" },
    .invoice("ALL lines.text BEGINSWITH 'a'") { $0.lines.all.text.begins(with: "a") },
    .invoice("NONE lines.text == 'a'") { $0.lines.none.text == "a" },
    .invoice("ANY lines.text IN {'a', 'b'}") { $0.lines.any.text.isIn(["a", "b"]) },
    .invoice("ANY lines.invoice.rank > 3") { $0.lines.any.invoice.rank > 3 },
    .invoice("lines.@count == 0") { $0.lines.count == 0 },
    .invoice("SUBQUERY(lines, $element, $element.text == 'a' AND $element.invoice.rank > 3).@count > 0") {
      $0.lines.contains { $0.text == "a" && $0.invoice.rank > 3 }
    },
    .invoice(
      "SUBQUERY(lines, $element, SUBQUERY($element.invoice.lines, $element, $element.text == 'a').@count > 0).@count > 0"
    ) { $0.lines.contains { $0.invoice.lines.contains { $0.text == "a" } } },
    .invoice("rank + 1 > customerNumber * 2") { $0.rank + 1 > $0.customerNumber * 2 },
    .invoice("rank - customerNumber == 3") { $0.rank - $0.customerNumber == 3 },
    .invoice("(rank + 1) / 2 <= 3") { ($0.rank + 1) / 2 <= 3 },
    .invoice("weight * 2.5 < 10.0") { $0.weight * 2.5 < 10 },
  ]
}
