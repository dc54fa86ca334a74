internal import FederatedModel
internal import FederatedStore
internal import Foundation

/// Makes a ``TableLayout`` as the original framework would: for a new file, or from what a file holds.
struct CoreDataTableLayout {
  let model: ManagedObjectModel
  let file: URL
  /// Entities whose rows the file holds.
  let members: Set<EntityID>
  /// The file's number of each entity, members and their ancestors.
  let ids: [EntityID: Int64]
  /// Entity numbers that a table may meet in its rows, by root entity; more than the model's when the file
  /// knows entities that the model lacks.
  let foreignIDs: [EntityID: Bool]
  /// What a file that is there holds; nil for a new one.
  let existing: ExistingSchema?

  /// The layout of a new file that holds the entities of a configuration.
  init(model: ManagedObjectModel, configuration: String?, file: URL) throws(StoreError) {
    self.model = model
    self.file = file
    self.existing = nil
    let members = try CoreDataTableLayout.members(of: configuration, in: model, file: file)
    self.members = members
    var ids: [EntityID: Int64] = [:]
    for entity in CoreDataTableLayout.withAncestors(members, in: model) { ids[entity] = Int64(ids.count + 1) }
    self.ids = ids
    self.foreignIDs = [:]
  }

  /// The layout of a file that is there.
  init(model: ManagedObjectModel, configuration: String?, existing: ExistingSchema, file: URL)
    throws(StoreError)
  {
    self.model = model
    self.file = file
    self.existing = existing
    let members = try CoreDataTableLayout.members(of: configuration, in: model, file: file)
    self.members = members
    var ids: [EntityID: Int64] = [:]
    for entity in CoreDataTableLayout.withAncestors(members, in: model) {
      guard let id = existing.id(of: model[entity]) else {
        throw StoreError(
          .incompatibleModel, store: file,
          place: .cell(table: CoreDataNames.primaryKeyTable, row: nil, column: nil),
          "the file has no entity \(model[entity].name); it has \(existing.entityNames). Open it with a "
            + "configuration that leaves the entity out, or with the model that it was saved with.")
      }
      ids[entity] = id
    }
    self.ids = ids
    let known = Set(ids.values)
    var foreign: [EntityID: Bool] = [:]
    for (entity, id) in ids where model[entity].root == entity {
      foreign[entity] = existing.descendants(of: id).contains { !known.contains($0) }
    }
    self.foreignIDs = foreign
  }

  private static func members(of configuration: String?, in model: ManagedObjectModel, file: URL)
    throws(StoreError) -> Set<EntityID>
  {
    guard let entities = model.entities(forConfiguration: configuration) else {
      throw StoreError(
        .incompatibleModel, store: file,
        "the model has no configuration \(configuration ?? ""); it has "
          + model.configurations.map(\.name).joined(separator: ", "))
    }
    return Set(entities.map(\.id))
  }

  /// The members and all they inherit from, in model order: a table begins at its root.
  private static func withAncestors(_ members: Set<EntityID>, in model: ManagedObjectModel) -> [EntityID] {
    var all = members
    for member in members {
      var parent = model[member].parent
      while let entity = parent {
        all.insert(entity)
        parent = model[entity].parent
      }
    }
    return all.sorted()
  }

  /// The entities of one table in the order of the file's numbers.
  private func entities(under root: EntityID) -> [Entity] {
    self.model[root].family.filter { self.ids[$0] != nil }
      .sorted { self.ids[$0]! < self.ids[$1]! }.map { self.model[$0] }
  }

