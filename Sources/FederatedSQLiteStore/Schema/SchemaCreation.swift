internal import FederatedModel
internal import FederatedStore
internal import Foundation

/// Creates the tables and indexes of a new file in the original framework's layout.
struct SchemaCreation {
  let model: ManagedObjectModel
  let layout: TableLayout
  let ids: [EntityID: Int64]

  /// Every statement, in order. All names are quoted.
  var statements: [String] {
    var statements = [
      "CREATE TABLE \(CoreDataNames.primaryKeyTable.quotedName) "
        + "(Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
      "CREATE TABLE \(CoreDataNames.metadataTable.quotedName) "
        + "(Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
      "CREATE TABLE \(CoreDataNames.modelCacheTable.quotedName) (Z_CONTENT BLOB)",
    ]
    for (index, table) in self.layout.tables.enumerated() {
      let places = self.layout.entities.compactMap(\.self).filter { $0.table == index }
      statements.append(self.createTable(table, places))
      statements += self.indexes(of: table, places)
    }
    return statements + self.joinTables
  }

  // MARK: Tables

  private struct Column {
    let name: String
    let type: String
    /// Integers first, then reals, dates and decimals, then text, then bytes.
    var rank: Int {
      switch self.type {
      case "INTEGER": 0
      case "VARCHAR": 2
      case "BLOB": 3
      default: 1
      }
    }
  }

  private func createTable(_ table: Table, _ places: [EntityPlace]) -> String {
    var columns: [Column] = []
    var seen: Set<String> = []
    func add(_ name: String, _ type: String) {
      if seen.insert(name).inserted { columns.append(Column(name: name, type: type)) }
    }
    for place in places {
      for column in place.columns where column.reference == nil {
        add(column.column, CoreDataNames.declaredType(column.encoding))
      }
      for column in place.columns {
        guard let reference = column.reference else { continue }
        add(column.column, "INTEGER")
        if let entity = reference.entityColumn { add(entity, "INTEGER") }
        if let order = reference.orderColumn { add(order, "INTEGER") }
      }
    }
    let sorted = columns.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
    let definitions =
      ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"]
      + sorted.map { "\($0.element.name.quotedName) \($0.element.type)" }
    return "CREATE TABLE \(table.name.quotedName) (\(definitions.joined(separator: ", ")))"
  }

  private var joinTables: [String] {
    var statements: [String] = []
    var made: Set<String> = []
    for entity in self.model.entities {
      guard let place = self.layout[entity.id] else { continue }
      for (index, relationship) in place.relationships.enumerated() {
        guard case .join(let join) = relationship, made.insert(join.table).inserted else { continue }
        var (first, second) = (join.owner.columns[0], join.member.columns[0])
        let own = entity.relationships[index]
        // The key begins with the column of the side that does not name the table.
        let named = self.ids[own.declaringEntity].map { CoreDataNames.joinTable(own.name, declaredBy: $0) }
        if join.table != named { swap(&first, &second) }
        var columns = [first, second]
        if let order = join.orderColumn { columns.append(order) }
        if let order = self.oppositeOrderColumn(of: own), !columns.contains(order) { columns.append(order) }
        let definitions =
          columns.map { "\($0.quotedName) INTEGER" }
          + ["PRIMARY KEY (\(first.quotedName), \(second.quotedName))"]
        statements.append("CREATE TABLE \(join.table.quotedName) (\(definitions.joined(separator: ", ")))")
        statements.append(
          "CREATE INDEX \("\(join.table)_\(second)_INDEX".quotedName) ON \(join.table.quotedName) "
            + "(\(second.quotedName), \(first.quotedName))")
      }
    }
    return statements
  }

  private func oppositeOrderColumn(of relationship: Relationship) -> String? {
    guard let inverse = relationship.inverse, let place = self.layout[inverse.entity],
      case .join(let join) = place.relationships[inverse.index]
    else { return nil }
    return join.orderColumn
  }

  // MARK: Indexes

  private func indexes(of table: Table, _ places: [EntityPlace]) -> [String] {
    var statements: [String] = []
    var names: Set<String> = []
    func add(_ name: String, unique: Bool = false, _ columns: [String]) {
      guard !columns.isEmpty, names.insert(name.uppercased()).inserted else { return }
      statements.append(
        "CREATE \(unique ? "UNIQUE " : "")INDEX \(name.quotedName) ON \(table.name.quotedName) "
          + "(\(columns.joined(separator: ", ")))")
    }
    for place in places {
      let entity = self.model[place.entity]
      for column in place.columns where column.reference != nil {
        add("\(table.name)_\(column.column)_INDEX", [column.column.quotedName])
      }
      for attribute in entity.attributes
      where attribute.description.isIndexed && attribute.declaringEntity == entity.id {
        guard let column = place.columns.first(where: { $0.property == attribute.name }) else { continue }
        add("\(table.name)_\(column.column)_INDEX", [column.column.quotedName])
      }
      for constraint in entity.description.uniquenessConstraints {
        let columns = constraint.compactMap { name in place.columns.first { $0.property == name }?.column }
        guard columns.count == constraint.count else { continue }
        // An index is over the whole table: rows of other entities with these columns are not under the constraint.
        let others = places.filter { !entity.family.contains($0.entity) }
        let isAlone = !others.contains { other in
          columns.allSatisfy { column in other.columns.contains { $0.column == column } }
        }
        add(
          "Z_\(entity.name)_UNIQUE_\(constraint.joined(separator: "_"))", unique: isAlone,
          columns.map { "\($0.quotedName) COLLATE BINARY ASC" })
      }
      for index in entity.description.indexes { self.add(index, of: entity, place, add) }
      for (number, compound) in entity.description.compoundIndexes.enumerated() {
        let columns = compound.compactMap { name in
          place.columns.first { $0.property == name }?.column.quotedName
        }
        guard columns.count == compound.count else { continue }
        add("Z_\(entity.name)_compoundIndex\(number == 0 ? "" : String(number))", columns)
      }
    }
    if places.count > 1 { add("\(table.name)_Z_ENT_INDEX", [CoreDataNames.entity.quotedName]) }
    return statements
  }

  private func add(
    _ index: FetchIndexDescription, of entity: Entity, _ place: EntityPlace,
    _ add: (String, Bool, [String]) -> Void
  ) {
    // Expressions, partial conditions and spatial elements have no plain index; the rows need none to be right.
    guard index.partialPredicateFormat == nil else { return }
    var columns: [String] = []
    for element in index.elements {
      guard element.kind == "Binary", let property = element.property,
        let column = place.columns.first(where: { $0.property == property })
      else { return }
      columns.append("\(column.column.quotedName) COLLATE BINARY \(element.ascending ? "ASC" : "DESC")")
    }
    add("Z_\(entity.name)_\(index.name)", false, columns)
  }
}
