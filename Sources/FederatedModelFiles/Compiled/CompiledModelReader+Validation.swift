import FederatedModel
import Foundation

extension CompiledModelReader {
  /// The predicates that a value must keep.
  ///
  /// The editor's bounds and patterns are compiled to predicates with a number for a warning; they become bounds and
  /// patterns again. Every other predicate becomes a condition.
  mutating func readValidation(
    of attribute: inout AttributeDescription, _ object: ArchivedValue, _ entity: String
  ) throws(ModelFileError) {
    let predicates = try object.field("NSValidationPredicates")?.elements() ?? []
    let warnings = try object.field("NSValidationWarnings")?.elements() ?? []
    for (place, value) in predicates.enumerated() {
      guard let predicate = try self.predicate(value, .invalidValidation, entity, attribute.name) else {
        continue
      }
      var message: String?
      if place < warnings.count, case .string(let text) = try warnings[place].constant() { message = text }
      if message == nil, attribute.takesBounds(of: predicate) { continue }
      guard let condition = predicate.ofValue else {
        self.tell(
          .invalidValidation, entity, attribute.name,
          "The condition \(predicate) (object \(value.number)) asks the value for a key. It is left out.")
        continue
      }
      attribute.validation.conditions.append(
        ValidationCondition(condition, message: message ?? ""))
    }
  }
}

extension AttributeDescription {
  /// Takes a predicate as a bound or a pattern, where it is one.
  fileprivate mutating func takesBounds(of predicate: FetchPredicate) -> Bool {
    var terms = [predicate]
    if case .and(let all) = predicate { terms = all }
    var validation = self.validation
    for term in terms {
      guard case .comparison(let comparison) = term, comparison.modifier == .direct,
        comparison.options.isEmpty,
        case .constant(let constant) = comparison.right
      else { return false }
      let isLength = self.type == .string && comparison.left == .keyPath(["length"])
      let isValue = self.type != .string && comparison.left == .evaluatedObject
      switch (comparison.operator, constant) {
      case (.matches, .string(let pattern))
      where comparison.left == .evaluatedObject && validation.pattern == nil:
        validation.pattern = pattern
      case (.greaterOrEqual, _)
      where self.canBound(constant, isLength: isLength, isValue: isValue) && validation.minimum.isNull:
        validation.minimum = constant
      case (.lessOrEqual, _)
      where self.canBound(constant, isLength: isLength, isValue: isValue) && validation.maximum.isNull:
        validation.maximum = constant
      default: return false
      }
    }
    self.validation = validation
    return true
  }

  /// Whether the constant can stand as a bound in a model file. What cannot stays a condition.
  private func canBound(_ constant: Value, isLength: Bool, isValue: Bool) -> Bool {
    switch constant {
    case .int: isLength || (isValue && self.type != .date)
    case .double(let number): isValue && self.type != .date && number.isFinite
    case .decimal(let number): isValue && self.type != .date && number.isFinite
    case .date: isValue && self.type == .date
    default: false
    }
  }
}

extension FetchPredicate {
  /// The predicate as a condition of an attribute, in which keys are those of the object: the length of a text, which
  /// an archive asks the value for, is a function. Nil when it asks the value for another key.
  fileprivate var ofValue: FetchPredicate? {
    switch self {
    case .constant, .block: return self
    case .not(let negated): return negated.ofValue.map(FetchPredicate.not)
    case .and(let terms): return FetchPredicate.all(terms).map(FetchPredicate.and)
    case .or(let terms): return FetchPredicate.all(terms).map(FetchPredicate.or)
    case .comparison(var comparison):
      guard let left = comparison.left.ofValue, let right = comparison.right.ofValue else { return nil }
      comparison.left = left
      comparison.right = right
      return .comparison(comparison)
    }
  }

  private static func all(_ terms: [FetchPredicate]) -> [FetchPredicate]? {
    let all = terms.compactMap(\.ofValue)
    return all.count == terms.count ? all : nil
  }
}

extension FetchExpression {
  fileprivate var ofValue: FetchExpression? {
    switch self {
    case .constant, .evaluatedObject: return self
    case .keyPath(["length"]): return .function(FetchFunction.length.rawValue, [.evaluatedObject])
    case .function(let name, let operands):
      let all = operands.compactMap(\.ofValue)
      return all.count == operands.count ? .function(name, all) : nil
    case .aggregate(let elements):
      let all = elements.compactMap(\.ofValue)
      return all.count == elements.count ? .aggregate(all) : nil
    default: return nil
    }
  }
}