  func layout() throws(StoreError) -> TableLayout {
    var layout = TableLayout(tables: [], entities: Array(repeating: nil, count: self.model.entities.count))
    for root in self.model.entities where root.parent == nil && self.ids[root.id] != nil {
      let entities = self.entities(under: root.id)
      let names = CoreDataColumnNames(entities: entities)
      let table = CoreDataNames.table(root.name)
      var discriminated: [Int64: EntityID] = [:]
      for entity in entities { discriminated[self.ids[entity.id]!] = entity.id }
      layout.tables.append(
        Table(
          name: table, key: KeyPlace(CoreDataNames.key), version: CoreDataNames.version,
          discriminator: .init(column: CoreDataNames.entity, entities: discriminated), onlyEntity: nil))
      if let existing = self.existing {
        try self.require(
          [CoreDataNames.key, CoreDataNames.entity, CoreDataNames.version], of: table, for: root.name, nil,
          in: existing)
      }
      let holders = Set(entities.map(\.id)).intersection(self.members)
      for entity in entities {
        let family = entity.family.filter { holders.contains($0) }
        layout.entities[entity.id.index] = EntityPlace(
          entity: entity.id, table: layout.tables.count - 1, discriminatorValue: self.ids[entity.id],
          family: family,
          familyFillsTable: family.count == holders.count && !(self.foreignIDs[root.id] ?? false),
          holdsRows: holders.contains(entity.id),
          columns: try self.columns(of: entity, in: table, names: names),
          relationships: [])
      }
    }
    for entity in self.model.entities where layout.entities[entity.id.index] != nil {
      var places: [RelationshipPlace] = []
      for relationship in entity.relationships { places.append(try self.place(of: relationship, in: layout)) }
      layout.entities[entity.id.index]!.relationships = places
    }
    return layout
  }

  // MARK: Columns

  private func columns(of entity: Entity, in table: String, names: CoreDataColumnNames) throws(StoreError)
    -> [ColumnPlace]
  {
    var places: [ColumnPlace] = []
    for attribute in entity.attributes {
      guard let slot = attribute.slot, let encoding = attribute.description.coreDataEncoding else { continue }
      let column = CoreDataNames.column(names.name(attribute.name, declaredBy: attribute.declaringEntity))
      places.append(
        ColumnPlace(
          property: attribute.name, slot: slot, column: column, encoding: encoding,
          isDerived: self.existing?.hasDerivationTrigger(
            entity: self.model[attribute.declaringEntity].name, attribute: attribute.name) ?? false))
    }
    for relationship in entity.relationships {
      guard let slot = relationship.slot, self.ids[relationship.destination] != nil else { continue }
      let name = names.name(relationship.name, declaredBy: relationship.declaringEntity)
      let column = CoreDataNames.column(name)
      places.append(
        ColumnPlace(
          property: relationship.name, slot: slot, column: column, encoding: .reference,
          reference: ReferencePlace(
            destination: relationship.destination, key: KeyPlace(column),
            entityColumn: self.entityColumn(name, of: relationship, in: table),
            orderColumn: self.isOrderedInverse(relationship) ? CoreDataNames.orderColumn(name) : nil)))
    }
    if let existing = self.existing {
      for place in places {
        try self.require([place.column], of: table, for: entity.name, place.property, in: existing)
        if let order = place.reference?.orderColumn {
          try self.require([order], of: table, for: entity.name, place.property, in: existing)
        }
      }
    }
    return places.sorted { $0.slot < $1.slot }
  }

  /// A destination with subentities needs a second column that tells which of them it is.
  private func entityColumn(_ name: String, of relationship: Relationship, in table: String) -> String? {
    guard let id = self.ids[relationship.destination] else { return nil }
    let column = CoreDataNames.entityColumn(name, destination: id)
    if let existing = self.existing { return existing.hasColumn(column, of: table) ? column : nil }
    return self.model[relationship.destination].subentities.isEmpty ? nil : column
  }

  private func isOrderedInverse(_ relationship: Relationship) -> Bool {
    relationship.inverse.map { self.model.relationship($0).isOrdered } ?? false
  }

  private func require(
    _ columns: [String], of table: String, for entity: String, _ property: String?,
    in existing: ExistingSchema
  ) throws(StoreError) {
    guard existing.hasTable(table) else {
      throw StoreError(
        .incompatibleModel, store: self.file, place: .cell(table: table, row: nil, column: nil),
        "there is no such table for entity \(entity); the file was saved with another model")
    }
    for column in columns where !existing.hasColumn(column, of: table) {
      throw StoreError(
        .incompatibleModel, store: self.file, place: .cell(table: table, row: nil, column: column),
        "there is no such column for \(entity)\(property.map { ".\($0)" } ?? ""); the file was saved with "
          + "another model. Migrate it, or correct the model.")
    }
  }

