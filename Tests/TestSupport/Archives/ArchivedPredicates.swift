import FederatedModel
import Foundation

/// Predicates, expressions and constants as the original framework archives them.
extension ArchiveBuilder {
  private static func names(_ name: String, _ ancestor: String) -> [String] { [name, ancestor] }
  private func reference(_ number: Int) -> Any { Self.reference(number) }

  func predicate(_ predicate: FetchPredicate) -> Int {
    switch predicate {
    case .constant(let answer):
      return self.record([answer ? "NSTruePredicate" : "NSFalsePredicate", "NSPredicate"], [:])
    case .comparison(let comparison): return self.comparison(comparison)
    case .and(let terms): return self.compound(1, terms)
    case .or(let terms): return self.compound(2, terms)
    case .not(let negated): return self.compound(0, [negated])
    case .block: return self.record(["NSBlockPredicate", "NSPredicate"], [:])
    }
  }

  private func compound(_ type: Int, _ terms: [FetchPredicate]) -> Int {
    let members = self.array(terms.map { self.predicate($0) })
    return self.record(
      ["NSCompoundPredicate", "NSPredicate"],
      ["NSCompoundPredicateType": type, "NSSubpredicates": self.reference(members)])
  }

  private static let operators: [FetchPredicate.Operator: (number: Int, name: String)] = [
    .less: (0, "Comparison"), .lessOrEqual: (1, "Comparison"), .greater: (2, "Comparison"),
    .greaterOrEqual: (3, "Comparison"), .equal: (4, "Equality"), .notEqual: (5, "Equality"),
    .matches: (6, "Matching"), .like: (7, "Like"), .beginsWith: (8, "Substring"), .endsWith: (9, "Substring"),
    .in: (10, "In"), .contains: (99, "In"), .between: (100, "Between"),
  ]

  private func comparison(_ comparison: FetchPredicate.Comparison) -> Int {
    let found = Self.operators[comparison.operator]!
    let isText = ["In", "Matching", "Like", "Substring"].contains(found.name)
    var fields: [String: Any] = [
      "NSOperatorType": found.number,
      "NSModifier": ["": 0, "ALL": 1, "ANY": 2][comparison.modifier.rawValue]!,
      isText ? "NSFlags" : "NSOptions": Int(comparison.options.rawValue),
    ]
    if found.name == "Equality" { fields["NSNegate"] = comparison.operator == .notEqual }
    let kind = self.record(["NS\(found.name)PredicateOperator", "NSPredicateOperator"], fields)
    return self.record(
      ["NSComparisonPredicate", "NSPredicate"],
      [
        "NSPredicateOperator": self.reference(kind),
        "NSLeftExpression": self.reference(self.expression(comparison.left)),
        "NSRightExpression": self.reference(self.expression(comparison.right)),
      ])
  }

  func expression(_ expression: FetchExpression) -> Int {
    switch expression {
    case .constant(let value):
      return self.expression("ConstantValue", ["NSConstantValue": self.reference(self.constant(value))])
    case .evaluatedObject: return self.expression("Self", [:])
    case .variable(let name):
      return self.expression("Variable", ["NSVariable": self.reference(self.text(name))])
    case .keyPath(let keys): return self.path(.evaluatedObject, keys)
    case .path(let base, let keys): return self.path(base, keys)
    case .function(FetchFunction.function.rawValue, let operands):
      guard case .constant(.string(let selector)) = operands[1] else {
        preconditionFailure("a selector is a text")
      }
      return self.call(selector, on: self.expression(operands[0]), Array(operands[2...]))
    case .function(let name, let operands):
      let selector = name.contains(":") || operands.isEmpty ? name : name + ":"
      return self.call(selector, on: self.functions, operands)
    case .index(let collection, let index):
      let place: Int
      switch index {
      case .at(let expression): place = self.expression(expression)
      case .first: place = self.expression("Symbolic", ["NSToken": self.reference(self.text("first"))])
      case .last: place = self.expression("Symbolic", ["NSToken": self.reference(self.text("last"))])
      case .size: place = self.expression("Symbolic", ["NSToken": self.reference(self.text("size"))])
      }
      return self.call(
        "objectFrom:withIndex:", on: self.functions, numbers: [self.expression(collection), place])
    case .aggregate(let elements):
      let members = self.array(elements.map { self.expression($0) })
      return self.expression("Aggregate", ["NSCollection": self.reference(members)])
    case .subquery(let collection, let variable, let predicate):
      return self.expression(
        "Subquery",
        [
          "NSCollection": self.reference(self.expression(collection)),
          "NSVariable": self.reference(self.text(variable)),
          "NSPredicate": self.reference(self.predicate(predicate)),
        ])
    case .conditional(let predicate, let first, let second):
      return self.expression(
        "Ternary",
        [
          "NSPredicate": self.reference(self.predicate(predicate)),
          "NSTrueExpression": self.reference(self.expression(first)),
          "NSFalseExpression": self.reference(self.expression(second)),
        ])
    case .setOperation(let operation, let left, let right):
      return self.expression(
        "\(operation.rawValue.capitalized)Set",
        [
          "NSLeftExpression": self.reference(self.expression(left)),
          "NSRightExpression": self.reference(self.expression(right)),
        ])
    }
  }

