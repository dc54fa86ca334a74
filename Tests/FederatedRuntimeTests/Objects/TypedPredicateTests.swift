import FederatedModel
import FederatedRuntime
import Foundation
import TestSupport
import Testing

@Suite struct TypedPredicateTests {
  @Test(
    "a typed condition is the tree that its format gives",
    arguments: TypedPredicateCase.values + TypedPredicateCase.texts + TypedPredicateCase.links)
  func trees(_ testCase: TypedPredicateCase) throws {
    let parsed = try FetchPredicate(format: testCase.format)
    #expect(testCase.typed == parsed, "\(testCase.typed)")
    #expect(testCase.typed.description == parsed.description)
  }

  @Test("constants of other types, objects and identifiers are those of arguments")
  func arguments() throws {
    let stack = try ShopStack()
    let (invoice, other) = (stack.invoice(1, 1, at: 0), stack.invoice(2, 1, at: 0))
    let line = stack.context.insert(Line.self)
    let (lines, invoices) = (Line.keys, Invoice.keys)
    let uuid = UUID()
    let date = Date(timeIntervalSinceReferenceDate: 5)
    for (typed, parsed) in [
      (invoices.total > 1000, try FetchPredicate(format: "total > %@", Decimal(1000))),
      (invoices.key == uuid, try FetchPredicate(format: "key == %@", uuid)),
      (invoices.date <= date, try FetchPredicate(format: "date <= %@", date)),
      (lines.invoice == invoice, try FetchPredicate(format: "invoice == %@", invoice)),
      (lines.invoice != invoice, try FetchPredicate(format: "invoice != %@", invoice)),
      (lines.invoice == invoice.objectID, try FetchPredicate(format: "invoice == %@", invoice)),
      (
        lines.invoice.isIn([invoice, other]),
        try FetchPredicate(format: "invoice IN {%@, %@}", invoice, other)
      ),
      (invoices.lines.contains(line), try FetchPredicate(format: "lines CONTAINS %@", line)),
      (invoices.lines.any == line, try FetchPredicate(format: "ANY lines == %@", line)),
      (invoices.lines.none == line, try FetchPredicate(format: "NONE lines == %@", line)),
    ] {
      #expect(typed == parsed, "\(typed) \(parsed)")
    }
  }

  @Test("typed orders are sort descriptors, through to-one relationships and with their comparison")
  func orders() {
    let fetch = Fetch(Line.self).sorted(
      by: \.text.ascending, \.invoice.date.descending, \.text.caseInsensitive.ascending,
      \.invoice.code.localizedStandard.descending, \.text.localized.ascending,
      \.text.localizedCaseInsensitive.descending)
    #expect(
      fetch.request.sortDescriptors == [
        .ascending("text"), .descending("invoice.date"),
        FetchSortDescriptor("text", comparison: .caseInsensitive),
        FetchSortDescriptor("invoice.code", ascending: false, comparison: .localizedStandard),
        FetchSortDescriptor("text", comparison: .localized),
        FetchSortDescriptor("text", ascending: false, comparison: .localizedCaseInsensitive),
      ])
    let window = Fetch(Line.self).limit(3).offset(2).request
    #expect(window.fetchLimit == 3 && window.fetchOffset == 2)
  }

  @Test("typed conditions and orders through fetched properties are those with names")
  func links() throws {
    let typed = Fetch(Customer.self).where { $0.number > 3 }
      .linked(\.largeInvoices) { $0.paid == false }
      .linked(\.recentInvoices, .count(.greater, 3))
      .linked(\.recentInvoices, .none) { $0.lines.any.text == "a" }
      .sorted(through: \.recentInvoices, by: \.code.caseInsensitive.descending)
    let named = try FetchRequest("Customer", where: "number > 3")
      .linked("largeInvoices", where: "paid == NO")
      .linked("recentInvoices", .count(.greater, 3))
      .linked("recentInvoices", .none, where: "ANY lines.text == 'a'")
      .sorted(
        through: "recentInvoices",
        by: FetchSortDescriptor("code", ascending: false, comparison: .caseInsensitive))
    #expect(typed.request == named)
  }

  @Test(
    "conditions with wrong types do not compile",
    .enabled(if: ClientCompiler.modules != nil, "the modules of this build are not beside the tests"),
    arguments: [
      (#"$0.number == 5"#, true), (#"$0.number == "5""#, false), (#"$0.number == nil"#, false),
      (#"$0.name == nil"#, true), (#"$0.number.contains("5")"#, false), (#"$0.name > 5"#, false),
      (#"$0.number + $0.name > 5"#, false), (#"$0.number == $0.name"#, false), (#"$0.peer.number > 5"#, true),
      (#"$0.peer.nmae == nil"#, false), (#"$0.peer == 5"#, false), (#"$0.found.name == nil"#, false),
      (#"$0.peers.name == nil"#, false), (#"$0.peers.any.name == nil"#, true),
      (#"(1...5).contains($0.name)"#, false),
      (#"$0.peer.peer.name == nil && ($0.number * 2 > 3 || $0.peers.count == 0) && !($0.name == "x")"#, true),
    ] as [(String, Bool)])
  func types(condition: String, compiles: Bool) throws {
    let errors = try ClientCompiler.errors(
      in: """
        import FederatedModel
        import FederatedRuntime
        final class Person: ManagedObject, TypedObject {
          struct Keys: Sendable {
            let number = AttributeKey<Int>("number")
            let name = AttributeKey<String?>("name")
            let peer = ToOneKey<Person>("peer")
            let peers = ToManyKey<Person>("peers")
            let found = FetchedKey<Person>("found")
          }
          static let keys = Keys()
        }
        let fetch = Fetch(Person.self).where { \(condition) }
        """)
    #expect(errors.isEmpty == compiles, "\(errors)")
  }
}
