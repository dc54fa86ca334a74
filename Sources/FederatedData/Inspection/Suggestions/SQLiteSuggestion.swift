import FederatedModel
import FederatedSQLiteStore
import FederatedStore
import Foundation

/// Entities for the tables of a database.
struct SQLiteSuggestion {
  private(set) var store: SuggestedStore
  private(set) var notes: [String] = []
  private let outline: SQLiteFileOutline
  /// Tables that hold nothing but pairs of keys.
  private var pairs: [String: [ForeignKey]] = [:]
  private var placeByTable: [String: Int] = [:]

  /// - Parameter names: the entities that there are already.
  init(_ url: URL, name: String, _ names: inout SuggestedNames) throws {
    self.outline = try SQLiteFileOutline(of: url)
    self.store = SuggestedStore(name: name, url: url, type: "sqlite")
    self.notes = self.outline.leftOut.map { "\(url.lastPathComponent): \($0.name) \($0.reason)" }
    for table in self.outline.tables {
      if let keys = self.pairKeys(of: table.declared) { self.pairs[table.declared.name] = keys }
    }
    let tables = self.outline.tables.filter { self.pairs[$0.declared.name] == nil }
    for table in tables {
      let own = table.declared.name
      let entity = SuggestedNames.entity(own)
      self.placeByTable[own.lowercased()] = self.store.entities.count
      self.store.entities.append(
        SuggestedEntity(
          name: names.take(entity, SuggestedNames.entity(name) + entity), place: own, rows: table.rows))
    }
    for table in tables { self.addColumns(of: table) }
    for table in tables { self.addLinks(of: table) }
    for table in self.outline.tables { self.addPairs(of: table.declared) }
  }

  private func table(_ name: String) -> ForeignTable? {
    self.outline.tables.first { $0.declared.name.lowercased() == name.lowercased() }?.declared
  }

  /// In the order in which SQLite lists them: the last one declared comes first, and proposals keep that order.
  private static func keys(of table: ForeignTable) -> [ForeignKey] { table.foreignKeys.reversed() }

  /// Whether a foreign key leads to a whole declared key.
  private func leadsToKey(_ key: ForeignKey) -> Bool {
    guard let table = self.table(key.table), !table.primaryKey.isEmpty,
      key.columns.count == table.primaryKey.count
    else { return false }
    return key.destination.isEmpty
      || key.destination.map { $0.lowercased() } == table.primaryKey.map { $0.lowercased() }
  }

  /// The two keys of a table that has no other columns.
  private func pairKeys(of table: ForeignTable) -> [ForeignKey]? {
    let keys = Self.keys(of: table)
    guard keys.count == 2, keys.allSatisfy(self.leadsToKey),
      Set(keys.flatMap(\.columns)).count == table.columns.count,
      keys.allSatisfy({ key in
        self.table(key.table).map { $0.foreignKeys.count != 2 || $0.name != table.name } == true
      })
    else { return nil }
    return keys
  }

  // MARK: Columns

  private mutating func addColumns(of outline: SQLiteFileOutline.Table) {
    let table = outline.declared
    guard let place = self.placeByTable[table.name.lowercased()] else { return }
    let links = self.links(of: table)
    let linked = Set(links.flatMap(\.columns)).subtracting(table.primaryKey)
    var names = SuggestedNames()
    for (column, values) in zip(table.columns, outline.values) where !linked.contains(column.name) {
      let proposal = values.proposal(name: column.name, declared: column.declared)
      let isKey = table.primaryKey.contains(column.name)
      self.store.entities[place].attributes.append(
        SuggestedAttribute(
          name: names.take(SuggestedNames.property(column.name)), place: column.name, proposal: proposal,
          isOptional: !(isKey || column.isRequired) || values.nulls > 0, values: values))
    }
    if table.primaryKey.isEmpty {
      let own = self.store.entities[place].attributes.first {
        $0.isKey && $0.canLink && $0.proposal.format == .standard
      }
      self.store.entities[place].key = [own?.place ?? "rowid"]
      self.notes.append(
        "\(self.store.url.lastPathComponent): \(table.name) declares no key; \(own?.place ?? "rowid") is taken"
      )
    }
  }

  /// Foreign keys that become relationships: each column in one of them at most.
  private func links(of table: ForeignTable) -> [ForeignKey] {
    var used: Set<String> = []
    return Self.keys(of: table).filter { key in
      guard self.leadsToKey(key), self.placeByTable[key.table.lowercased()] != nil,
        used.isDisjoint(with: key.columns)
      else { return false }
      used.formUnion(key.columns)
      return true
    }
  }

  // MARK: Relationships

  private mutating func addLinks(of outline: SQLiteFileOutline.Table) {
    let table = outline.declared
    guard let place = self.placeByTable[table.name.lowercased()] else { return }
    for key in self.links(of: table) {
      guard let end = self.placeByTable[key.table.lowercased()] else { continue }
      let source = self.store.entities[place].name
      let destination = self.store.entities[end].name
      let single = self.name(of: key)
      var names = SuggestedNames(taken: self.store.entities[place].names)
      let name = names.take(single, single + destination)
      var others = SuggestedNames(taken: self.store.entities[end].names + (place == end ? [name] : []))
      let many = SuggestedNames.plural(table.name)
      let inverse = others.take(many, many + "By" + SuggestedNames.entity(single))
      let isOptional = zip(table.columns, outline.values).contains { column, values in
        key.columns.contains(column.name) && (!column.isRequired || values.nulls > 0)
      }
      self.store.entities[place].relationships.append(
        SuggestedRelationship(
          name: name, destination: destination, inverse: inverse, isToMany: false, isOptional: isOptional,
          place: .columns(key.columns)))
      self.store.entities[end].relationships.append(
        SuggestedRelationship(
          name: inverse, destination: source, inverse: name, isToMany: true, isOptional: true, place: .inverse
        ))
    }
  }

  /// What a foreign key leads to: `customer` for `customer_id`; the table where the column is called as its key.
  private func name(of key: ForeignKey) -> String {
    guard key.columns.count == 1, let column = key.columns.first,
      self.table(key.table)?.primaryKey.first?.lowercased() != column.lowercased()
    else { return SuggestedNames.property(SuggestedNames.singular(key.table)) }
    let subject = SuggestedNames.subject(column).joined(separator: " ")
    return SuggestedNames.property(subject.isEmpty ? key.table : subject)
  }

  private mutating func addPairs(of table: ForeignTable) {
    guard let keys = self.pairs[table.name], let one = self.placeByTable[keys[0].table.lowercased()],
      let other = self.placeByTable[keys[1].table.lowercased()]
    else { return }
    var names = SuggestedNames(taken: self.store.entities[one].names)
    let name = names.take(
      SuggestedNames.plural(keys[1].table),
      SuggestedNames.plural(keys[1].table) + "By" + SuggestedNames.entity(table.name))
    var others = SuggestedNames(taken: self.store.entities[other].names + (one == other ? [name] : []))
    let inverse = others.take(
      SuggestedNames.plural(keys[0].table),
      SuggestedNames.plural(keys[0].table) + "By" + SuggestedNames.entity(table.name))
    let (source, destination) = (self.store.entities[one].name, self.store.entities[other].name)
    self.store.entities[one].relationships.append(
      SuggestedRelationship(
        name: name, destination: destination, inverse: inverse, isToMany: true, isOptional: true,
        place: .pairs(table: table.name, owner: keys[0].columns, destination: keys[1].columns)))
    self.store.entities[other].relationships.append(
      SuggestedRelationship(
        name: inverse, destination: source, inverse: name, isToMany: true, isOptional: true, place: .inverse))
  }
}
