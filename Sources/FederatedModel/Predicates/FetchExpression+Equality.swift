import Foundation

/// Operands are equal when they have the same shape and the same constants.
///
/// Three pairs count as one, because their text is one: a boolean constant is the number 1 or 0, a constant
/// list is an aggregate of its values, and one NaN is as good as another.
extension FetchExpression: Hashable {
  public static func == (left: FetchExpression, right: FetchExpression) -> Bool {
    switch (left, right) {
    case (.constant(let a), .constant(let b)): a.isSameConstant(as: b)
    case (.constant(.list(let a)), .aggregate(let b)), (.aggregate(let b), .constant(.list(let a))):
      a.count == b.count && zip(a, b).allSatisfy { FetchExpression.constant($0) == $1 }
    case (.evaluatedObject, .evaluatedObject): true
    case (.variable(let a), .variable(let b)): a == b
    case (.keyPath(let a), .keyPath(let b)): a == b
    case (.path(let a, let keysA), .path(let b, let keysB)): keysA == keysB && a == b
    case (.index(let a, let placeA), .index(let b, let placeB)): placeA == placeB && a == b
    case (.function(let a, let operandsA), .function(let b, let operandsB)): a == b && operandsA == operandsB
    case (.aggregate(let a), .aggregate(let b)): a == b
    case (.subquery(let a, let variableA, let predicateA), .subquery(let b, let variableB, let predicateB)):
      variableA == variableB && a == b && predicateA == predicateB
    case (.conditional(let a, let firstA, let secondA), .conditional(let b, let firstB, let secondB)):
      a == b && firstA == firstB && secondA == secondB
    case (.setOperation(let a, let leftA, let rightA), .setOperation(let b, let leftB, let rightB)):
      a == b && leftA == leftB && rightA == rightB
    default: false
    }
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
  fileprivate func isSameConstant(as other: Value) -> Bool {
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
