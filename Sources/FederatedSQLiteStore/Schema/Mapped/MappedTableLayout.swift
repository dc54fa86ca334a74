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
    }
    var entities: [(Entity, SQLiteEntityMapping)] = []
    for entity in self.model.entities where self.members.contains(entity.id) && !entity.isAbstract {
      guard self.mapping.entities[entity.name] != nil else {
        self.fault(
          "entities",
          "\(entity.name) is missing; map it, or open the store with a configuration that leaves it out")
        continue
      }
      entities.append((entity, self.inherited(by: entity)))
    }
    return entities
  }

  /// What the mapping says of an entity, with what it says of those that the entity inherits from.
  private func inherited(by entity: Entity) -> SQLiteEntityMapping {
    let own = self.mapping.entities[entity.name]
    guard let parent = entity.parent else { return own ?? SQLiteEntityMapping(table: "") }
    var whole = self.inherited(by: self.model[parent])
    guard let own else { return whole }
    if !own.table.isEmpty { whole.table = own.table }
    if !own.key.isEmpty { whole.key = own.key }
    whole.discriminator = own.discriminator
    whole.attributes.merge(own.attributes) { $1 }
    whole.relationships.merge(own.relationships) { $1 }
    return whole
  }

  /// What mapped entities inherit from has their rows. All of them have what they inherit in the same columns.
  private mutating func placeAncestors(of entity: Entity) {
    guard let place = self.places[entity.id.index] else { return }
    var parent = entity.parent
    while let id = parent {
      let ancestor = self.model[id]
      parent = ancestor.parent
      let columns = place.columns.filter { $0.slot < ancestor.layout.slotCount }
      guard let known = self.places[id.index] else {
        var own = place
        own.entity = id
        own.discriminatorValue = nil
        own.family = ancestor.family.filter { self.places[$0.index]?.holdsRows == true }
        own.holdsRows = false
        own.columns = columns
        own.relationships = Array(place.relationships.prefix(ancestor.relationships.count))
        self.places[id.index] = own
        continue
      }
      if known.table != place.table || known.columns.map(\.column) != columns.map(\.column) {
        self.fault(
          "entities.\(entity.name)",
          "what it inherits from \(ancestor.name) lies in other columns than that of others that inherit it; put it into "
            + "the same")
      }
    }
  }

  // MARK: Tables and keys

  private mutating func placeTable(of entity: Entity, _ mapping: SQLiteEntityMapping) {
    let path = "entities.\(entity.name)"
    guard !mapping.table.isEmpty else {
      self.fault(path, "the key \"table\" is missing; name the table or view of the entity")
      return
    }
    guard let source = self.schema.table(mapping.table) else {
      let names = self.schema.tables.map(\.name)
      self.fault(
        "\(path).table",
        "the file has no table or view \(mapping.table)\(NearestName.suggestion(for: mapping.table, among: names)); "
          + "it has \(names.isEmpty ? "none" : names.joined(separator: ", "))")
      return
    }
    self.sources[entity.id] = source
    guard let index = self.table(of: entity, mapping, source) else { return }
    var place = EntityPlace(
      entity: entity.id, table: index, discriminatorValue: nil, family: [entity.id],
      familyFillsTable: mapping.discriminator == nil, holdsRows: true, columns: [], relationships: [])
    if mapping.discriminator != nil {
      place.discriminatorValue = Int64(self.tables[index].discriminator?.entities.count ?? 0)
    }
    self.places[entity.id.index] = place
    // Those that it inherits from come before it.
    var parent = entity.parent
    while let id = parent {
      self.places[id.index]?.family.append(entity.id)
      parent = self.model[id].parent
    }
  }

  /// The table of an entity: its own, or the one that another of its hierarchy has already.
  private mutating func table(
    of entity: Entity, _ mapping: SQLiteEntityMapping, _ source: ForeignTable
  ) -> Int? {
    let path = "entities.\(entity.name)"
    let other = self.model[entity.root].family.first { self.places[$0.index] != nil }
    var word: DiscriminatorValue?
    var discriminator: Table.Discriminator?
    if let own = mapping.discriminator {
      guard let column = self.column(own.column, of: source, path: "\(path).discriminator.column") else {
        return nil
      }
      word = own.value
      discriminator = Table.Discriminator(column: column.name, entities: [:], words: [:])
    }
    var index = self.tables.count
    if let other {
      index = self.places[other.index]!.table
      let table = self.tables[index]
      guard table.name == source.name, let known = table.discriminator, known.column == discriminator?.column,
        let word, known.words?.values.contains(word) == false
      else {
        self.fault(
          path,
          "\(self.model[other].name) is of the same hierarchy; both lie in one table and one column tells them apart: "
            + "give each a \"discriminator\" with a value of its own")
        return nil
      }
    } else {
      guard let key = self.key(of: source, mapping.key, path: "\(path).key") else { return nil }
      self.tables.append(
        Table(
          name: source.name, key: key, version: nil, discriminator: discriminator,
          onlyEntity: discriminator == nil ? entity.id : nil, isView: source.isView))
      if !source.keepsUnique(key.columns) { self.uncheckedKeys.append((index, "\(path).key")) }
    }
    if let word {
      let number = Int64(self.tables[index].discriminator!.entities.count + 1)
      self.tables[index].discriminator!.entities[number] = entity.id
      self.tables[index].discriminator!.words![number] = word
    }
    return index
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