  private func expression(_ name: String, _ fields: [String: Any]) -> Int {
    self.record(["NS\(name)Expression", "NSExpression"], fields)
  }

  private var functions: Int {
    self.expression(
      "ConstantValue", ["NSConstantValueClassName": self.reference(self.text("_NSPredicateUtilities"))])
  }

  private func call(_ selector: String, on operand: Int, _ arguments: [FetchExpression]) -> Int {
    self.call(selector, on: operand, numbers: arguments.map { self.expression($0) })
  }

  private func call(_ selector: String, on operand: Int, numbers: [Int]) -> Int {
    self.expression(
      "Function",
      [
        "NSSelectorName": self.reference(self.text(selector)), "NSOperand": self.reference(operand),
        "NSArguments": self.reference(self.array(numbers)), "NSExpressionType": 4,
      ])
  }

  private func path(_ base: FetchExpression, _ keys: [String]) -> Int {
    let path = self.text(keys.joined(separator: "."))
    let specifier = self.expression(
      "KeyPathSpecifier", ["NSKeyPath": self.reference(path), "NSExpressionType": 10])
    let selector = keys.count == 1 ? "valueForKey:" : "valueForKeyPath:"
    return self.record(
      ["NSKeyPathExpression", "NSFunctionExpression", "NSExpression"],
      [
        "NSOperand": self.reference(self.expression(base)),
        "NSSelectorName": self.reference(self.text(selector)),
        "NSArguments": self.reference(self.array([specifier])), "NSExpressionType": 3,
      ])
  }

  /// A value as a default, or as a constant of a predicate.
  func constant(_ value: Value) -> Int {
    switch value {
    case .null: return 0
    case .bool(let flag): return self.add(flag)
    case .int(let number): return self.add(number)
    case .double(let number): return self.add(number)
    case .decimal(let decimal): return self.decimal(decimal)
    case .string(let text): return self.text(text)
    case .date(let date): return self.record(["NSDate"], ["NS.time": date.timeIntervalSinceReferenceDate])
    case .data(let data): return self.record(["NSMutableData", "NSData"], ["NS.data": data])
    case .uuid(let uuid):
      let bytes = withUnsafeBytes(of: uuid.uuid) { Data($0) }
      return self.record(["NSUUID"], ["NS.uuidbytes": bytes])
    case .uri(let text):
      return self.record(
        ["NSURL"], ["NS.base": self.reference(0), "NS.relative": self.reference(self.text(text))])
    case .list(let values): return self.array(values.map { self.constant($0) })
    case .object: preconditionFailure("no archive holds the identifier of an object")
    }
  }

  private func decimal(_ decimal: Decimal) -> Int {
    var mantissa = decimal.significand
    var words: [UInt8] = []
    for _ in 0..<8 {
      var (quotient, whole) = (mantissa / 65536, Decimal())
      NSDecimalRound(&whole, &quotient, 0, .down)
      let word = NSDecimalNumber(decimal: mantissa - whole * 65536).uint16Value
      words += [UInt8(word & 0xFF), UInt8(word >> 8)]
      mantissa = whole
    }
    return self.record(
      ["NSDecimalNumber", "NSNumber", "NSValue"],
      [
        "NS.exponent": decimal.exponent, "NS.negative": decimal.isSignMinus, "NS.length": 8,
        "NS.mantissa": Data(words), "NS.mantissa.bo": 1, "NS.compact": true,
      ])
  }
}
