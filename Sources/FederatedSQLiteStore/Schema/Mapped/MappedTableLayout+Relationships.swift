internal import FederatedModel
internal import FederatedStore

/// The columns of to-ones, and the ways of to-manies.
extension MappedTableLayout {
  mutating func placeToOnes(of entity: Entity, _ mapping: SQLiteEntityMapping) {
    for relationship in entity.relationships where relationship.slot != nil {
      self.placeColumns(of: relationship, in: entity, mapping)
    }
    self.places[entity.id.index]?.columns.sort { $0.slot < $1.slot }
  }

  /// Once the to-ones of every entity have their columns.
  mutating func placeWays(of entity: Entity, _ mapping: SQLiteEntityMapping) {
    var ways: [RelationshipPlace] = []
    for relationship in entity.relationships { ways.append(self.way(of: relationship, in: entity, mapping)) }
    self.places[entity.id.index]?.relationships = ways
  }

  /// The mapped entity that a relationship leads to, where the file holds it.
  private func destination(of relationship: Relationship) -> Entity? {
    self.model[relationship.destination].family.map { self.model[$0] }.first {
      self.places[$0.id.index] != nil
    }
  }

  // MARK: To-ones

  private mutating func placeColumns(
    of relationship: Relationship, in entity: Entity, _ mapping: SQLiteEntityMapping
  ) {
    let path = "entities.\(entity.name).relationships.\(relationship.name)"
    guard let slot = relationship.slot, let source = self.sources[entity.id],
      let columns = self.columns(of: relationship, in: entity, mapping, path: path), !columns.isEmpty,
      let destination = self.destination(of: relationship), let target = self.places[destination.id.index]
    else { return }
    let key = self.tables[target.table].key
    var declared: [ForeignColumn] = []
    for name in columns {
      guard let column = self.column(name, of: source, path: path) else { return }
      declared.append(column)
    }
    guard columns.count == key.columns.count else {
      self.fault(
        path,
        "the key of \(destination.name) has \(key.columns.count) column\(key.columns.count == 1 ? "" : "s") "
          + "(\(key.title)); name as many columns of \(source.name), in that order")
      return
    }
    let property = "\(self.model[relationship.declaringEntity].name).\(relationship.name)"
    let names = declared.map(\.name)
    let place =
      key.shape.map { KeyPlace(names, shape: $0) }
      ?? KeyPlace(names, cell: self.keyCell(declared[0], of: source, property: property))
    let order = self.orderColumn(of: relationship)
    self.places[entity.id.index]?.columns.append(
      ColumnPlace(
        property: relationship.name, slot: slot, column: names[0], encoding: .reference,
        reference: ReferencePlace(
          destination: relationship.destination, key: place, entityColumn: nil, orderColumn: order),
        isDerived: declared.contains(where: \.isGenerated)))
  }

  /// The columns that the mapping names, or the file's only foreign key to the destination; nil after a fault, empty
  /// when the file does not hold the destination.
  private mutating func columns(
    of relationship: Relationship, in entity: Entity, _ mapping: SQLiteEntityMapping, path: String
  ) -> [String]? {
    let destination = self.destination(of: relationship)
    switch mapping.relationships[relationship.name] {
    case .columns(let columns)?:
      if destination == nil {
        self.fault(
          path,
          "\(self.model[relationship.destination].name) is not mapped in this file, and a relationship cannot cross "
            + "stores; use a fetched property")
        return nil
      }
      return columns
    case .inverse?, .pairs?:
      self.fault(path, "a to-one is kept in columns of its own table: name them by \"column\" or \"columns\"")
      return nil
    case nil:
      guard let destination, let source = self.sources[entity.id], let target = self.sources[destination.id],
        let place = self.places[destination.id.index]
      else { return [] }
      let key = self.tables[place.table].key.columns.map { $0.lowercased() }
      let ways = source.foreignKeys.filter { foreign in
        let columns = foreign.destination.isEmpty ? target.primaryKey : foreign.destination
        return foreign.table.lowercased() == target.name.lowercased()
          && columns.map { $0.lowercased() } == key
      }
      if ways.count == 1 { return ways[0].columns }
      self.fault(
        path,
        ways.isEmpty
          ? "the relationship has no place, and \(source.name) declares no foreign key to \(target.name); name its "
            + "columns"
          : "\(source.name) has several foreign keys to \(target.name) "
            + "(\(ways.map { $0.columns.joined(separator: " and ") }.joined(separator: ", "))); name the one that is meant"
      )
      return nil
    }
  }

  /// The column that orders the rows of a to-one in the list of their owner.
  private func orderColumn(of relationship: Relationship) -> String? {
    guard let inverse = relationship.inverse.map({ self.model.relationship($0) }), inverse.isOrdered,
      case .inverse(let order)? = self.mapping(of: inverse)
    else { return nil }
    return order
  }

