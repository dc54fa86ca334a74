internal import FederatedModel
internal import FederatedStore

/// What a query for columns or groups selects, and what is computed of it afterwards.
///
/// Whatever of an expression stands in a cell is selected, paths through to-ones by joins; the rest of the expression
/// is computed over the cells by the evaluator of memory.
struct CellPlan: Hashable, Sendable {
  private(set) var cells: [SelectedCell] = []
  /// One for each expression of the query's shape, over lines of the cells.
  private(set) var expressions: [BoundExpression] = []
  /// Where each cell begins in the select list.
  private(set) var starts: [Int32] = []
  /// The statement's groups; nil when it answers rows.
  private(set) var grouping: CellGrouping?

  /// The select list; columns that are constants need nothing of a row, and a list cannot be empty.
  var text: String {
    let texts = self.grouping?.texts ?? self.cells.flatMap(\.texts)
    return texts.isEmpty ? "NULL" : texts.joined(separator: ", ")
  }

  /// - Returns: nil when an expression needs more of a row than cells.
  init?(
    _ shape: StoreQuery.Shape, _ entity: EntityID, _ compiler: inout PredicateCompiler,
    _ scope: inout SQLScope
  ) {
    for expression in shape.expressions {
      var isComplete = true
      let lifted = expression.replacing { part in
        let steps: [BoundStep]
        switch part {
        case .evaluatedObject: steps = []
        case .path(.evaluatedObject, let path): steps = path
        default: return nil
        }
        guard isComplete,
          let (cell, rest) = compiler.cell(steps[...], from: entity, alias: scope.alias, in: &scope)
        else {
          isComplete = false
          return part
        }
        return .path(.evaluatedObject, [.attribute(.column(self.place(of: cell)))] + rest)
      }
      guard isComplete else { return nil }
      self.expressions.append(lifted)
    }
    if case .groups(let grouping) = shape { self.grouping = CellGrouping(grouping, of: self) }
  }

  /// The same without groups in the statement.
  var ungrouped: CellPlan {
    var plan = self
    plan.grouping = nil
    return plan
  }

  private mutating func place(of cell: SelectedCell) -> Int {
    if let known = self.cells.firstIndex(of: cell) { return known }
    self.starts.append(Int32(self.cells.reduce(0) { $0 + $1.texts.count }))
    self.cells.append(cell)
    return self.cells.count - 1
  }

  /// The cell that an expression is; nil for computed ones.
  func cell(of expression: BoundExpression) -> SelectedCell? {
    self.cellPlace(of: expression).map { self.cells[$0] }
  }

  func cellPlace(of expression: BoundExpression) -> Int? {
    guard case .path(.evaluatedObject, let steps) = expression, steps.count == 1,
      case .attribute(let attribute) = steps[0], attribute.isColumn
    else { return nil }
    return attribute.slot
  }
}
