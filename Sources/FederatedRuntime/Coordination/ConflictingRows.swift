package import FederatedModel
package import FederatedStore

/// What stands in the way of a save, in all of its stores. Nothing is written.
package struct ConflictingRows: Error {
  /// Rows that others changed or removed since they were read.
  package var changed: [ManagedObjectID] = []
  /// Rows that would share unique values.
  package var duplicates: [Duplicates] = []

  package struct Duplicates {
    package let store: StoreID
    package let rows: DuplicateRows
  }

  package init() {}

  package var isEmpty: Bool { self.changed.isEmpty && self.duplicates.isEmpty }

  /// Takes over what a store said.
  /// - Returns: false when the error is about something else.
  mutating func add(_ error: StoreError, of store: StoreID) -> Bool {
    switch error.code {
    case .conflict where !error.rows.isEmpty:
      self.changed += error.rows.map {
        ManagedObjectID(store: store, entity: $0.entity, reference: $0.reference)
      }
    case .duplicateKey where !error.duplicates.isEmpty:
      self.duplicates += error.duplicates.map { Duplicates(store: store, rows: $0) }
    default: return false
    }
    return true
  }
}
