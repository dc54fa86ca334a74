internal import FederatedModel
internal import FederatedStore

/// One value that a statement selects of each row, and how it is read.
struct SelectedCell: Hashable, Sendable {
  /// What is selected: `t0."COLUMN"`, or a subquery.
  let sql: String
  let encoding: ColumnEncoding
  /// Nil for an object.
  var type: AttributeType?
  /// Selected beside it: what the discriminator of an object's row holds.
  var entitySQL: String?
  /// The object's concrete entity where nothing tells it.
  var destination: EntityID?
  /// Concrete entities by discriminator.
  var destinations: [Int64: EntityID] = [:]
  /// What messages call it.
  var table = ""
  var column: String?
  var property = ""

  /// The texts of its select list.
  var texts: [String] { [self.sql] + (self.entitySQL.map { [$0] } ?? []) }
}

extension PredicateCompiler {
  /// The cell that steps from a row lead to, and the steps that are left behind it.
  /// - Returns: nil when no one cell holds what the steps begin with.
  mutating func cell(
    _ steps: ArraySlice<BoundStep>, from entity: EntityID, alias: String, in scope: inout SQLScope
  ) -> (cell: SelectedCell, rest: ArraySlice<BoundStep>)? {
    guard let place = self.context.layout[entity] else { return nil }
    let table = self.context.layout.tables[place.table]
    guard let step = steps.first, step != .identity else {
      return (self.identity(place, table, alias), steps.dropFirst())
    }
    let rest = steps.dropFirst()
    switch step {
    case .attribute(let attribute):
      guard let column = self.context.layout[attribute.entity]?.column(slot: attribute.slot),
        column.encoding != .prefixedBlob
      else { return nil }
      let cell = SelectedCell(
        sql: column.value(alias), encoding: column.encoding, type: attribute.type,
        table: table.name, column: column.column, property: column.property)
      return (cell, rest)
    case .toOne(let relationship):
      guard let column = self.context.layout[relationship.entity]?.column(slot: relationship.slot) else {
        return nil
      }
      if rest.isEmpty || rest == [.identity] {
        return self.reference(column, alias, table).map { ($0, []) }
      }
      guard let destination = self.context.layout.table(of: relationship.destination),
        let way = column.reference
      else { return nil }
      let next = scope.join(way.key.parts(alias), to: destination) { self.context.alias() }
      return self.cell(rest, from: relationship.destination, alias: next, in: &scope)
    case .toMany(let relationship) where rest == [.collectionOperator(.count)]:
      return self.count(relationship, of: SQLRow(entity: entity, alias: alias), in: &scope).map { ($0, []) }
    default: return nil
    }
  }

  private func identity(_ place: EntityPlace, _ table: Table, _ alias: String) -> SelectedCell {
    SelectedCell(
      sql: table.key.reference(alias), encoding: .reference,
      entitySQL: table.discriminator.map { $0.number(alias) },
      destination: table.onlyEntity ?? place.entity, destinations: table.discriminator?.entities ?? [:],
      table: table.name, column: table.key.title, property: "objectID")
  }

  private func reference(
    _ column: ColumnPlace, _ alias: String, _ table: Table
  ) -> SelectedCell? {
    guard let way = column.reference, let destination = self.context.layout[way.destination] else {
      return nil
    }
    let target = self.context.layout.tables[destination.table]
    var entity = way.entityColumn.map { "\(alias).\($0.quotedName)" }
    if entity == nil, destination.family != [way.destination], let discriminator = target.discriminator {
      entity =
        "(SELECT \(discriminator.number("d")) FROM \(target.name.quotedName) AS d WHERE "
        + "\(target.key.matches("d", way.key.parts(alias))))"
    }
    return SelectedCell(
      sql: column.value(alias), encoding: .reference, entitySQL: entity,
      destination: target.onlyEntity ?? way.destination,
      destinations: target.discriminator?.entities ?? [:], table: table.name, column: column.column,
      property: column.property)
  }

  /// How many rows a to-many leads to.
  private mutating func count(_ relationship: BoundRelationship, of row: SQLRow, in scope: inout SQLScope)
    -> SelectedCell?
  {
    let collection = SQLCollection(owner: row, relationship: relationship)
    guard let table = self.context.layout.table(of: relationship.destination),
      case .expression(let number)? = self.gather(.count, over: collection, in: &scope),
      number.fragment.bindings.isEmpty
    else { return nil }
    return SelectedCell(
      sql: number.fragment.text, encoding: .int, type: .integer64, table: table.name,
      property: relationship.name)
  }
}
