import CSQLite
import FederatedData
import Foundation

extension BenchmarkTask {
  /// Open both files; for each customer its invoices, newest first; sum their totals.
  static let linksOneByOne = BenchmarkTask(
    name: "T1", title: "each customer's invoices, newest first",
    ways: [
      Way(raw) { files in
        let customers = try RawCustomersFile(files.customers)
        let database = try RawDatabase(files.invoices)
        let select = try database.prepare(
          RawDatabase.selectInvoices + "WHERE ZCUSTOMERID = ? ORDER BY ZDATE DESC")
        var arena = RawArena()
        defer { arena.free() }
        var check: Int64 = 0
        for index in 0..<customers.count {
          select.bind(1, customers.customers[index].id)
          var capacity = 16
          var count = 0
          var invoices = UnsafeMutablePointer<RawInvoice>.allocate(capacity: capacity)
          while select.step() {
            if count == capacity {
              let larger = UnsafeMutablePointer<RawInvoice>.allocate(capacity: capacity * 2)
              larger.moveInitialize(from: invoices, count: count)
              invoices.deallocate()
              invoices = larger
              capacity *= 2
            }
            (invoices + count).initialize(to: RawInvoice(select.handle, &arena))
            count += 1
          }
          select.reset()
          for index in 0..<count { check += cents(invoices[index].total) }
          invoices.deallocate()
        }
        return Outcome(check: check)
      },
      Way("lazy") { files in
        let shop = try Shop(ShopModel.customers(files), ShopModel.invoices(files))
        return Outcome(check: try shop.sumOfInvoices())
      },
      Way("in a read scope") { files in
        let shop = try Shop(ShopModel.customers(files), ShopModel.invoices(files))
        return Outcome(check: try shop.context.withReadScope { try shop.sumOfInvoices() })
      },
      Way("by the set") { files in
        let shop = try Shop(ShopModel.customers(files), ShopModel.invoices(files))
        return Outcome(check: try shop.sumOfPrefetchedInvoices())
      },
    ])
}

extension Shop {
  /// Reads the fetched property of one customer after the other.
  fileprivate func sumOfInvoices() throws -> Int64 {
    var sum: Int64 = 0
    for customer in try self.context.fetch(Fetch(Customer.self)) {
      for invoice in try customer.invoices { sum += cents(invoice.total) }
    }
    return sum
  }

  /// Fills the fetched property of all customers first.
  func sumOfPrefetchedInvoices() throws -> Int64 {
    try self.context.withReadScope {
      let customers = try self.context.fetch(Fetch(Customer.self))
      try self.context.prefetch("invoices", for: customers)
      var sum: Int64 = 0
      for customer in customers {
        for invoice in try customer.invoices { sum += cents(invoice.total) }
      }
      return sum
    }
  }
}
