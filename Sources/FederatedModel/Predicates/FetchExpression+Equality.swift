import Foundation

/// Operands are equal when they have the same shape and the same constants.
///
/// Three pairs count as one, because their text is one: a boolean constant is the number 1 or 0, a constant
/// list is an aggregate of its values, and one NaN is as good as another.
///
/// Each shape has its own function, so that a level of nesting costs little of the stack.
extension FetchExpression: Hashable {
  public static func == (left: FetchExpression, right: FetchExpression) -> Bool {
    switch left {
    case .constant(let value): value.isConstant(of: right)
    case .evaluatedObject: if case .evaluatedObject = right { true } else { false }
    case .variable(let name): if case .variable(name) = right { true } else { false }
    case .keyPath(let keys): if case .keyPath(keys) = right { true } else { false }
    case .path: left.isSamePath(as: right)
    case .index: left.isSameIndex(as: right)
    case .function: left.isSameCall(as: right)
    case .aggregate(let elements): FetchExpression.areElements(elements, of: right)
    case .subquery: left.isSameSubquery(as: right)
    case .conditional: left.isSameConditional(as: right)
    case .setOperation: left.isSameSetOperation(as: right)
    }
  }

  private func isSamePath(as other: FetchExpression) -> Bool {
    guard case .path(let a, let keysA) = self, case .path(let b, let keysB) = other else { return false }
    return keysA == keysB && a == b
  }

  private func isSameIndex(as other: FetchExpression) -> Bool {
    guard case .index(let a, let placeA) = self, case .index(let b, let placeB) = other else { return false }
    return placeA == placeB && a == b
  }

  private func isSameCall(as other: FetchExpression) -> Bool {
    guard case .function(let a, let operandsA) = self, case .function(let b, let operandsB) = other else {
      return false
    }
    return a == b && operandsA == operandsB
  }

  private static func areElements(_ elements: [FetchExpression], of other: FetchExpression) -> Bool {
    switch other {
    case .aggregate(let others): elements == others
    case .constant(.list(let values)): elements == values.map { .constant($0) }
    default: false
    }
  }

  private func isSameSubquery(as other: FetchExpression) -> Bool {
    guard case .subquery(let a, let variableA, let predicateA) = self,
      case .subquery(let b, let variableB, let predicateB) = other
    else { return false }
    return variableA == variableB && a == b && predicateA == predicateB
  }

  private func isSameConditional(as other: FetchExpression) -> Bool {
    guard case .conditional(let a, let firstA, let secondA) = self,
      case .conditional(let b, let firstB, let secondB) = other
    else { return false }
    return a == b && firstA == firstB && secondA == secondB
  }

  private func isSameSetOperation(as other: FetchExpression) -> Bool {
    guard case .setOperation(let a, let leftA, let rightA) = self,
      case .setOperation(let b, let leftB, let rightB) = other
    else { return false }
    return a == b && leftA == leftB && rightA == rightB
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .constant(let value): value.hashConstant(into: &hasher)
    case .evaluatedObject: hasher.combine(1)
    case .variable(let name):
      hasher.combine(2)
      hasher.combine(name)
    case .keyPath(let keys):
      hasher.combine(3)
      hasher.combine(keys)
    case .path(let base, let keys):
      hasher.combine(4)
      hasher.combine(base)
      hasher.combine(keys)
    case .index(let base, let index):
      hasher.combine(5)
      hasher.combine(base)
      hasher.combine(index)
    case .function(let name, let operands):
      hasher.combine(6)
      hasher.combine(name)
      hasher.combine(operands)
    case .aggregate(let elements):
      hasher.combine(7)
      hasher.combine(elements)
    case .subquery(let source, let variable, let predicate):
      hasher.combine(8)
      hasher.combine(source)
      hasher.combine(variable)
      hasher.combine(predicate)
    case .conditional(let predicate, let first, let second):
      hasher.combine(9)
      hasher.combine(predicate)
      hasher.combine(first)
      hasher.combine(second)
    case .setOperation(let operation, let left, let right):
      hasher.combine(10)
      hasher.combine(operation)
      hasher.combine(left)
      hasher.combine(right)
    }
  }
}

extension Value {
  fileprivate func isConstant(of expression: FetchExpression) -> Bool {
    switch (self, expression) {
    case (_, .constant(let other)): self.isSameConstant(as: other)
    case (.list(let values), .aggregate(let elements)): elements == values.map { .constant($0) }
    default: false
    }
  }

  private func isSameConstant(as other: Value) -> Bool {
    switch (self, other) {
    case (.list(let a), .list(let b)):
      a.count == b.count && zip(a, b).allSatisfy { $0.isSameConstant(as: $1) }
    default: self.asPrinted == other.asPrinted
    }
  }

  fileprivate func hashConstant(into hasher: inout Hasher) {
    switch self {
    case .list(let values):
      // As `aggregate` hashes its elements.
      hasher.combine(7)
      hasher.combine(values.map { FetchExpression.constant($0) })
    default:
      hasher.combine(0)
      hasher.combine(self.asPrinted)
    }
  }

  /// The one value of all that have the same text.
  private var asPrinted: Value {
    switch self {
    case .bool(let bool): .int(bool ? 1 : 0)
    case .double(let double) where double.isNaN: .double(.nan)
    case .date(let date) where date.timeIntervalSinceReferenceDate.isNaN:
      .date(Date(timeIntervalSinceReferenceDate: .nan))
    default: self
    }
  }
}
