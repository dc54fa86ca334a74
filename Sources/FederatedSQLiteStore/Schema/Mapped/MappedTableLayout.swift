internal import FederatedModel
internal import FederatedStore
internal import Foundation

/// Makes a ``TableLayout`` of a mapping, a model and what a file declares, and gathers every fault on the way.
struct MappedTableLayout {
  let mapping: SQLiteMapping
  let model: ManagedObjectModel
  let schema: ForeignSchema
  let file: URL
  let members: Set<EntityID>

  var tables: [Table] = []
  var places: [EntityPlace?]
  var cells: [CellConversion] = []
  var shapes: [KeyShape] = []
  let registry = KeyRegistry()
  var faults: [MappingFault] = []
  /// Keys that the file does not keep unique itself, by the index of their table.
  var uncheckedKeys: [(table: Int, path: String)] = []
  /// What each mapped entity lies in, by entity.
  var sources: [EntityID: ForeignTable] = [:]

  init(
    _ mapping: SQLiteMapping, model: ManagedObjectModel, configuration: String?, schema: ForeignSchema,
    file: URL
  ) throws(StoreError) {
    guard let members = model.entities(forConfiguration: configuration) else {
      throw StoreError(
        .incompatibleModel, store: file,
        "the model has no configuration \(configuration ?? ""); it has "
          + model.configurations.map(\.name).joined(separator: ", "))
    }
    self.mapping = mapping
    self.model = model
    self.schema = schema
    self.file = file
    self.members = Set(members.map(\.id))
    self.places = Array(repeating: nil, count: model.entities.count)
  }

  /// - Throws: `cannotOpen` with every fault.
  mutating func layout(_ connection: Connection) throws(StoreError) -> (
    layout: TableLayout, columns: MappedColumns
  ) {
    let entities = self.mappedEntities()
    for (entity, mapping) in entities { self.placeTable(of: entity, mapping) }
    for (entity, mapping) in entities where self.places[entity.id.index] != nil {
      self.placeColumns(of: entity, mapping)
    }
    let placed = entities.filter { self.places[$0.0.id.index] != nil }
    for (entity, mapping) in placed { self.placeToOnes(of: entity, mapping) }
    for (entity, mapping) in placed { self.placeWays(of: entity, mapping) }
    for (entity, _) in entities { self.placeAncestors(of: entity) }
    let columns = MappedColumns(cells: self.cells, shapes: self.shapes)
    let layout = TableLayout(tables: self.tables, entities: self.places)
    if self.faults.isEmpty { try self.checkKeys(layout, connection) }
    guard self.faults.isEmpty else {
      throw StoreError(mapping: MappingError(self.faults), of: self.file)
    }
    return (layout, columns)
  }

  mutating func fault(_ path: String, _ detail: String) {
    self.faults.append(MappingFault(path.split(separator: ".").map(String.init), detail))
  }

  // MARK: Entities

  /// The mapped entities in the order of the model.
  private mutating func mappedEntities() -> [(Entity, SQLiteEntityMapping)] {
    for name in self.mapping.entities.keys.sorted() {
      guard let entity = self.model.entity(named: name) else {
        let names = self.model.entities.map(\.name)
        self.fault(
          "entities.\(name)",
          "the model has no such entity\(NearestName.suggestion(for: name, among: names)); it has "
            + names.sorted().joined(separator: ", "))
        continue
      }
      if !self.members.contains(entity.id) {
        self.fault(
          "entities.\(name)", "the store's configuration lacks the entity; add it there, or leave it out here"
        )
      }
      if entity.isAbstract {
        self.fault(
          "entities.\(name)", "the entity is abstract and has no rows of its own; map its subentities")
      }
    }
    var entities: [(Entity, SQLiteEntityMapping)] = []
    for entity in self.model.entities where self.members.contains(entity.id) && !entity.isAbstract {
      guard let mapping = self.mapping.entities[entity.name] else {
        self.fault(
          "entities",
          "\(entity.name) is missing; map it, or open the store with a configuration that leaves it out")
        continue
      }
      if let other = entities.first(where: { $0.0.root == entity.root })?.0 {
        self.fault(
          "entities.\(entity.name)",
          "\(other.name) is of the same hierarchy; of each hierarchy one entity can lie in a file made by others"
        )
        continue
      }
      entities.append((entity, mapping))
    }
    return entities
  }

