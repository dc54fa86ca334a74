public import FederatedModel
internal import FederatedStore
public import Foundation

extension ManagedObjectContext {
  /// The object of a row if it is at hand; asks no store.
  public func registeredObject(for id: ManagedObjectID) -> ManagedObject? {
    guard id.entity.index < self.model.entities.count else { return nil }
    if let object = self.homes(of: [id.entity]).first?.table.object(id.reference, in: id.store) {
      return object
    }
    return self.replacedIDs[id].flatMap { self.registeredObject(for: $0) }
  }

  /// The object of a row, as a fault when it is not at hand. Asks no store: the row may not exist.
  public func object(with id: ManagedObjectID) -> ManagedObject {
    if let object = self.registeredObject(for: id) { return object }
    return self.makeObject(id, row: nil)
  }

  /// The object of a row that exists, its values readable.
  /// - Throws: ``ManagedObjectError`` with code `inaccessibleFault` (133000) when there is no such row; else what
  ///   the store threw.
  public func existingObject(with id: ManagedObjectID) throws -> ManagedObject {
    let object = self.object(with: id)
    if !object.isInserted { try object.fire() }
    return object
  }

  /// The identifier as a URI that is good in every process; a temporary one's is good in this process only.
  public func uri(for id: ManagedObjectID) -> URL { self.coordinator.uri(for: id) }

  /// The object of the row that a URI names, as ``object(with:)``; nil when no attached store has such rows.
  public func object(for uri: URL) -> ManagedObject? {
    self.coordinator.objectID(for: uri).map { self.object(with: $0) }
  }

  /// The object of the row that a URI names, as ``existingObject(with:)``; nil when no attached store has such rows.
  public func existingObject(for uri: URL) throws -> ManagedObject? {
    guard let id = self.coordinator.objectID(for: uri) else { return nil }
    return try self.existingObject(with: id)
  }

  /// - Precondition: no object of this identifier is registered.
  func makeObject(_ id: ManagedObjectID, row: Snapshot?) -> ManagedObject {
    let home = self.home(id.entity)
    let object = home.type.init(ObjectSeed(home: home, objectID: id, snapshot: row))
    self.register(object, in: home)
    return object
  }

  /// The one object of a fetched row. An object that was read already keeps the values it has.
  func object(for row: Snapshot, store: StoreID, home: ObjectHome) -> ManagedObject {
    if let known = home.table.object(row.reference, in: store) {
      if known.standing == ManagedObject.fault { known.snapshot = row }
      return known
    }
    let id = ManagedObjectID(store: store, entity: home.entity.id, reference: row.reference)
    let object = home.type.init(ObjectSeed(home: home, objectID: id, snapshot: row))
    self.register(object, in: home)
    return object
  }
}
