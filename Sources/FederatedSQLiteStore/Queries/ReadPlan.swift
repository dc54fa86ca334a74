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
    let cells: [CellRead]
  }

  struct CellRead: Sendable {
    /// Place in the result row.
    let index: Int32
    let slot: Int
    let encoding: ColumnEncoding
    let column: String
    let property: String
    /// For a reference: the place of the destination's discriminator; -1 when there is none.
    var entityIndex: Int32 = -1
    /// For a reference: the destination when no discriminator tells it.
    var destination = EntityID(0)
    /// For a reference: concrete destinations by discriminator.
    var destinations: [Int64: EntityID] = [:]
  }

  static let referenceIndex: Int32 = 0
  static let versionIndex: Int32 = 1
  static let discriminatorIndex: Int32 = 2

  init(_ place: EntityPlace, includesSubentities: Bool, layout: TableLayout, model: ManagedObjectModel) {
    let table = layout.tables[place.table]
    let concrete = includesSubentities ? place.family : (place.holdsRows ? [place.entity] : [])
    var texts = ["t0.\(table.key.quotedName)", table.version.map { "t0.\($0.quotedName)" } ?? "1"]
    var entityIndex: [Int64: Int] = [:]
    if concrete.count > 1, let discriminator = table.discriminator {
      texts.append("t0.\(discriminator.column.quotedName)")
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
      let cells = layout[entity]!.columns.map { column in
        var cell = CellRead(
          index: index(of: "t0.\(column.column.quotedName)"), slot: column.slot, encoding: column.encoding,
          column: column.column, property: column.property)
        if let reference = column.reference, let destination = layout[reference.destination] {
          let target = layout.tables[destination.table]
          cell.destination = reference.destination
          cell.destinations = target.discriminator?.entities ?? [:]
          if let entityColumn = reference.entityColumn {
            cell.entityIndex = index(of: "t0.\(entityColumn.quotedName)")
          } else if destination.family != [reference.destination], let discriminator = target.discriminator {
            // The file does not keep the destination's entity beside its key: look it up.
            cell.entityIndex = index(
              of: "(SELECT d.\(discriminator.column.quotedName) FROM \(target.name.quotedName) AS d WHERE "
                + "d.\(target.key.quotedName) = t0.\(column.column.quotedName))")
          }
        }
        return cell
      }
      return EntityReads(layout: model[entity].layout, cells: cells)
    }
    self.columnsText = texts.joined(separator: ", ")
    self.table = table
    self.entityIndex = entityIndex
  }
}
