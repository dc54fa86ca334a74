import CSQLite
import Foundation

extension BenchmarkTask {
  /// The same as T1, set-oriented: one scan, grouped by customer, each group sorted.
  static let linksBySet = BenchmarkTask(
    name: "T2", title: "the same as T1, by the set",
    ways: [
      Way(raw) { files in
        let customers = try RawCustomersFile(files.customers)
        var places = RawPlaces(capacity: customers.count)
        defer { places.free() }
        for index in 0..<customers.count { places.insert(customers.customers[index].id, Int32(index)) }
        let database = try RawDatabase(files.invoices)
        let select = try database.prepare(RawDatabase.selectInvoices)
        var arena = RawArena()
        defer { arena.free() }
        var invoices: [RawInvoice] = []
        var owners: [Int32] = []
        var starts = [Int32](repeating: 0, count: customers.count + 1)
        while select.step() {
          let invoice = RawInvoice(select.handle, &arena)
          guard let owner = places[invoice.customer] else { continue }
          invoices.append(invoice)
          owners.append(owner)
          starts[Int(owner) + 1] += 1
        }
        for index in 0..<customers.count { starts[index + 1] += starts[index] }
        let groups = UnsafeMutableBufferPointer<RawInvoice>.allocate(capacity: invoices.count)
        defer { groups.deallocate() }
        var next = starts
        for (index, owner) in owners.enumerated() {
          groups.initializeElement(at: Int(next[Int(owner)]), to: invoices[index])
          next[Int(owner)] += 1
        }
        var check: Int64 = 0
        for index in 0..<customers.count {
          var group = UnsafeMutableBufferPointer(
            rebasing: groups[Int(starts[index])..<Int(starts[index + 1])])
          group.sort { $0.date != $1.date ? $0.date > $1.date : $0.key < $1.key }
          for invoice in group { check += cents(invoice.total) }
        }
        return Outcome(check: check)
      },
      Way("prefetched") { files in
        let shop = try Shop(ShopModel.customers(files), ShopModel.invoices(files))
        return Outcome(check: try shop.sumOfPrefetchedInvoices())
      },
    ])
}

/// An open-addressed table from customer to place.
private struct RawPlaces {
  private let keys: UnsafeMutablePointer<Int64>
  private let places: UnsafeMutablePointer<Int32>
  private let mask: Int

  init(capacity: Int) {
    var size = 1
    while size < capacity * 2 { size *= 2 }
    self.keys = .allocate(capacity: size)
    self.keys.initialize(repeating: 0, count: size)
    self.places = .allocate(capacity: size)
    self.places.initialize(repeating: 0, count: size)
    self.mask = size - 1
  }

  mutating func free() {
    self.keys.deallocate()
    self.places.deallocate()
  }

  @inline(__always) private func slot(of key: Int64) -> Int {
    var slot = Int(truncatingIfNeeded: (UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15) >> 20) & self.mask
    while self.keys[slot] != 0 && self.keys[slot] != key { slot = (slot + 1) & self.mask }
    return slot
  }

  mutating func insert(_ key: Int64, _ place: Int32) {
    let slot = self.slot(of: key)
    self.keys[slot] = key
    self.places[slot] = place
  }

  @inline(__always) subscript(key: Int64) -> Int32? {
    let slot = self.slot(of: key)
    return self.keys[slot] == 0 ? nil : self.places[slot]
  }
}
