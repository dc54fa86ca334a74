internal import FederatedModel
internal import FederatedRuntime
internal import Foundation
internal import Testing

/// Typed objects: the plan's public face, word by word.
public enum TypedCases {
  public static let all: [StackCase<ShopStack>] = [
    StackCase("typed values come back as they were set, unsaved, saved and read again") {
      (stack: ShopStack) throws in
      let invoice = stack.invoice(7, Decimal(string: "12.34")!, at: 5)
      #expect(invoice.code == nil && !invoice.paid && invoice.weight == nil)
      invoice.code = "é"
      invoice.paid = true
      invoice.weight = 2.5
      let uuid = UUID()
      invoice.key = uuid
      invoice.page = URL(string: "https://example.org/a")
      invoice.scan = Data([1, 2, 3])
      func check(_ invoice: Invoice) {
        #expect(invoice.customerNumber == 7 && invoice.total == Decimal(string: "12.34"))
        #expect(invoice.date == Date(timeIntervalSinceReferenceDate: 5))
        #expect(invoice.code == "é" && invoice.paid && invoice.weight == 2.5)
        #expect(invoice.key == uuid && invoice.page?.absoluteString == "https://example.org/a")
        #expect(invoice.scan == Data([1, 2, 3]) && invoice.rank == 1)
      }
      check(invoice)
      try stack.context.save()
      check(invoice)
      stack.context.refresh(invoice, mergeChanges: false)
      check(invoice)
      invoice.weight = nil
      #expect(invoice.weight == nil && invoice.hasChanges)
      invoice.total += 1
      #expect(invoice.total == Decimal(string: "13.34"))
    },
    StackCase("a typed fetch: conditions, order, limit") { (stack: ShopStack) throws in
      for number in 95...110 { _ = stack.customer(number, number == 103 ? "named" : nil) }
      try stack.context.save()
      let customers = try stack.context.fetch(
        Fetch(Customer.self).where { $0.number > 100 && $0.name == nil }.sorted(by: \.number.ascending).limit(
          5))
      #expect(customers.map(\.number) == [101, 102, 104, 105, 106])
      #expect(customers[0].label == "101 unnamed")
      let untyped = try stack.context.fetch(
        FetchRequest("Customer", where: "number > %@ AND name == nil", 100))
      #expect(untyped.count == 9)
      #expect(try stack.context.count(for: Fetch(Customer.self).where { $0.number.isIn([95, 96, 1]) }) == 2)
      #expect(try stack.context.fetch(Fetch(Customer.self).where { $0.name.begins(with: "na") }).count == 1)
      #expect(try stack.context.fetch(Fetch(Customer.self).where { !($0.number < 110) }).count == 1)
    },
    StackCase("fetched properties, typed, between two stores") { (stack: ShopStack) throws in
      let customer = stack.customer(7, "Ada")
      for number in 0..<12 { _ = stack.invoice(7, Decimal(number * 200), at: Double(number)) }
      _ = stack.invoice(8, 5000, at: 0)
      try stack.context.save()
      let recent = try customer.recentInvoices
      #expect(recent.map(\.total) == (2..<12).reversed().map { Decimal($0 * 200) })
      #expect(try customer.largeInvoices.count == 6)
      stack.ledger.forgetCalls()
      #expect(try customer.recentInvoices.count == 10)
      #expect(stack.ledger.calls.queries.isEmpty)
      stack.context.refresh(customer, mergeChanges: true)
      #expect(try customer.recentInvoices.count == 10)
      #expect(stack.ledger.calls.queries.count == 1)
      let byKey = try customer.fetched("recentInvoices").map { try $0.value("date") }
      #expect(byKey.count == 10)
      let other = stack.customer(8, nil)
      let report = try stack.context.prefetch(\.largeInvoices, for: [customer, other])
      #expect(report.requests == 1 && report.owners == 2)
      #expect(try other.largeInvoices.map(\.total) == [5000])
    },
    StackCase("typed links: collections, inverse, subclasses") { (stack: ShopStack) throws in
      let invoice = stack.invoice(1, 1, at: 0)
      let line = stack.context.insert(Line.self)
      line.text = "one"
      invoice.lines.insert(line)
      #expect(line.invoice === invoice)
      let discount = stack.context.insert(DiscountLine.self)
      discount.text = "two"
      discount.percent = 20
      discount.invoice = invoice
      #expect(Set(invoice.lines.map(\.text)) == ["one", "two"])
      try stack.context.save()
      #expect(discount.percent == 20)
      let lines = try stack.context.fetch(Fetch(Line.self).sorted(by: \.text.ascending))
      #expect(lines.map(\.text) == ["one", "two"] && lines[1] is DiscountLine)
      invoice.lines = [line]
      #expect(discount.invoice == nil && invoice.lines.count == 1)
      invoice.lines.remove(line)
      #expect(line.invoice == nil && invoice.lines.isEmpty)
      #expect(try stack.context.fetch(Fetch(Line.self).where { $0.invoice == invoice }).isEmpty)
      stack.context.delete(invoice)
      try stack.context.save()
      #expect(try stack.context.count(for: Fetch(Line.self)) == 2)
    },
    StackCase("a number that its attribute cannot hold is thrown by the next save") {
      (stack: ShopStack) throws in
      let invoice = stack.invoice(1, 1, at: 0)
      invoice.rank = 70_000
      #expect(invoice.rank == 1)
      let error = #expect(throws: ManagedObjectError.self) { try stack.context.save() }
      #expect(error?.code == .wrongType && error?.property == "rank")
      try stack.context.save()
    },
    StackCase("nil where a value was promised reads zero, and is thrown by the next fetch") {
      (stack: ShopStack) throws in
      let invoice = stack.context.insert(Invoice.self)
      #expect(invoice.customerNumber == 0)
      try stack.context.save()
      #expect(invoice.customerNumber == 0)
      let error = #expect(throws: ManagedObjectError.self) { try stack.context.fetch(Fetch(Customer.self)) }
      #expect(error?.property == "customerNumber")
      #expect(try invoice.value("customerNumber") == .null)
    },
    StackCase("rows are read typed, without objects") { (stack: ShopStack) throws in
      for number in 0..<10 {
        stack.invoice(number, Decimal(number), at: 0).code = number == 3 ? nil : "c\(number)"
      }
      try stack.context.save()
      var sum: Decimal = 0
      var codes: [String?] = []
      let fetch = Fetch(Invoice.self).where { $0.customerNumber > 1 }.sorted(by: \.customerNumber.ascending)
        .limit(3)
      try stack.context.forEachRow(of: fetch) { row in
        sum += row.total
        codes.append(row.code)
        let number = try row.value("customerNumber")
        #expect(number == .int(Int64(row.customerNumber)))
      }
      #expect(sum == 9 && codes == ["c2", nil, "c4"])
      #expect(stack.context.registeredObjects.isEmpty)
    },
    StackCase("one set of classes serves two models in one process") { (stack: ShopStack) throws in
      let other = try ShopStack()
      let (one, two) = (stack.customer(1, "a"), other.customer(2, "b"))
      for _ in 0..<3 { #expect(one.number == 1 && two.number == 2) }
      try stack.context.save()
      try other.context.save()
      #expect(one.name == "a" && two.name == "b")
    },
  ]
}
