internal import FederatedModel

/// Columns and groups of rows that are in memory.
extension InMemoryQuery {
  func values(
    _ columns: ValueColumns, of chosen: some Collection<Int>, of candidates: RowSet
  ) throws(StoreError) -> ValueRows {
    var answer = ValueRows(width: columns.columns.count)
    // Distinct lines are counted, not rows.
    var skipped = columns.isDistinct ? self.query.offset : 0
    let limit = columns.isDistinct ? self.query.limit ?? .max : .max
    var seen = DistinctLines()
    do {
      let readers = try columns.columns.map { try ColumnReader($0) }
      var line: [Value] = []
      for position in chosen where answer.count < limit {
        line.removeAll(keepingCapacity: true)
        for reader in readers { line.append(try reader.value(of: candidates[position], in: self.source)) }
        if columns.isDistinct {
          guard seen.insert(line) else { continue }
          if skipped > 0 {
            skipped -= 1
            continue
          }
        }
        answer.append(line)
      }
    } catch { throw StoreError.evaluating(error) }
    return answer
  }

  func groups(
    _ grouping: BoundGrouping, of chosen: some Collection<Int>, of candidates: RowSet
  ) throws(StoreError) -> GroupTable {
    var table = GroupTable(grouping)
    do {
      let keys = try grouping.keys.map { try ColumnReader($0) }
      let operands = try grouping.aggregates.map { try ColumnReader($0.operand) }
      var (keyValues, operandValues): ([Value], [Value]) = ([], [])
      for position in chosen {
        let row = candidates[position]
        keyValues.removeAll(keepingCapacity: true)
        operandValues.removeAll(keepingCapacity: true)
        for reader in keys { keyValues.append(try reader.value(of: row, in: self.source)) }
        for reader in operands { operandValues.append(try reader.value(of: row, in: self.source)) }
        try table.add(keys: keyValues, operands: operandValues)
      }
    } catch { throw StoreError.evaluating(error) }
    return table
  }
}

/// How one column is read of rows.
private enum ColumnReader {
  case slot(Int, SlotKind)
  case identity
  case computed(PreparedExpression)

  init(_ expression: BoundExpression) throws(FetchPredicateError) {
    switch expression {
    case .evaluatedObject, .path(.evaluatedObject, [.identity]): self = .identity
    case .path(.evaluatedObject, let steps) where steps.count == 1:
      switch (steps[0], steps[0].slotKind) {
      case (.attribute(let attribute), let kind?): self = .slot(attribute.slot, kind)
      case (.toOne(let relationship), _): self = .slot(relationship.slot, .reference)
      default: self = .computed(try PreparedExpression(expression))
      }
    default: self = .computed(try PreparedExpression(expression))
    }
  }

  func value(of row: Snapshot, in source: any RowSource) throws -> Value {
    switch self {
    case .slot(let slot, let kind): row.value(slot, kind, store: source.store)
    case .identity:
      .object(ManagedObjectID(store: source.store, entity: row.entity, reference: row.reference))
    case .computed(let expression): try expression.value(of: SnapshotSubject(row, in: source))
    }
  }
}

extension BoundStep {
  fileprivate var slotKind: SlotKind? {
    if case .attribute(let attribute) = self { attribute.type.slotKind } else { nil }
  }
}
