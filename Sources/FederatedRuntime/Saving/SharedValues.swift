import FederatedModel
import FederatedStore

/// Objects of a context that would share unique values, with each other or with a stored row.
struct SharedValues {
  let entity: Entity
  let attributes: [String]
  let store: String
  /// Those that keep the values they had come first, then other saved ones, then new ones in order of insertion.
  let objects: [ManagedObject]
  let row: Snapshot?
  /// Who keeps the values: the stored row, else the first object.
  let survivor: ManagedObjectID

  init?(
    _ rows: DuplicateRows, in store: (id: StoreID, name: String), model: ManagedObjectModel,
    _ objects: [ManagedObjectID: ManagedObject], _ stored: [ManagedObjectID: Snapshot]
  ) {
    let identifiers = rows.rows.map {
      ManagedObjectID(store: store.id, entity: $0.entity, reference: $0.reference)
    }
    self.entity = model[rows.entity]
    self.attributes = rows.attributes
    self.store = store.name
    let names = Set(rows.attributes)
    let ranked = identifiers.compactMap { objects[$0] }.map { object in
      let keeps = !object.entity.layout.columns.contains { names.contains($0.name) && object.differs($0) }
      return (object, rank: object.isInserted ? 2 : keeps ? 0 : 1)
    }
    self.objects = (0...2).flatMap { rank in ranked.filter { $0.rank == rank }.map(\.0) }
    let holder = identifiers.first { stored[$0] != nil }
    self.row = holder.flatMap { stored[$0] }
    guard let survivor = holder ?? self.objects.first?.objectID else { return nil }
    self.survivor = survivor
  }

  /// The objects that cannot keep the values.
  var losers: ArraySlice<ManagedObject> { self.row == nil ? self.objects.dropFirst() : self.objects[...] }

  /// Why a policy does not make one of them; nil when it does.
  func refusal(by policy: MergePolicy) -> ConstraintConflict? {
    if case .error = policy { return self.conflict(.policy) }
    if policy.storeWins { return nil }
    if self.losers.contains(where: { !$0.isInserted }) { return self.conflict(.savedRows) }
    if self.losers.contains(where: { $0.entity !== self.survivorEntity }) {
      return self.conflict(.otherEntity)
    }
    return nil
  }

  private var survivorEntity: Entity? {
    guard let row = self.row else { return self.objects.first?.entity }
    return row.entity == self.entity.id
      ? self.entity : self.objects.first { $0.entity.id == row.entity }?.entity
  }

  private func conflict(_ reason: ConstraintConflict.Reason) -> ConstraintConflict {
    let values = self.attributes.map { name -> Value in
      guard let object = self.objects.first, let column = object.entity.layout.column(named: name) else {
        return .null
      }
      return object.valueAtHand(column)
    }
    let snapshot = self.row.map { row in
      Dictionary(
        uniqueKeysWithValues: row.block.layout.columns.map {
          ($0.name, row.value($0.slot, $0.kind, store: self.survivor.store))
        })
    }
    return ConstraintConflict(
      entity: self.entity.name, store: self.store, attributes: self.attributes, values: values,
      objects: self.objects.map(\.objectID), databaseObject: self.row == nil ? nil : self.survivor,
      databaseSnapshot: snapshot, reason: reason)
  }
}
