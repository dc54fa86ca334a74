internal import FederatedModel

/// What an operand of a comparison is in SQL.
enum SQLOperand {
  case constant(Value)
  case list([Value])
  case column(ColumnOperand)
  /// A whole number that SQL computes.
  case count(SQLFragment)
  /// Rows of a to-many path and the steps that are left behind it.
  case collection(SQLCollection)
}

/// A to-many path: from a row of the enclosing scope to many rows, each with the rest of the path.
struct SQLCollection {
  /// The alias of the row that has the to-many.
  let owner: String
  let relationship: BoundRelationship
  let place: RelationshipPlace
  let rest: [BoundStep]
}

extension PredicateCompiler {
  /// - Returns: nil when SQL cannot say the same.
  mutating func operand(_ expression: BoundExpression, in scope: inout SQLScope) -> SQLOperand? {
    switch expression {
    case .constant(.list(let values)): return .list(values)
    case .constant(let value): return .constant(value)
    case .aggregate(let elements):
      var values: [Value] = []
      for element in elements {
        guard case .constant(let value) = element else { return nil }
        values.append(value)
      }
      return .list(values)
    case .evaluatedObject: return self.identity(of: scope.entity, alias: scope.alias).map { .column($0) }
    case .path(.evaluatedObject, let steps):
      return self.operand(steps[...], from: scope.entity, alias: scope.alias, in: &scope)
    default: return nil
    }
  }

  mutating func operand(
    _ steps: ArraySlice<BoundStep>, from entity: EntityID, alias: String, in scope: inout SQLScope
  )
    -> SQLOperand?
  {
    guard let step = steps.first else { return self.identity(of: entity, alias: alias).map { .column($0) } }
    let rest = steps.dropFirst()
    switch step {
    case .attribute(let attribute):
      guard rest.isEmpty, let place = self.context.layout[attribute.entity]?.column(slot: attribute.slot)
      else {
        return nil
      }
      return .column(
        ColumnOperand(
          sql: "\(alias).\(place.column.quotedName)", encoding: place.encoding, type: attribute.type,
          root: nil))
    case .identity: return rest.isEmpty ? self.identity(of: entity, alias: alias).map { .column($0) } : nil
    case .toOne(let relationship):
      guard let place = self.context.layout[relationship.entity]?.column(slot: relationship.slot) else {
        return nil
      }
      let source = "\(alias).\(place.column.quotedName)"
      if rest.isEmpty || rest == [.identity] {
        return .column(
          ColumnOperand(
            sql: source, encoding: .reference, type: nil,
            root: self.context.model[relationship.destination].root))
      }
      guard let table = self.context.layout.table(of: relationship.destination) else { return nil }
      let next = scope.join(source, to: table) { self.context.alias() }
      return self.operand(rest, from: relationship.destination, alias: next, in: &scope)
    case .toMany(let relationship):
      guard let owner = self.context.layout[relationship.entity],
        owner.relationships.indices.contains(relationship.index)
      else { return nil }
      return .collection(
        SQLCollection(
          owner: alias, relationship: relationship, place: owner.relationships[relationship.index],
          rest: Array(rest)))
    case .length, .collectionOperator, .key: return nil
    }
  }

  private func identity(of entity: EntityID, alias: String) -> ColumnOperand? {
    guard let table = self.context.layout.table(of: entity) else { return nil }
    return ColumnOperand(
      sql: "\(alias).\(table.key.quotedName)", encoding: .reference, type: nil,
      root: self.context.model[entity].root)
  }

  /// ` FROM … WHERE …` over the rows of a collection, under a scope of its own.
  /// - Returns: nil when the relationship is not in the file.
  mutating func rows(of collection: SQLCollection) -> (scope: SQLScope, link: String)? {
    guard let table = self.context.layout.table(of: collection.relationship.destination),
      let ownerTable = self.context.layout.table(of: collection.relationship.entity)
    else { return nil }
    let alias = self.context.alias()
    let key = "\(collection.owner).\(ownerTable.key.quotedName)"
    let scope = SQLScope(alias: alias, entity: collection.relationship.destination)
    switch collection.place {
    case .none, .column: return nil
    case .inverse(_, let column, _): return (scope, "\(alias).\(column.quotedName) = \(key)")
    case .join(let join):
      let pair = self.context.alias()
      return (
        scope,
        "\(alias).\(table.key.quotedName) IN (SELECT \(pair).\(join.destinationColumn.quotedName) FROM "
          + "\(join.table.quotedName) AS \(pair) WHERE \(pair).\(join.ownerColumn.quotedName) = \(key))"
      )
    }
  }
}
