internal import FederatedModel

/// What an operand of a comparison is in SQL.
enum SQLOperand {
  case constant(Value)
  case list([Value])
  case column(ColumnOperand)
  /// A value that SQL computes.
  case expression(SQLExpression)
  /// A row that a path or variable stands at: an object.
  case row(SQLRow)
  /// A list whose elements are not all constant.
  case elements([SQLOperand])
  /// Rows of a to-many path and the steps that are left behind it.
  case collection(SQLCollection)
}

/// A to-many path: from a row of an enclosing scope to many rows, each with the rest of the path.
struct SQLCollection {
  /// The row that has the to-many.
  let owner: SQLRow
  let relationship: BoundRelationship
  var rest: [SQLStage] = []
}

/// One stage of the way from the rows of a to-many to the elements of a collection.
enum SQLStage {
  case step(BoundStep)
  /// `SUBQUERY`: the elements for which a predicate over a variable holds.
  case filter(variable: String, BoundPredicate)
}
