internal import FederatedModel
internal import FederatedStore

/// Reads result rows as lines: cells as they are, and what is computed from them.
struct LineReader {
  private enum Column {
    case cell(Int)
    case computed(PreparedExpression)
  }

  private let cells: [CellReader]
  private let columns: [Column]
  private let isPlain: Bool

  init(_ plan: CellPlan, _ scope: SQLiteReadScope) throws(StoreError) {
    self.cells = zip(plan.cells, plan.starts).map { cell, start in
      CellReader(cell: cell, index: start, store: scope.store, file: scope.sqlite.url)
    }
    var columns: [Column] = []
    do throws(FetchPredicateError) {
      for expression in plan.expressions {
        if let place = plan.cellPlace(of: expression) {
          columns.append(.cell(place))
        } else {
          columns.append(.computed(try PreparedExpression(expression)))
        }
      }
    } catch { throw StoreError.evaluating(error) }
    self.columns = columns
    self.isPlain = columns.enumerated().allSatisfy { number, column in
      if case .cell(number) = column { true } else { false }
    }
  }

  func line(_ row: Statement) throws(StoreError) -> [Value] {
    var cells: [Value] = []
    cells.reserveCapacity(self.cells.count)
    for reader in self.cells { cells.append(try reader.value(row)) }
    if self.isPlain { return cells }
    let subject = LineSubject(cells[...])
    var line: [Value] = []
    line.reserveCapacity(self.columns.count)
    for column in self.columns {
      switch column {
      case .cell(let place): line.append(cells[place])
      case .computed(let expression):
        do { line.append(try expression.value(of: subject)) } catch { throw StoreError.evaluating(error) }
      }
    }
    return line
  }
}
