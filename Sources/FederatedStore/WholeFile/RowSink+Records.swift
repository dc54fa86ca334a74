package import FederatedModel

extension RowSink {
  /// Gives the row begun last the values of a row that was read before it had a reference.
  package mutating func fillRow(from row: borrowing RowBlockBuilder, texts: [Int], decimals: [Int]) {
    self.row.fillRow(from: row, texts: texts, decimals: decimals)
  }

  /// Sets a to-one of a row begun earlier, whose destination was not known then.
  package mutating func setToOne(_ relationship: Relationship, of row: RowIdentity, to reference: Int64) {
    self.lateLinks.append(LateLink(row: row, relationship: relationship, destination: reference))
  }

  /// Which of the rows begun so far it was, from 0; nil when there is none of that reference.
  package func position(of reference: Int64, inHierarchyOf entity: EntityID) -> Int? {
    let root = self.model[entity].root
    return self.contents.fileOrder.firstIndex {
      $0.reference == reference && self.model[$0.entity].root == root
    }
  }

  /// Whether a row of that reference was begun.
  package func hasRow(_ reference: Int64, inHierarchyOf entity: EntityID) -> Bool {
    self.contents.references[self.model[entity].root.index][reference] != nil
  }

  /// A sink of its own, for a reading that becomes no store.
  package static func trial(_ model: ManagedObjectModel, store: StoreID) -> RowSink {
    RowSink(model: model, store: store)
  }

  /// What was read, as a table.
  package consuming func table() -> RowTable { self.finish().table }

  /// A to-one that was learnt after its row.
  struct LateLink {
    var row: RowIdentity
    var relationship: Relationship
    var destination: Int64
  }

  /// Writes what was learnt late into the blocks, each of which is copied once.
  mutating func applyLateLinks() {
    var byBlock: [Int: [RowBlock.Link]] = [:]
    for link in self.lateLinks {
      guard let slot = link.relationship.slot,
        let place = self.contents.references[self.model[link.row.entity].root.index][link.row.reference]
      else { continue }
      byBlock[place.block, default: []].append(
        RowBlock.Link(
          row: place.row, slot: slot, reference: link.destination, entity: link.relationship.destination))
    }
    for (block, links) in byBlock { self.contents.blocks[block] = self.contents.blocks[block].linking(links) }
    self.lateLinks = []
  }
}
