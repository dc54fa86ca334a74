internal import FederatedModel

/// Operands: constants, columns behind paths, and what is made of them.
extension PredicateCompiler {
  /// - Returns: nil when SQL cannot say the same.
  mutating func operand(_ expression: BoundExpression, in scope: inout SQLScope) -> SQLOperand? {
    switch expression {
    case .constant(.list(let values)): return .list(values)
    case .constant(let value): return .constant(value)
    case .aggregate(let elements):
      var operands: [SQLOperand] = []
      for element in elements {
        guard let operand = self.operand(element, in: &scope) else { return nil }
        operands.append(operand)
      }
      return .elements(operands)
    case .evaluatedObject: return .row(scope.row)
    case .variable(let name): return scope.value(of: name)
    case .path(let base, let steps):
      guard let base = self.operand(base, in: &scope) else { return nil }
      return self.operand(steps[...], from: base, in: &scope)
    case .subquery(let source, let variable, let predicate):
      guard case .collection(var collection)? = self.operand(source, in: &scope) else { return nil }
      collection.rest.append(.filter(variable: variable, predicate))
      return .collection(collection)
    case .function(let function, let operands):
      if let constant = self.constant(expression) { return constant }
      return self.call(function, operands, in: &scope)
    case .conditional(let predicate, let first, let second):
      return self.conditional(predicate, first, second, in: &scope)
    case .index, .setOperation: return self.constant(expression)
    }
  }

  mutating func operand(
    _ steps: ArraySlice<BoundStep>, from entity: EntityID, alias: String, in scope: inout SQLScope
  ) -> SQLOperand? {
    self.operand(steps, from: .row(SQLRow(entity: entity, alias: alias)), in: &scope)
  }

  private mutating func operand(
    _ steps: ArraySlice<BoundStep>, from base: SQLOperand, in scope: inout SQLScope
  ) -> SQLOperand? {
    var place = base
    for index in steps.indices {
      let step = steps[index]
      if case .collection(var collection) = place {
        if case .collectionOperator(let collectionOperator) = step {
          return self.gather(collectionOperator, steps[(index + 1)...], over: collection, in: &scope)
        }
        collection.rest.append(.step(step))
        place = .collection(collection)
      } else if case .row(let row) = place, case .toMany(let relationship) = step {
        place = .collection(SQLCollection(owner: row, relationship: relationship))
      } else {
        let isLast = steps[(index + 1)...].allSatisfy { $0 == .identity }
        guard let next = self.follow(step, from: place, isLast: isLast, in: &scope)
        else { return nil }
        place = next
      }
    }
    return place
  }

  /// One step that leads to one value.
  /// - Parameter isLast: whether the value itself is wanted, and nothing of the row behind it.
  mutating func follow(_ step: BoundStep, from place: SQLOperand, isLast: Bool, in scope: inout SQLScope)
    -> SQLOperand?
  {
    switch (step, place) {
    case (.attribute(let attribute), .row(let row)):
      guard let place = self.context.layout[attribute.entity]?.column(slot: attribute.slot) else {
        return nil
      }
      return .column(
        ColumnOperand(place, alias: row.alias, type: attribute.type))
    case (.identity, .row), (.identity, .column): return place
    case (.toOne(let relationship), .row(let row)):
      return self.follow(relationship, from: row, isLast: isLast, in: &scope)
    case (.length, _): return self.call(.length, [place])
    default: return nil
    }
  }

  private mutating func follow(
    _ relationship: BoundRelationship, from row: SQLRow, isLast: Bool, in scope: inout SQLScope
  ) -> SQLOperand? {
    guard let place = self.context.layout[relationship.entity]?.column(slot: relationship.slot) else {
      return nil
    }
    if isLast {
      return .column(
        ColumnOperand(
          place, alias: row.alias, type: nil, root: self.context.model[relationship.destination].root))
    }
    guard let table = self.context.layout.table(of: relationship.destination), let way = place.reference
    else {
      return nil
    }
    let next = scope.join(way.key.parts(row.alias), to: table, in: row.frame) { self.context.alias() }
    return .row(
      SQLRow(entity: relationship.destination, alias: next, frame: row.frame, isNullable: true))
  }

  /// The key of a row: the object itself.
  func identity(of row: SQLRow) -> ColumnOperand? {
    guard let table = self.context.layout.table(of: row.entity) else { return nil }
    return ColumnOperand(table.key, alias: row.alias, root: self.context.model[row.entity].root)
  }

  /// An operand as one computed value; nil for collections.
  func expression(_ operand: SQLOperand) -> SQLExpression? {
    switch operand {
    case .constant(let value): SQLExpression(value, store: self.context.store, model: self.context.model)
    case .column(let column): SQLExpression(column)
    case .expression(let expression): expression
    case .row(let row): self.identity(of: row).flatMap { SQLExpression($0) }
    case .list, .elements, .collection: nil
    }
  }
}