  /// What the mapping says of a relationship, wherever in its family.
  private func mapping(of relationship: Relationship) -> SQLiteRelationshipMapping? {
    for entity in self.model[relationship.declaringEntity].family {
      if let found = self.mapping.entities[self.model[entity].name]?.relationships[relationship.name] {
        return found
      }
    }
    return nil
  }

  // MARK: To-manies

  private mutating func way(
    of relationship: Relationship, in entity: Entity, _ mapping: SQLiteEntityMapping
  ) -> RelationshipPlace {
    let path = "entities.\(entity.name).relationships.\(relationship.name)"
    if relationship.isTransient { return .none }
    if let slot = relationship.slot {
      return self.places[entity.id.index]?.column(slot: slot) == nil ? .none : .column(slot: slot)
    }
    guard let destination = self.destination(of: relationship) else {
      if mapping.relationships[relationship.name] != nil {
        self.fault(
          path,
          "\(self.model[relationship.destination].name) is not mapped in this file; use a fetched property")
      }
      return .none
    }
    switch mapping.relationships[relationship.name] {
    case .columns?:
      self.fault(path, "a to-many has no columns of its own: use \"inverse\", or name a \"table\" of pairs")
      return .none
    case .pairs(let pairs)?: return self.join(pairs, relationship, entity, destination, path: path)
    case .inverse(let order)?: return self.inverse(relationship, destination, order: order, path: path)
    case nil:
      let inverse = relationship.inverse.map { self.model.relationship($0) }
      if let inverse, inverse.slot == nil, case .pairs(var pairs)? = self.mapping(of: inverse) {
        swap(&pairs.owner, &pairs.destination)
        pairs.order = nil
        return self.join(pairs, relationship, entity, destination, path: path)
      }
      return self.inverse(relationship, destination, order: nil, path: path)
    }
  }

  private mutating func inverse(
    _ relationship: Relationship, _ destination: Entity, order: String?, path: String
  ) -> RelationshipPlace {
    guard let inverse = relationship.inverse.map({ self.model.relationship($0) }), inverse.slot != nil,
      let source = self.sources[destination.id]
    else {
      self.fault(path, "no to-one of \(destination.name) is its inverse; name a \"table\" of pairs")
      return .none
    }
    var orderColumn: String?
    if let order {
      guard let column = self.column(order, of: source, path: path) else { return .none }
      orderColumn = column.name
    } else if relationship.isOrdered {
      self.fault(
        path,
        "the relationship is ordered; name the column of \(source.name) that orders it by \"order\", or make it "
          + "unordered")
      return .none
    }
    // Where the way back has no columns, the destination has said so.
    guard
      let key = self.places[destination.id.index]?.columns.first(where: { $0.property == inverse.name })?
        .reference?.key
    else { return .none }
    return .inverse(destination: relationship.destination, key: key, orderColumn: orderColumn)
  }

  private mutating func join(
    _ pairs: SQLitePairTable, _ relationship: Relationship, _ entity: Entity, _ destination: Entity,
    path: String
  ) -> RelationshipPlace {
    guard let source = self.schema.table(pairs.table) else {
      let names = self.schema.tables.map(\.name)
      self.fault(
        path,
        "the file has no table \(pairs.table)\(NearestName.suggestion(for: pairs.table, among: names)); it has "
          + names.joined(separator: ", "))
      return .none
    }
    guard let owner = self.key(pairs.owner, of: entity, in: source, path: path),
      let member = self.key(pairs.destination, of: destination, in: source, path: path)
    else { return .none }
    var orderColumn: String?
    if let order = pairs.order {
      guard let column = self.column(order, of: source, path: path) else { return .none }
      orderColumn = column.name
    } else if relationship.isOrdered {
      self.fault(
        path,
        "the relationship is ordered; name the column of \(source.name) that orders it, or make it unordered")
      return .none
    }
    return .join(
      JoinPlace(
        table: source.name, owner: owner, member: member, orderColumn: orderColumn,
        destination: relationship.destination, isReflexive: relationship.inverse == relationship.id))
  }

  /// Columns of a table of pairs that hold the key of an entity.
  private mutating func key(
    _ names: [String], of entity: Entity, in source: ForeignTable, path: String
  ) -> KeyPlace? {
    guard let place = self.places[entity.id.index] else { return nil }
    let key = self.tables[place.table].key
    var columns: [String] = []
    for name in names {
      guard let column = self.column(name, of: source, path: path) else { return nil }
      columns.append(column.name)
    }
    guard columns.count == key.columns.count else {
      self.fault(
        path,
        "the key of \(entity.name) has \(key.columns.count) column\(key.columns.count == 1 ? "" : "s") (\(key.title)); "
          + "name as many of \(source.name)")
      return nil
    }
    return KeyPlace(columns, shape: key.shape)
  }
}
