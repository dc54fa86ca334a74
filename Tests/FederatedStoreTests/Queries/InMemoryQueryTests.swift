import FederatedModel
import FederatedStoreTesting
import Foundation
import Testing

@testable import FederatedStore

/// The fast ways of answering against the plain one: a scan, judged and sorted value by value.
@Suite struct InMemoryQueryTests {
  let model: ManagedObjectModel
  init() throws { self.model = try ConformanceModel.make() }

  private func table(seed: UInt64, saves: Int = 0) throws -> RowTable {
    let description = PersistentStoreDescription(.inMemory, at: nil)
    let store = try WholeFileStore(inMemory: description, self.model)
    let open = OpenStore(store, self.model)
    let rows = try RowGenerator(self.model, seed: seed, count: 90).fill(open)
    var random = SeededGenerator(seed: seed)
    let editor = open.edit()
    // Every other save changes rows after an index was made of them.
    for round in 0..<saves {
      _ = try open.rows(
        open.query("Record") {
          $0.keys = LinkKeys(attributes: [open.attribute("Record", "title")], keys: [[.null]])
        })
      for _ in 0..<8 {
        let identity = rows[Int(random.next() % UInt64(rows.count))]
        guard let row = try open.row(identity), row.version == round + 1 || row.version == 1,
          self.model[row.entity].attribute(named: "title") != nil
        else { continue }
        let other = rows[Int(random.next() % UInt64(rows.count))]
        let title = try open.row(other).map { open.value($0, "title") } ?? .null
        try editor.update(row, ["title": title])
        try open.save(editor)
      }
    }
    return store.state.withLock { $0.table }
  }

  private func references(_ answer: StoreAnswer) -> [Int64] {
    if case .rows(let rows) = answer { rows.map(\.reference) } else { [] }
  }

  @Test("an index and a scan find the same rows", arguments: 0..<6 as Range<UInt64>)
  func indexes(seed: UInt64) throws {
    let table = try self.table(seed: seed, saves: 4)
    var generator = PredicateGenerator(self.model, seed: seed)
    var looked = 0
    var found = 0
    for entity in ["Record", "Note", "Folder", "Tag"].compactMap({ self.model.entity(named: $0) }) {
      for _ in 0..<150 {
        let predicate = FetchPredicate.and([
          generator.predicate(of: entity, depth: 0), generator.predicate(of: entity, depth: 1),
        ])
        var query = StoreQuery(entity: entity.id)
        do { query.predicate = try predicate.bound(to: entity, in: self.model) } catch { continue }
        let access = TableAccess(query, in: table)
        if access.explanation(in: self.model).index != nil { looked += 1 }
        let fast = self.references(try InMemoryQuery(access.rest, source: table).run(over: access.candidates))
        let slow = self.references(
          try InMemoryQuery(query, source: table).run(over: table.rows(of: entity.id)))
        #expect(fast == slow, "seed \(seed), \(entity.name) where \(predicate)")
        if !slow.isEmpty { found += 1 }
      }
    }
    #expect(looked > 50, "only \(looked) questions were look-ups")
    #expect(found > 100, "only \(found) questions found rows")
  }

  @Test("keys find the same rows through an index and through a filter", arguments: 0..<4 as Range<UInt64>)
  func keys(seed: UInt64) throws {
    let table = try self.table(seed: seed, saves: 3)
    let record = try #require(self.model.entity(named: "Record"))
    for attribute in record.attributes {
      guard let slot = attribute.slot, let kind = attribute.type.slotKind else { continue }
      let bound = BoundAttribute(name: attribute.name, entity: record.id, slot: slot, type: attribute.type)
      let values = table.rows(of: record.id).prefix(20).map { $0.value(slot, kind, store: table.store) }
      var query = StoreQuery(entity: record.id)
      query.keys = LinkKeys(attributes: [bound], keys: values.map { [$0] })
      let access = TableAccess(query, in: table)
      let fast = self.references(try InMemoryQuery(access.rest, source: table).run(over: access.candidates))
      let slow = self.references(try InMemoryQuery(query, source: table).run(over: table.rows(of: record.id)))
      let plain = table.rows(of: record.id).filter { row in
        values.contains { $0.matches(row.value(slot, kind, store: table.store)) }
      }.map(\.reference)
      #expect(fast == plain, "\(attribute.name)")
      #expect(slow == plain, "\(attribute.name)")
    }
  }

  @Test("sorting by slots and by values gives the same order", arguments: 0..<4 as Range<UInt64>)
  func orders(seed: UInt64) throws {
    let table = try self.table(seed: seed)
    let memo = try #require(self.model.entity(named: "Memo"))
    let rows = table.rows(of: memo.id)
    for attribute in memo.attributes
    where attribute.slot != nil && attribute.type != .transformable(codec: nil) {
      for ascending in [true, false] {
        let sorts = try [
          FetchSortDescriptor(attribute.name, ascending: ascending), .descending("title"),
        ].map { try $0.bound(to: memo, in: self.model) }
        let order = try #require(ColumnOrder(sorts))
        let fast = order.sorted(Array(rows.indices), of: rows).map { rows[$0].reference }
        let slow = try SubjectOrder(sorts).sorted(rows.map { SnapshotSubject($0, in: table) }).map(
          \.row.reference)
        #expect(fast == slow, "\(attribute.name), ascending: \(ascending)")
      }
    }
  }

  @Test("a predicate that cannot be answered is an error, though no row is looked at")
  func refusals() throws {
    let table = try self.table(seed: 1)
    let record = try #require(self.model.entity(named: "Record"))
    let date = BoundAttribute(
      name: "date", entity: record.id, slot: try #require(record.attribute(named: "date")?.slot), type: .date)
    var query = StoreQuery(entity: record.id)
    query.predicate = .comparison(
      .init(
        .path(.evaluatedObject, [.attribute(date)]), .equal, .constant(.int(5)), modifier: .direct,
        options: []))
    let access = TableAccess(query, in: table)
    let error = #expect(throws: StoreError.self) {
      try InMemoryQuery(access.rest, source: table).run(over: access.candidates)
    }
    #expect(error?.code == .predicate)
    #expect((error?.underlying as? FetchPredicateError)?.code == .predicateTypeMismatch)
  }

  @Test("a reference to a row that is not there counts as nil")
  func dangling() throws {
    let open = try StoreUnderTest(.inMemory, isPersistent: false).open()
    let folder = open.entity("Folder")
    let editor = open.edit()
    let record = try editor.insert("Record", to: ["folder": RowIdentity(entity: folder.id, reference: 999)])
    try open.save(editor)
    for (format, count) in [("folder == nil", 1), ("folder.name == nil", 1), ("folder.name == 'a'", 0)] {
      let query = try open.query("Record") {
        $0.predicate = try FetchPredicate(format: format).bound(to: open.entity("Record"), in: open.model)
      }
      #expect(
        try open.rows(query).map(\.reference) == Array(repeating: record.reference, count: count), "\(format)"
      )
    }
  }
}
