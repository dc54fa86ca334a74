import FederatedModel
import FederatedStoreTesting
import Foundation
import Testing

@testable import FederatedStore

@Suite struct RowSinkTests {
  let model: ManagedObjectModel
  init() throws { self.model = try ConformanceModel.make() }

  private func entity(_ name: String) throws -> Entity { try #require(self.model.entity(named: name)) }
  private func relationship(_ entity: String, _ name: String) throws -> Relationship {
    try #require(try self.entity(entity).relationship(named: name))
  }
  private func sink() -> RowSink { RowSink(model: self.model, store: StoreID(1)) }
  private func identity(_ entity: String, _ reference: Int64) throws -> RowIdentity {
    RowIdentity(entity: try self.entity(entity).id, reference: reference)
  }

  @Test("a to-one that points forward finds its concrete entity; a dangling one keeps the declared")
  func forward() throws {
    var sink = self.sink()
    let cover = try self.relationship("Folder", "cover")
    try sink.beginRow(of: try self.entity("Folder").id, reference: 1)
    sink.setToOne(cover, to: sink.reference(named: "3"))
    try sink.beginRow(of: try self.entity("Folder").id, reference: 2)
    sink.setToOne(cover, to: sink.reference(named: "99"))
    try sink.beginRow(of: try self.entity("Memo").id, reference: 3)
    let table = sink.finish().table
    let slot = try #require(cover.slot)
    #expect(
      table.row(try self.identity("Folder", 1))?.destination(slot)?.entity == (try self.entity("Memo").id))
    #expect(
      table.row(try self.identity("Folder", 2))?.destination(slot)?.entity == (try self.entity("Record").id))
    #expect(table.row(try self.identity("Folder", 2))?.destination(slot)?.reference == 99)
    #expect(table.highestReference == 3)
  }

  @Test("a second row with one identifier is refused with its place")
  func duplicate() throws {
    var sink = self.sink()
    try sink.beginRow(of: try self.entity("Memo").id, reference: 3)
    let record = try self.entity("Record").id
    let error = #expect(throws: StoreError.self) {
      try sink.beginRow(of: record, reference: 3, at: .text(line: 7, column: 2))
    }
    #expect(error?.code == .malformed)
    #expect(error?.place == .text(line: 7, column: 2))
    try sink.beginRow(of: try self.entity("Tag").id, reference: 3)
  }

  @Test("a row of an abstract entity is refused")
  func abstract() throws {
    var sink = self.sink()
    let thing = try self.entity("Thing").id
    #expect(throws: StoreError.self) { try sink.beginRow(of: thing, reference: 1) }
  }

  @Test("lists that contradict the to-one side are repaired and reported")
  func repairs() throws {
    var sink = self.sink()
    let (records, folder) = (
      try self.relationship("Folder", "records"), try self.relationship("Record", "folder")
    )
    try sink.beginRow(of: try self.entity("Folder").id, reference: 1)
    sink.setToMany(records, to: [11, 12])
    try sink.beginRow(of: try self.entity("Folder").id, reference: 2)
    sink.setToMany(records, to: [])
    for (reference, owner) in [(11, 1), (12, 0), (13, 2)] as [(Int64, Int64)] {
      try sink.beginRow(of: try self.entity("Record").id, reference: reference)
      if owner != 0 { sink.setToOne(folder, to: owner) }
    }
    let read = sink.finish()
    #expect(read.table.related(records, of: 1) == [try self.identity("Record", 11)])
    #expect(read.table.related(records, of: 2) == [try self.identity("Record", 13)])
    #expect(read.repairs.map(\.repair) == [.removed, .added])
    #expect(read.repairs.map(\.destination.reference) == [12, 13])
    #expect(read.repairs[1].description.contains("Folder 2, records"))
  }

  @Test("a list that no row of the file tells is made from the other side without a report")
  func oneSided() throws {
    var sink = self.sink()
    let tags = try self.relationship("Record", "tags")
    try sink.beginRow(of: try self.entity("Record").id, reference: 1)
    sink.setToMany(tags, to: [5, 6])
    for reference in [5, 6] as [Int64] {
      try sink.beginRow(of: try self.entity("Tag").id, reference: reference)
    }
    let read = sink.finish()
    #expect(read.repairs.isEmpty)
    #expect(
      read.table.related(try self.relationship("Tag", "records"), of: 6) == [try self.identity("Record", 1)])
  }

  @Test("a many-to-many that the ends tell differently is joined and reported")
  func joined() throws {
    var sink = self.sink()
    let (tags, records) = (try self.relationship("Record", "tags"), try self.relationship("Tag", "records"))
    for (reference, list) in [(1, [5]), (2, [])] as [(Int64, [Int64])] {
      try sink.beginRow(of: try self.entity("Record").id, reference: reference)
      sink.setToMany(tags, to: list)
    }
    try sink.beginRow(of: try self.entity("Tag").id, reference: 5)
    sink.setToMany(records, to: [2])
    let read = sink.finish()
    #expect(read.table.related(records, of: 5).map(\.reference).sorted() == [1, 2])
    #expect(read.table.related(tags, of: 2).map(\.reference) == [5])
    #expect(read.repairs.count == 2)
  }

  @Test("dangling and unsorted lists stay as the file has them")
  func keepsLists() throws {
    var sink = self.sink()
    let (records, folder) = (
      try self.relationship("Folder", "records"), try self.relationship("Record", "folder")
    )
    try sink.beginRow(of: try self.entity("Folder").id, reference: 1)
    sink.setToMany(records, to: [12, 99, 11])
    for reference in [11, 12] as [Int64] {
      try sink.beginRow(of: try self.entity("Record").id, reference: reference)
      sink.setToOne(folder, to: 1)
    }
    let read = sink.finish()
    #expect(read.table.related(records, of: 1).map(\.reference) == [12, 99, 11])
    #expect(read.repairs.isEmpty)
  }

  @Test("many rows fill many blocks, keep the file's order and are found by reference")
  func manyRows() throws {
    var sink = self.sink()
    let label = try #require(try self.entity("Tag").layout.column(named: "label"))
    let order = (0..<20_000).map { Int64(($0 * 7919) % 20_000 + 1) }
    for reference in order {
      try sink.beginRow(of: try self.entity("Tag").id, reference: reference)
      sink.row.set(string: "tag number \(reference) with some more text", at: label.slot)
    }
    let table = sink.finish().table
    #expect(table.blocks.count > 4)
    #expect(table.rowsInFileOrder.map(\.reference) == order)
    #expect(table.rows(of: try self.entity("Tag").id).map(\.reference) == order.sorted())
    for reference in [1, 777, 20_000] as [Int64] {
      #expect(
        table.row(try self.identity("Tag", reference))?.string(label.slot).contains(" \(reference) ") == true)
    }
    #expect(table.row(try self.identity("Tag", 20_001)) == nil)
    #expect(table.row(try self.identity("Folder", 1)) == nil)
  }

  @Test("what a format keeps for a row and for the file follows them")
  func extras() throws {
    var sink = self.sink()
    sink.storeExtra = Data("head".utf8)
    let tag = try self.entity("Tag")
    for reference in [1, 2] as [Int64] {
      try sink.beginRow(of: tag.id, reference: reference)
      sink.keep(Data("row \(reference)".utf8))
    }
    let table = sink.finish().table
    var changes = ChangeSet()
    let row = try #require(table.row(try self.identity("Tag", 1)))
    var rows = RowBlockBuilder(layout: tag.layout)
    rows.copyRow(row, reference: 1, version: 1)
    changes.deleted = [rows.finish()]
    let next = try table.applying(changes)
    #expect(next.extra(of: try self.identity("Tag", 1)) == nil)
    #expect(next.extra(of: try self.identity("Tag", 2)) == Data("row 2".utf8))
    #expect(table.extra(of: try self.identity("Tag", 1)) == Data("row 1".utf8))
    #expect(next.storeExtra == Data("head".utf8))
  }
}