  /// What a mapped entity inherits from has its rows and no others.
  private mutating func placeAncestors(of entity: Entity) {
    guard let place = self.places[entity.id.index] else { return }
    var parent = entity.parent
    while let id = parent {
      let ancestor = self.model[id]
      var own = place
      own.entity = id
      own.holdsRows = false
      own.columns = place.columns.filter { $0.slot < ancestor.layout.slotCount }
      own.relationships = Array(place.relationships.prefix(ancestor.relationships.count))
      self.places[id.index] = own
      parent = ancestor.parent
    }
  }

  // MARK: Tables and keys

  private mutating func placeTable(of entity: Entity, _ mapping: SQLiteEntityMapping) {
    let path = "entities.\(entity.name)"
    guard let source = self.schema.table(mapping.table) else {
      let names = self.schema.tables.map(\.name)
      self.fault(
        "\(path).table",
        "the file has no table or view \(mapping.table)\(NearestName.suggestion(for: mapping.table, among: names)); "
          + "it has \(names.isEmpty ? "none" : names.joined(separator: ", "))")
      return
    }
    self.sources[entity.id] = source
    guard let key = self.key(of: source, mapping.key, path: "\(path).key") else { return }
    self.tables.append(
      Table(
        name: source.name, key: key, version: nil, discriminator: nil, onlyEntity: entity.id,
        isView: source.isView))
    if !source.keepsUnique(key.columns) { self.uncheckedKeys.append((self.tables.count - 1, "\(path).key")) }
    self.places[entity.id.index] = EntityPlace(
      entity: entity.id, table: self.tables.count - 1, discriminatorValue: nil, family: [entity.id],
      familyFillsTable: true, holdsRows: true, columns: [], relationships: [])
  }

  private mutating func key(of source: ForeignTable, _ named: [String], path: String) -> KeyPlace? {
    var names = named
    if names.isEmpty { names = source.primaryKey }
    if names.isEmpty {
      self.fault(
        path,
        source.isView
          ? "\(source.name) is a view; name the columns that tell its rows apart"
          : "\(source.name) has no primary key; name the columns that tell its rows apart"
            + (source.hasRowID ? ", or \"rowid\"" : ""))
      return nil
    }
    var columns: [ForeignColumn] = []
    for name in names {
      guard let column = self.column(name, of: source, path: path) else { return nil }
      columns.append(column)
    }
    if columns.count == 1, columns[0].affinity == .integer {
      return KeyPlace([columns[0].name], cell: self.keyCell(columns[0], of: source, property: "the key"))
    }
    let shape = KeyShape(self.shapes.count, columns.map(\.affinity), self.registry)
    self.shapes.append(shape)
    return KeyPlace(columns.map(\.name), shape: shape)
  }

  /// For a column of whole numbers; nil where nothing else can stand.
  mutating func keyCell(_ column: ForeignColumn, of source: ForeignTable, property: String) -> MappedCell? {
    let cell = self.cell(
      SQLiteAttributeMapping(column.name), column, of: source, property: property, type: .integer64)
    return cell.isSafe ? nil : cell
  }

  /// The column of that name; a fault when there is none.
  mutating func column(_ name: String, of source: ForeignTable, path: String) -> ForeignColumn? {
    if let column = source.column(name) { return column }
    let names = source.columns.map(\.name)
    self.fault(
      path,
      "\(source.name) has no column \(name)\(NearestName.suggestion(for: name, among: names)); it has "
        + names.joined(separator: ", "))
    return nil
  }

  /// - Throws: when the file cannot be read; two rows of one key, and rows without one, are faults.
  private mutating func checkKeys(_ layout: TableLayout, _ connection: Connection) throws(StoreError) {
    for (index, path) in self.uncheckedKeys {
      let table = layout.tables[index]
      let columns = table.key.columns.map(\.quotedName)
      let list = columns.joined(separator: ", ")
      let isMissing = columns.map { "\($0) IS NULL" }.joined(separator: " OR ")
      var found: [SQLValue]?
      try connection.query(
        "SELECT \(list) FROM \(table.name.quotedName) GROUP BY \(list) HAVING COUNT(*) > 1 OR \(isMissing) LIMIT 1"
      ) { (row) throws(StoreError) in
        found = columns.indices.map { row.value(Int32($0)) }
      }
      guard let found else { continue }
      self.fault(
        path,
        (found.contains(.null)
          ? "a row of \(table.name) has nothing in its key"
          : "several rows of \(table.name) have the same key")
          + " (\(zip(table.key.columns, found).map { "\($0): \($1.shown)" }.joined(separator: ", "))); "
          + "name columns that tell the rows apart")
    }
  }
}
