public import FederatedModel

extension WholeFileStore {
  public func keyAttributes(of entity: EntityID) -> [Attribute]? { self.format?.keyAttributes(of: entity) }

  public func references(forKeys keys: [[Value]], of entity: EntityID) throws(StoreError) -> [Int64] {
    try self.reloadIfChanged()
    let name = self.model[entity].name
    let attributes = self.keyAttributes(of: entity) ?? []
    return try self.state.withLock { (state) throws(StoreError) in
      try self.checkOpen(state)
      var references: [Int64] = []
      var taken = Set<Int64>()
      for key in keys {
        guard let text = RowKeys.text(of: key) else {
          let missing = zip(attributes, key).first { $1.isNull }?.0.name ?? "the key"
          throw RowKeys.missing(missing, of: name, store: self.description.url)
        }
        let known = ReferenceNames.number(text) ?? state.table.names.reference(of: text)
        let reference = known ?? state.newNames.intern(text)
        guard state.table.row(reference, inHierarchyOf: entity) == nil, taken.insert(reference).inserted
        else {
          throw StoreError(
            .duplicateKey, store: self.description.url,
            place: .property(
              entity: name, reference: nil, property: attributes.map(\.name).joined(separator: ", ")),
            "there is a row with the key \"\(text)\" already; keys are unique: give the new one another, or delete the "
              + "old one in a save of its own")
        }
        references.append(reference)
      }
      return references
    }
  }
}
