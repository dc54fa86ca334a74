import FederatedModel
import FederatedRuntime
import FederatedStore
import TestSupport
import Testing

/// A coordinator over in-memory stores that all hold Note, each watched by a spy.
struct NoteStores {
  let coordinator: PersistentStoreCoordinator
  let note: EntityID
  private(set) var spies: [SpyStore] = []

  /// - Parameter notes: for each store the texts and ratings of its notes.
  init(_ notes: [(text: String?, rating: Int64)]...) throws {
    let model = try RouterModels.office()
    self.coordinator = PersistentStoreCoordinator(model: model)
    self.note = try model.id("Note")
    for (number, rows) in notes.enumerated() {
      var description = PersistentStoreDescription(.spying(on: .inMemory), at: nil, configuration: "Notes")
      description.name = "store \(number)"
      let spy = try #require(try self.coordinator.add(description) as? SpyStore)
      self.spies.append(spy)
      try self.insert(rows, into: spy)
      spy.forgetCalls()
    }
  }

  func insert(_ notes: [(text: String?, rating: Int64)], into spy: SpyStore) throws {
    let entity = self.coordinator.model[self.note]
    let text = try #require(entity.attribute(named: "text")?.slot)
    let rating = try #require(entity.attribute(named: "rating")?.slot)
    var builder = RowBlockBuilder(layout: entity.layout)
    let references = try self.coordinator.reserveIdentifiers(in: spy.id, for: self.note, count: notes.count)
    for (reference, note) in zip(references, notes) {
      builder.beginRow(reference: reference, version: 1)
      if let value = note.text { builder.set(string: value, at: text) }
      builder.set(int: note.rating, at: rating)
    }
    var changes = ChangeSet()
    changes.inserted = [builder.finish()]
    try self.coordinator.save([spy.id: changes], save: SaveIdentifier())
  }

  func attribute(_ name: String) throws -> BoundAttribute {
    let attribute = try #require(self.coordinator.model[self.note].attribute(named: name))
    return BoundAttribute(
      name: name, entity: self.note, slot: try #require(attribute.slot), type: attribute.type)
  }

  func request(
    sortedBy key: String? = nil, ascending: Bool = true, offset: Int = 0, limit: Int? = nil,
    stores: [StoreID]? = nil
  ) throws -> BoundRequest {
    var request = BoundRequest(self.note)
    if let key {
      request.order = [
        BoundSort(steps: [.attribute(try self.attribute(key))], ascending: ascending, comparison: .scalar)
      ]
    }
    request.offset = offset
    request.limit = limit
    request.stores = stores
    return request
  }

  func texts(_ rows: FetchedRows) throws -> [String?] {
    let slot = try self.attribute("text").slot
    return rows.map { $0.snapshot.isNull(slot) ? nil : $0.snapshot.string(slot) }
  }

  func ratings(_ rows: FetchedRows) throws -> [Int64] {
    let slot = try self.attribute("rating").slot
    return rows.map { $0.snapshot.int(slot) }
  }
}
