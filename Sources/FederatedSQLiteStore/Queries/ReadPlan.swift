internal import FederatedModel
internal import FederatedStore

/// Which columns a SELECT of rows names, and where each goes in a row block. Made once per entity.
struct ReadPlan: Sendable {
  /// `t0."…", t0."…"`: reference, version, discriminator when there are several entities, then the columns.
  let columnsText: String
  let table: Table
  /// The concrete entities that rows may be of.
  let entities: [EntityReads]
  /// Index in ``entities`` by what the discriminator holds; empty when all rows are of one entity.
  let entityIndex: [Int64: Int]

  struct EntityReads: Sendable {
    let layout: RowLayout
    let cells: [Cell]
    /// What messages call the cells, by ``Cell/column``.
    let columns: [(column: String, property: String)]
    /// By ``Cell/reference``.
    let references: [Reference]
  }

  /// Numbers alone: the loop over cells runs for every row.
  struct Cell: Sendable {
    /// Place in the result row.
    let index: Int32
    let slot: Int32
    let encoding: ColumnEncoding
    let column: Int32
    /// Index in ``EntityReads/references``; -1 for an attribute.
    let reference: Int32
  }

  /// How the concrete destination of a to-one is told.
  struct Reference: Sendable {
    /// The place of the destination's discriminator; -1 when there is none.
    var entityIndex: Int32 = -1
    /// The destination when no discriminator tells it.
    let destination: EntityID
    /// Concrete destinations by discriminator.
    let destinations: [Int64: EntityID]
  }

  static let referenceIndex: Int32 = 0
  static let versionIndex: Int32 = 1
  static let discriminatorIndex: Int32 = 2

  init(_ place: EntityPlace, includesSubentities: Bool, layout: TableLayout, model: ManagedObjectModel) {
    let table = layout.tables[place.table]
    let concrete = includesSubentities ? place.family : (place.holdsRows ? [place.entity] : [])
    var texts = [table.key.reference("t0"), table.version.map { "t0.\($0.quotedName)" } ?? "1"]
    var entityIndex: [Int64: Int] = [:]
    if concrete.count > 1, let discriminator = table.discriminator {
      texts.append(discriminator.number("t0"))
      for (value, entity) in discriminator.entities {
        if let index = concrete.firstIndex(of: entity) { entityIndex[value] = index }
      }
    }
    var known: [String: Int32] = [:]
    func index(of text: String) -> Int32 {
      if let found = known[text] { return found }
      known[text] = Int32(texts.count)
      texts.append(text)
      return Int32(texts.count - 1)
    }
    self.entities = concrete.map { entity in
      var cells: [Cell] = []
      var references: [Reference] = []
      let places = layout[entity]!.columns
      for (number, column) in places.enumerated() {
        let cell = index(of: column.value("t0"))
        var reference: Int32 = -1
        if let way = column.reference, let destination = layout[way.destination] {
          let target = layout.tables[destination.table]
          var found = Reference(
            destination: target.onlyEntity ?? way.destination,
            destinations: target.discriminator?.entities ?? [:])
          if let entityColumn = way.entityColumn {
            found.entityIndex = index(of: "t0.\(entityColumn.quotedName)")
          } else if destination.family != [way.destination], let discriminator = target.discriminator {
            // The file does not keep the destination's entity beside its key: look it up.
            found.entityIndex = index(
              of: "(SELECT \(discriminator.number("d")) FROM \(target.name.quotedName) AS d WHERE "
                + "\(target.key.matches("d", way.key.parts("t0"))))")
          }
          reference = Int32(references.count)
          references.append(found)
        }
        cells.append(
          Cell(
            index: cell, slot: Int32(column.slot), encoding: column.encoding, column: Int32(number),
            reference: reference))
      }
      return EntityReads(
        layout: model[entity].layout, cells: cells, columns: places.map { ($0.column, $0.property) },
        references: references)
    }
    self.columnsText = texts.joined(separator: ", ")
    self.table = table
    self.entityIndex = entityIndex
  }
}
