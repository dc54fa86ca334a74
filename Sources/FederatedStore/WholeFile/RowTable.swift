public import FederatedModel
public import Foundation

/// All rows of a whole-file store: one immutable version.
///
/// A read scope holds a version, and a save makes the next, which shares the blocks of rows that stay.
/// Rows are found by reference in constant time; columns get an index when they are first looked up.
public final class RowTable: RowSource, Sendable {
  public let model: ManagedObjectModel
  public let store: StoreID
  /// Where every ``RowPlace`` of the table points. Blocks may hold rows that are no longer in the table.
  let blocks: [RowBlock]
  /// The rows of each concrete entity by ascending reference; the place is the entity's number.
  let places: [[RowPlace]]
  /// By root entity's number.
  let references: [ReferenceIndex]
  /// To-many relationships that no to-one column tells, and the order of those that are ordered.
  let lists: [RelationshipID: LinkLists]
  /// Rows as the file has them; empty in a store without a file.
  let fileOrder: [RowIdentity]
  let keepsFileOrder: Bool
  let names: ReferenceNames
  let extras: [RowIdentity: Data]
  /// What the format keeps for the file as a whole.
  public let storeExtra: Data?
  /// The highest number that a row has or had.
  public let highestReference: Int64
  let indexes: ColumnIndexes

  init(_ contents: RowTableContents, indexes: ColumnIndexes = ColumnIndexes()) {
    self.model = contents.model
    self.store = contents.store
    self.blocks = contents.blocks
    self.places = contents.places
    self.references = contents.references
    self.lists = contents.lists
    self.fileOrder = contents.fileOrder
    self.keepsFileOrder = contents.keepsFileOrder
    self.names = contents.names
    self.extras = contents.extras
    self.storeExtra = contents.storeExtra
    self.highestReference = contents.highestReference
    self.indexes = indexes
  }

  private static let emptyModel = Result { try ManagedObjectModel(entities: []) }

  /// No rows of no entity.
  package static func empty() throws(StoreError) -> RowTable {
    do {
      return RowTable(RowTableContents(model: try Self.emptyModel.get(), store: .none))
    } catch {
      throw StoreError(.unsupported, store: nil, underlying: error, "a model without entities cannot be made")
    }
  }

  /// The number of rows.
  public var count: Int { self.references.reduce(0) { $0 + $1.count } }

  /// The number of rows of exactly that entity.
  public func count(of entity: EntityID) -> Int { self.places[entity.index].count }

  /// The rows in the order of the file; rows that saves added come last.
  public var rowsInFileOrder: FileOrderRows { FileOrderRows(table: self) }

  /// The rows of an entity in ascending reference.
  public func rows(of entity: EntityID, includingSubentities: Bool = true) -> RowSet {
    RowSet(self.blocks, order: self.sortedPlaces(of: entity, includingSubentities: includingSubentities))
  }

  /// The row as this version has it; nil when it has none, or the row is of another entity.
  public func row(_ identity: RowIdentity) -> Snapshot? {
    guard let row = self.row(identity.reference, inHierarchyOf: identity.entity) else { return nil }
    return row.entity == identity.entity ? row : nil
  }

  /// The row of that reference, whatever its entity in the hierarchy is.
  public func row(_ reference: Int64, inHierarchyOf entity: EntityID) -> Snapshot? {
    guard let place = self.place(of: reference, inHierarchyOf: entity) else { return nil }
    return self.blocks[place.block][place.row]
  }

  func place(of reference: Int64, inHierarchyOf entity: EntityID) -> RowPlace? {
    self.references[self.model[entity].root.index][reference]
  }

  /// The reference that stands for an opaque name; nil when the file had no such name.
  public func reference(named name: String) -> Int64? { self.names.reference(of: name) }

  /// The opaque name that the file gives a row; nil for rows that have a number.
  public func name(of reference: Int64) -> String? { self.names[reference] }

  /// What the format keeps for a row; see ``RowSink/keep(_:)``.
  public func extra(of row: RowIdentity) -> Data? { self.extras[row] }

  func sortedPlaces(of entity: EntityID, includingSubentities: Bool) -> [RowPlace] {
    guard includingSubentities else { return self.places[entity.index] }
    let lists = self.model[entity].family.map { self.places[$0.index] }.filter { !$0.isEmpty }
    if lists.count <= 1 { return lists.first ?? [] }
    return self.indexes.merged(entity) {
      lists.joined().map { (self.blocks[$0.block][$0.row].reference, $0) }
        .sorted { $0.0 < $1.0 }.map(\.1)
    }
  }
}

/// What a version of a table is made from, while it is made.
struct RowTableContents {
  let model: ManagedObjectModel
  let store: StoreID
  var blocks: [RowBlock] = []
  var places: [[RowPlace]]
  var references: [ReferenceIndex]
  var lists: [RelationshipID: LinkLists] = [:]
  var fileOrder: [RowIdentity] = []
  var keepsFileOrder = true
  var names = ReferenceNames()
  var extras: [RowIdentity: Data] = [:]
  var storeExtra: Data?
  var highestReference: Int64 = 0

  init(model: ManagedObjectModel, store: StoreID) {
    self.model = model
    self.store = store
    self.places = [[RowPlace]](repeating: [], count: model.entities.count)
    self.references = [ReferenceIndex](repeating: ReferenceIndex(), count: model.entities.count)
  }

  init(_ table: RowTable) {
    self.model = table.model
    self.store = table.store
    self.blocks = table.blocks
    self.places = table.places
    self.references = table.references
    self.lists = table.lists
    self.fileOrder = table.fileOrder
    self.keepsFileOrder = table.keepsFileOrder
    self.names = table.names
    self.extras = table.extras
    self.storeExtra = table.storeExtra
    self.highestReference = table.highestReference
  }
}

/// The rows of a table as the file has them.
public struct FileOrderRows: RandomAccessCollection, Sendable {
  let table: RowTable
  public var startIndex: Int { 0 }
  public var endIndex: Int { self.table.fileOrder.count }

  public subscript(position: Int) -> Snapshot {
    let identity = self.table.fileOrder[position]
    guard let row = self.table.row(identity) else {
      preconditionFailure("row \(identity.reference) stands in the file order and not in the table")
    }
    return row
  }
}
