internal import FederatedModel
internal import FederatedStore

/// The columns of attributes.
extension MappedTableLayout {
  mutating func placeColumns(of entity: Entity, _ mapping: SQLiteEntityMapping) {
    let path = "entities.\(entity.name).attributes"
    guard let source = self.sources[entity.id] else { return }
    self.checkNames(mapping, of: entity)
    var columns: [ColumnPlace] = []
    for attribute in entity.attributes {
      guard let own = mapping.attributes[attribute.name] else {
        if attribute.slot != nil, !attribute.description.isOptional {
          self.fault(
            path,
            "\(attribute.name) is missing and not optional; give it a column, or make it optional or transient"
          )
        }
        continue
      }
      let path = "\(path).\(attribute.name)"
      guard let slot = attribute.slot, let encoding = attribute.description.mappedEncoding else {
        self.fault(path, "the attribute is transient or of a type that no store holds; leave it out")
        continue
      }
      guard own.format.suits(attribute.type) else {
        self.fault(path, "the format \(own.format) is not for attributes of type \(attribute.type)")
        continue
      }
      guard let column = self.column(own.column, of: source, path: path) else { continue }
      let cell = self.cell(
        own, column, of: source, property: "\(self.model[attribute.declaringEntity].name).\(attribute.name)",
        type: attribute.type)
      columns.append(
        ColumnPlace(
          property: attribute.name, slot: slot, column: column.name, encoding: encoding, mapped: cell,
          isDerived: column.isGenerated))
    }
    self.places[entity.id.index]?.columns = columns
  }

  private mutating func checkNames(_ mapping: SQLiteEntityMapping, of entity: Entity) {
    let path = "entities.\(entity.name)"
    let attributes = entity.attributes.map(\.name)
    for name in mapping.attributes.keys.sorted() where !attributes.contains(name) {
      self.fault(
        "\(path).attributes.\(name)",
        "\(entity.name) has no attribute \(name)\(NearestName.suggestion(for: name, among: attributes)); it has "
          + attributes.joined(separator: ", "))
    }
    let relationships = entity.relationships.map(\.name)
    for name in mapping.relationships.keys.sorted() where !relationships.contains(name) {
      self.fault(
        "\(path).relationships.\(name)",
        "\(entity.name) has no relationship \(name)\(NearestName.suggestion(for: name, among: relationships)); it has "
          + (relationships.isEmpty ? "none" : relationships.joined(separator: ", ")))
    }
  }

  /// Numbers a column and what is known of its cells.
  mutating func cell(
    _ own: SQLiteAttributeMapping, _ column: ForeignColumn, of source: ForeignTable, property: String,
    type: AttributeType
  ) -> MappedCell {
    let cell = MappedCell(
      number: self.cells.count, table: source.name, column: column.name, property: property, type: type,
      format: own.format, unfit: own.unfit, affinity: column.affinity,
      isSafe: source.keeps(type, own.format, in: column), rowName: source.rowName)
    // What several entities inherit is one column to statements.
    if let known = self.cells.first(where: { $0.cell.isSame(as: cell) })?.cell { return known }
    self.cells.append(CellConversion(cell, file: self.file, zone: self.mapping.zone))
    return cell
  }
}

extension ForeignTable {
  /// Whether the declaration lets no cell in that would not fit.
  fileprivate func keeps(_ type: AttributeType, _ format: ValueFormat, in column: ForeignColumn) -> Bool {
    guard format == .standard else { return false }
    let isRowID = self.hasRowID && (column.name == "rowid" || column.name == self.rowIDColumn)
    switch type {
    case .integer64:
      return isRowID || self.isStrict && ["INT", "INTEGER"].contains(column.declared.uppercased())
    case .double, .float: return self.isStrict && column.declared.uppercased() == "REAL"
    // A text column may compare by another collation than bytes; only the converted value has none.
    case .binary, .transformable: return self.isStrict && column.declared.uppercased() == "BLOB"
    default: return false
    }
  }

  /// The columns whose values name a row in messages.
  fileprivate var rowName: [String] {
    if !self.primaryKey.isEmpty { return self.primaryKey }
    return self.hasRowID ? ["rowid"] : []
  }
}

extension AttributeDescription {
  /// What the rest of the store works with once a cell was converted; nil for what no column can hold.
  fileprivate var mappedEncoding: ColumnEncoding? {
    switch self.type.slotKind {
    case .int: .int
    case .bool: .bool
    case .double, .float: .double
    case .date: .date
    case .decimal: .decimal
    case .string, .uri: .text
    case .uuid: .uuid
    case .data: .blob
    case .reference, nil: nil
    }
  }
}
