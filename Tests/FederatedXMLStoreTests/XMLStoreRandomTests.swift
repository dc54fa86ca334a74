import FederatedModel
import FederatedStore
import Foundation
import TestSupport
import Testing

@testable import FederatedXMLStore

/// Random saves: after each, the file read anew must hold what the open store holds.
@Suite struct XMLStoreRandomTests {
  struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      self.state = self.state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return self.state ^ (self.state >> 29)
    }
  }

  /// Every row with its values and links, as text.
  private func contents(_ store: WholeFileStore, _ model: ManagedObjectModel) throws -> [String] {
    var lines: [String] = []
    for entity in model.entities {
      for row in try store.rows(entity.name, of: model) where row.entity == entity.id {
        var line = "\(entity.name) \(row.reference)"
        for column in entity.layout.columns {
          let value = row.value(column.slot, column.kind, store: StoreID(1))
          line += " \(column.name)=\(value)"
        }
        for relationship in entity.relationships where relationship.isToMany {
          let related = try store.related(relationship.name, of: row, in: model)
          line += " \(relationship.name)=\(relationship.isOrdered ? related : related.sorted())"
        }
        lines.append(line)
      }
    }
    return lines.sorted()
  }

  @Test(arguments: 1...12)
  func `the file follows the rows through random saves`(seed: UInt64) throws {
    var random = Generator(state: seed &* 0x9E37_79B9_7F4A_7C15)
    let model = try XMLStoreModels.notes()
    let file = try XMLStoreFile(model, seed % 3 == 0 ? nil : XMLStoreDocument.notes)
    let store = try file.open()
    for _ in 0..<20 {
      var changes = try self.changes(to: store, model, &random)
      if Bool.random(using: &random) {
        changes.links.append(contentsOf: try self.tagging(store, model, changes, &random))
      }
      try store.save(changes)
      let again = try file.open()
      #expect(try self.contents(again, model) == self.contents(store, model))
      #expect(again.repairs.isEmpty, "\(again.repairs)")
    }
  }

  private func changes(
    to store: WholeFileStore, _ model: ManagedObjectModel, _ random: inout Generator
  ) throws -> ChangeSet {
    var changes = ChangeSet()
    let folder = try #require(model.entity(named: "Folder"))
    let folders = try store.rows("Folder", of: model)
    for row in try store.rows("Note", of: model) {
      switch Int.random(in: 0..<6, using: &random) {
      case 0: changes.delete(row)
      case 1:
        let owner = folders.randomElement(using: &random)
        try changes.update(row, ["folder": self.object(owner), "title": .string("t\(random.next() % 99)<&")])
      case 2: try changes.update(row, ["title": .null, "pinnedIn": self.object(folders.last)])
      default: break
      }
    }
    for _ in 0..<Int.random(in: 0..<4, using: &random) {
      let reference = try store.reserveReferences(for: folder.id, count: 1).lowerBound
      let kind = ["Note", "Task", "Folder", "Tag"].randomElement(using: &random) ?? "Tag"
      let owner = folders.randomElement(using: &random)
      let links: [String: Value] = kind == "Note" || kind == "Task" ? ["folder": self.object(owner)] : [:]
      let name = kind == "Note" || kind == "Task" ? "title" : "name"
      try changes.insert(
        kind, reference, links.merging([name: .string("n\(reference)")]) { $1 }, in: model)
    }
    return changes
  }

  private func object(_ row: Snapshot?) -> Value {
    guard let row else { return .null }
    return .object(ManagedObjectID(store: StoreID(1), entity: row.entity, reference: row.reference))
  }

  /// Pairs of notes and tags, added or removed from either side.
  private func tagging(
    _ store: WholeFileStore, _ model: ManagedObjectModel, _ changes: ChangeSet, _ random: inout Generator
  ) throws -> [LinkChange] {
    let gone = Set(changes.deleted.flatMap { block in (0..<block.count).map { block[$0].reference } })
    let notes = try store.rows("Note", of: model).filter { !gone.contains($0.reference) }
    let tags = try store.rows("Tag", of: model)
    guard let note = notes.randomElement(using: &random), let tag = tags.randomElement(using: &random),
      let notesOfTag = model.entity(named: "Tag")?.relationship(named: "notes"),
      let tagsOfNote = model.entity(named: "Note")?.relationship(named: "tags")
    else { return [] }
    let ends = [
      (tagsOfNote.id, RowIdentity(note), RowIdentity(tag)),
      (notesOfTag.id, RowIdentity(tag), RowIdentity(note)),
    ]
    let (relationship, owner, member) = ends[Int(random.next() % 2)]
    let adds = Bool.random(using: &random)
    return [
      LinkChange(
        relationship: relationship, owner: owner, added: adds ? [member] : [], removed: adds ? [] : [member])
    ]
  }
}

extension RowIdentity {
  init(_ row: Snapshot) { self.init(entity: row.entity, reference: row.reference) }
}