  // MARK: Relationships

  private func place(of relationship: Relationship, in layout: TableLayout) throws(StoreError)
    -> RelationshipPlace
  {
    if relationship.isTransient || self.ids[relationship.destination] == nil { return .none }
    if let slot = relationship.slot { return .column(slot: slot) }
    if let inverse = relationship.inverse.map({ self.model.relationship($0) }), let slot = inverse.slot {
      guard let place = layout[inverse.declaringEntity]?.column(slot: slot) else { return .none }
      return .inverse(
        destination: relationship.destination, key: KeyPlace(place.column),
        orderColumn: place.reference?.orderColumn)
    }
    return .join(try self.join(of: relationship))
  }

  private func join(of relationship: Relationship) throws(StoreError) -> JoinPlace {
    let owner = self.ids[relationship.declaringEntity]!
    let destination = self.ids[relationship.destination]!
    guard let inverse = relationship.inverse.map({ self.model.relationship($0) }), !inverse.isTransient else {
      // No file of the original framework shows a to-many without inverse; this is how its re-implementations
      // store one.
      let name = self.model[relationship.declaringEntity].name
      return try self.found(
        JoinPlace(
          table: CoreDataNames.joinTable(relationship.name, declaredBy: owner),
          owner: KeyPlace(CoreDataNames.joinColumn(name, destination: owner)),
          member: KeyPlace(CoreDataNames.joinColumn(relationship.name, destination: destination)),
          orderColumn: relationship.isOrdered
            ? CoreDataNames.joinOrderColumn(relationship.name, declaredBy: owner) : nil,
          destination: relationship.destination),
        candidates: [], relationship)
    }
    let other = self.ids[inverse.declaringEntity]!
    let isReflexive = inverse.id == relationship.id
    let own = CoreDataNames.joinTable(relationship.name, declaredBy: owner)
    let opposite = CoreDataNames.joinTable(inverse.name, declaredBy: other)
    let place = JoinPlace(
      table: self.isNamedAfter(relationship, owner, inverse, other) ? own : opposite,
      owner: KeyPlace(
        isReflexive
          ? CoreDataNames.reflexiveColumn
          : CoreDataNames.joinColumn(inverse.name, destination: self.ids[inverse.destination] ?? owner)),
      member: KeyPlace(CoreDataNames.joinColumn(relationship.name, destination: destination)),
      orderColumn: relationship.isOrdered
        ? CoreDataNames.joinOrderColumn(relationship.name, declaredBy: owner) : nil,
      destination: relationship.destination, isReflexive: isReflexive)
    return try self.found(place, candidates: [own, opposite], relationship)
  }

  /// The side with the smaller entity number names the table; between equals, the smaller name.
  private func isNamedAfter(
    _ relationship: Relationship, _ owner: Int64, _ inverse: Relationship, _ other: Int64
  )
    -> Bool
  {
    if owner != other { return owner < other }
    return relationship.name.uppercased() <= inverse.name.uppercased()
  }

  /// In a file that is there, which of the two names its table has is looked up, never guessed.
  private func found(_ place: JoinPlace, candidates: [String], _ relationship: Relationship)
    throws(StoreError)
    -> JoinPlace
  {
    guard let existing = self.existing else { return place }
    let needed = place.owner.columns + place.member.columns + (place.orderColumn.map { [$0] } ?? [])
    for table in [place.table] + candidates where needed.allSatisfy({ existing.hasColumn($0, of: table) }) {
      var found = place
      found.table = table
      return found
    }
    throw StoreError(
      .incompatibleModel, store: self.file, place: .cell(table: place.table, row: nil, column: nil),
      "there is no table with columns \(needed.joined(separator: ", ")) for "
        + "\(self.model[relationship.declaringEntity].name).\(relationship.name); the file was saved with another "
        + "model")
  }
}
