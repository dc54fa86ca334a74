import FederatedModel
import FederatedStore
import Foundation
import TestSupport
import Testing

@testable import FederatedXMLStore

/// A store file of one test and the model that it is opened with.
final class XMLStoreFile {
  let folder: TemporaryFolder
  let url: URL
  let model: ManagedObjectModel

  init(_ model: ManagedObjectModel, _ content: String? = nil, name: String = "store.xml") throws {
    self.folder = try TemporaryFolder()
    self.url = self.folder.file(name)
    self.model = model
    if let content { try Data(content.utf8).write(to: self.url) }
  }

  convenience init(_ model: ManagedObjectModel, copying file: URL) throws {
    try self.init(model)
    try FileManager.default.copyItem(at: file, to: self.url)
  }

  /// Opens the file, whatever version hashes it has.
  func open(readOnly: Bool = false) throws -> WholeFileStore {
    var description = PersistentStoreDescription(.xml, at: self.url, readOnly: readOnly)
    description.ignoresModelVersion = true
    return try WholeFileStore(XMLStoreFormat(), description, self.model)
  }

  var text: String {
    get throws { String(decoding: try Data(contentsOf: self.url), as: UTF8.self) }
  }

  /// Two texts' lines that differ, as `-old` and `+new`.
  static func difference(_ old: String, _ new: String) -> [String] {
    let (old, new) = (old.components(separatedBy: "\n"), new.components(separatedBy: "\n"))
    return new.difference(from: old).map { change in
      switch change {
      case .remove(_, let line, _): "-" + line.trimmingCharacters(in: .whitespaces)
      case .insert(_, let line, _): "+" + line.trimmingCharacters(in: .whitespaces)
      }
    }
  }
}

extension WholeFileStore {
  /// All rows of an entity, subentities included, by ascending reference.
  func rows(_ entity: String, of model: ManagedObjectModel) throws -> [Snapshot] {
    guard let found = model.entity(named: entity) else { return [] }
    let scope = try self.beginRead()
    defer { scope.end() }
    guard case .rows(let rows) = try scope.run(StoreQuery(entity: found.id)) else { return [] }
    return Array(rows)
  }

  /// The references that a relationship of one row leads to.
  func related(_ relationship: String, of row: Snapshot, in model: ManagedObjectModel) throws -> [Int64] {
    guard let found = model[row.entity].relationship(named: relationship) else { return [] }
    let scope = try self.beginRead()
    defer { scope.end() }
    return try scope.related(found.id, of: [row.reference]).destinations.map(\.reference)
  }

  func save(_ changes: ChangeSet) throws { try self.prepare(changes, save: SaveIdentifier()).commit() }
}

extension Snapshot {
  /// The value of an attribute; null for nil.
  func value(_ name: String, in model: ManagedObjectModel) -> Value {
    guard let column = model[self.entity].layout.column(named: name) else { return .null }
    return self.value(column.slot, column.kind, store: StoreID(1))
  }
}

extension ChangeSet {
  /// A new row with the values given by property name.
  mutating func insert(
    _ entity: String, _ reference: Int64, _ values: [String: Value], in model: ManagedObjectModel
  ) throws {
    let layout = try #require(model.entity(named: entity)).layout
    var builder = RowBlockBuilder(layout: layout)
    builder.beginRow(reference: reference, version: 1)
    try builder.set(values, layout)
    self.inserted.append(builder.finish())
  }

  /// A row with other values for the properties given.
  mutating func update(_ row: Snapshot, _ values: [String: Value]) throws {
    let layout = row.block.layout
    var before = RowBlockBuilder(layout: layout)
    before.copyRow(row, reference: row.reference, version: row.version)
    var after = RowBlockBuilder(layout: layout)
    after.copyRow(row, reference: row.reference, version: row.version + 1)
    try after.set(values, layout)
    self.updated.append(UpdatedRows(before: before.finish(), after: after.finish()))
  }

  mutating func delete(_ row: Snapshot) {
    var builder = RowBlockBuilder(layout: row.block.layout)
    builder.copyRow(row, reference: row.reference, version: row.version)
    self.deleted.append(builder.finish())
  }
}

extension RowBlockBuilder {
  mutating func set(_ values: [String: Value], _ layout: RowLayout) throws {
    for (name, value) in values {
      let column = try #require(layout.column(named: name))
      let fits = self.set(value, at: column.slot, column.kind)
      #expect(fits, "\(name)")
    }
  }
}
