import FederatedModel
import FederatedStore

/// Every row of one store as new rows of another: values, links and the order of lists.
///
/// References are those that the other store gives, so each row gets another identifier.
struct StoreCopy {
  private let model: ManagedObjectModel
  private let scope: any ReadScope
  /// The rows of each entity that has any, and the references that they get.
  private let parts: [Part]
  /// By root entity's number and old reference.
  private let references: [[Int64: Int64]]

  private struct Part {
    let entity: Entity
    let rows: RowSet
    let first: Int64
  }

  /// Reads every row in one scope, which the caller ends.
  init(
    _ scope: any ReadScope, of entities: [Entity], into target: any PersistentStore,
    _ model: ManagedObjectModel
  ) throws(StoreError) {
    self.model = model
    self.scope = scope
    var parts: [Part] = []
    var references = [[Int64: Int64]](repeating: [:], count: model.entities.count)
    for entity in entities where !entity.isAbstract {
      var query = StoreQuery(entity: entity.id)
      query.includesSubentities = false
      guard case .rows(let rows) = try scope.run(query), rows.count > 0 else { continue }
      let first = try target.reserveReferences(for: entity.id, count: rows.count).lowerBound
      for (number, row) in rows.enumerated() {
        references[entity.root.index][row.reference] = first + Int64(number)
      }
      parts.append(Part(entity: entity, rows: rows, first: first))
    }
    self.parts = parts
    self.references = references
  }

  /// The entities that have rows.
  var entities: [Entity] { self.parts.map(\.entity) }

  /// What the other store has to save.
  func changes() throws(StoreError) -> ChangeSet {
    var changes = ChangeSet()
    for part in self.parts {
      changes.inserted.append(self.block(of: part))
      for relationship in part.entity.relationships where relationship.isKeptAsList(in: self.model) {
        changes.links += try self.links(relationship, of: part)
      }
    }
    return changes
  }

  /// Who each row was and is.
  func identifiers(from old: StoreID, to new: StoreID) -> [ManagedObjectID: ManagedObjectID] {
    var identifiers: [ManagedObjectID: ManagedObjectID] = [:]
    for part in self.parts {
      for (number, row) in part.rows.enumerated() {
        let entity = part.entity.id
        identifiers[ManagedObjectID(store: old, entity: entity, reference: row.reference)] =
          ManagedObjectID(store: new, entity: entity, reference: part.first + Int64(number))
      }
    }
    return identifiers
  }

  private func block(of part: Part) -> RowBlock {
    var block = RowBlockBuilder(layout: part.entity.layout, capacity: part.rows.count)
    for (number, row) in part.rows.enumerated() {
      block.copyRow(row, reference: part.first + Int64(number), version: 1)
      for column in part.entity.layout.columns where column.kind == .reference {
        guard let (reference, entity) = row.destination(column.slot),
          let new = self.row(RowIdentity(entity: entity, reference: reference))
        else {
          // A link to a row that is gone has nothing to lead to there.
          block.setNull(at: column.slot)
          continue
        }
        block.set(reference: new.reference, entity: new.entity, at: column.slot)
      }
    }
    return block.finish()
  }

  private func links(_ relationship: Relationship, of part: Part) throws(StoreError) -> [LinkChange] {
    let members = try self.scope.related(relationship.id, of: part.rows.map(\.reference))
    var links: [LinkChange] = []
    for number in 0..<part.rows.count where !members[number].isEmpty {
      let added = members[number].compactMap { self.row($0) }
      links.append(
        LinkChange(
          relationship: relationship.id,
          owner: RowIdentity(entity: part.entity.id, reference: part.first + Int64(number)), added: added,
          removed: [], order: relationship.isOrdered ? added : nil))
    }
    return links
  }

  private func row(_ old: RowIdentity) -> RowIdentity? {
    self.references[self.model[old.entity].root.index][old.reference].map {
      RowIdentity(entity: old.entity, reference: $0)
    }
  }
}

extension Relationship {
  /// Whether a store keeps members, or their order, that no to-one column tells.
  func isKeptAsList(in model: ManagedObjectModel) -> Bool {
    guard self.isToMany, !self.isTransient else { return false }
    guard !self.isOrdered, let inverse = self.inverse else { return true }
    return model.relationship(inverse).isToMany
  }
}
