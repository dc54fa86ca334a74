internal import FederatedModel
internal import FederatedStore

/// New rows of a file that somebody else made: their keys are what the objects say.
extension SQLiteStore {
  func keyAttributes(of entity: EntityID) -> [Attribute]? {
    guard self.columns != nil, let place = self.layout[entity] else { return nil }
    let key = self.layout.tables[place.table].key
    let attributes = key.columns.compactMap { column in
      place.columns.first { $0.column == column && $0.reference == nil }
        .flatMap { self.model[entity].attribute(named: $0.property) }
    }
    if attributes.count == key.columns.count { return attributes }
    // Numbers can be given out; other keys cannot be made up.
    return key.shape == nil ? nil : []
  }

  /// Learns the keys of all rows, and of those that a save from another process brings: its references say nothing
  /// before the keys behind them are known.
  func meetKeys(of changes: ChangeSet, _ connection: Connection) throws(StoreError) {
    for table in self.layout.tables where table.key.shape != nil {
      try connection.query("SELECT \(table.key.reference("t0")) FROM \(table.name.quotedName) AS t0") {
        _ throws(StoreError) in
      }
    }
    for block in changes.inserted {
      guard let attributes = self.keyAttributes(of: block.entity), !attributes.isEmpty,
        self.layout.table(of: block.entity)?.key.shape != nil
      else { continue }
      let keys = (0..<block.count).map { index in
        attributes.map { attribute in
          attribute.slot.map { block[index].value($0, attribute.type) } ?? .null
        }
      }
      _ = try self.references(forKeys: keys, of: block.entity)
    }
  }

  func references(forKeys keys: [[Value]], of entity: EntityID) throws(StoreError) -> [Int64] {
    try self.requireOpen()
    let place = try self.place(of: entity)
    let key = self.layout.tables[place.table].key
    guard let attributes = self.keyAttributes(of: entity), !attributes.isEmpty else {
      throw StoreError(
        .unsupported, store: self.url,
        "rows of \(self.model[entity].name) are named by \(key.title), and no attributes lie there; map attributes onto "
          + "these columns to make new objects")
    }
    let conversions = attributes.compactMap { attribute in
      place.columns.first { $0.property == attribute.name }?.mapped.flatMap { self.columns?.cells[$0.number] }
    }
    // A number that nobody has set is given out.
    let missing = key.shape == nil ? keys.count { $0[0] == .null } : 0
    var numbers = missing > 0 ? try self.reserveReferences(for: entity, count: missing).makeIterator() : nil
    return try keys.map { (values) throws(StoreError) in
      var parts: [SQLValue] = []
      for ((value, attribute), conversion) in zip(zip(values, attributes), conversions) {
        if value == .null {
          if key.shape == nil, let number = numbers?.next() { return number }
          throw RowKeys.missing(attribute.name, of: self.model[entity].name, store: self.url)
        }
        guard let part = conversion.cell(of: value) else {
          throw conversion.unstorable(value, RowIdentity(entity: entity, reference: 0))
        }
        parts.append(part)
      }
      if let shape = key.shape, let reference = shape.reference(of: parts) { return reference }
      guard case .int(let number)? = parts.first else {
        throw RowKeys.missing(attributes[0].name, of: self.model[entity].name, store: self.url)
      }
      return number
    }
  }
}
