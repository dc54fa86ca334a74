internal import FederatedModel

/// Functions, arithmetic and conditions.
///
/// SQLite's own operators stand only where they are proved to be the language's: between whole numbers, and
/// what comes of those. All else is answered by the evaluator's code, which every connection registers.
extension PredicateCompiler {
  /// An operand without keys, worked out once.
  func constant(_ expression: BoundExpression) -> SQLOperand? {
    guard expression.isConstant else { return nil }
    do {
      switch try expression.evaluate(PredicateOperand.value(.null)) {
      case .value(.list(let values)): return .list(values)
      case .value(let value): return .constant(value)
      case .subject: return nil
      case .collection(let elements, _):
        var values: [Value] = []
        for element in elements {
          guard case .value(let value) = element else { return nil }
          values.append(value)
        }
        return .list(values)
      }
    } catch {
      // Whoever evaluates it for a row says what is wrong, and says nothing where there is no row.
      return nil
    }
  }

  /// SQLite's functions take a hundred operands.
  private static let mostOperands = 60

  mutating func call(
    _ function: FetchFunction, _ expressions: [BoundExpression], in scope: inout SQLScope
  ) -> SQLOperand? {
    if function == .now { return .constant(.date(self.context.now)) }
    if function.isVolatile || expressions.count > PredicateCompiler.mostOperands { return nil }
    var operands: [SQLOperand] = []
    for expression in expressions {
      guard let operand = self.operand(expression, in: &scope) else { return nil }
      operands.append(operand)
    }
    if function.isStatistic {
      if operands.count == 1, case .collection(let collection) = operands[0] {
        return self.gather(function, over: collection, in: &scope)
      }
      return self.statistic(function, operands)
    }
    return self.call(function, operands)
  }

  func call(_ function: FetchFunction, _ operands: [SQLOperand]) -> SQLOperand? {
    if function == .cast || function == .function {
      guard case .constant(.string(let name)) = operands[1], let first = self.expression(operands[0]) else {
        return nil
      }
      if function == .cast { return self.cast(first, to: name).map { .expression($0) } }
      return self.send(name, to: first, operands.count > 2 ? self.expression(operands[2]) : nil)
        .map { .expression($0) }
    }
    var values: [SQLExpression] = []
    for operand in operands {
      guard let value = self.expression(operand) else { return nil }
      if value.kind == .null { return .constant(.null) }
      values.append(value)
    }
    return self.call(function, values).map { .expression($0) }
  }

  private func call(_ function: FetchFunction, _ values: [SQLExpression]) -> SQLExpression? {
    switch function {
    case .add, .subtract, .multiply, .divide, .modulus, .power:
      return self.calculation(function, values[0], values[1])
    case .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift, .rightShift, .onesComplement:
      guard values.allSatisfy(\.kind.isWhole) else { return nil }
      return self.bits(function, values)
    case .ceiling, .floor, .trunc:
      if values[0].kind == .int { return values[0] }
      return self.number(function, values[0])
    case .abs, .sqrt, .exp, .ln, .log: return self.number(function, values[0])
    case .uppercase, .lowercase, .canonical:
      return values[0].kind.isText ? self.registered(function, values, .text) : nil
    case .length: return values[0].kind.isText ? self.registered(function, values, .int, bits: 64) : nil
    default: return nil
    }
  }

  /// The evaluator's code.
  private func registered(
    _ function: FetchFunction, _ values: [SQLExpression], _ kind: SQLKind, bits: Int = .max,
    mayBeNaN: Bool = false
  ) -> SQLExpression {
    var fragment = SQLFragment("\(ValueFunctions.call)(\(ValueFunctions.code(function, values[0].kind))")
    for value in values { fragment = fragment + ", " + value.fragment }
    return SQLExpression(fragment: fragment + ")", kind: kind, mayBeNaN: mayBeNaN, bits: bits)
  }

  // MARK: Numbers

  private func calculation(_ function: FetchFunction, _ a: SQLExpression, _ b: SQLExpression)
    -> SQLExpression?
  {
    guard a.kind.isNumber, b.kind.isNumber else { return nil }
    if let native = self.native(function, a, b) { return native }
    let kind: SQLKind
    switch (a.kind, b.kind) {
    case (.exact, _), (_, .exact): kind = .exact
    case (.double, _), (_, .double): kind = .double
    default: kind = .number
    }
    let isSafe = kind == .number && function != .power && a.kind.isWhole && b.kind.isWhole
    return self.registered(function, [a, b], kind, mayBeNaN: !isSafe)
  }

  /// SQLite's operator: 64-bit integers that become reals where they overflow, as the language has it, and reals
  /// that stay far from infinity, so that none is NaN.
  private func native(_ function: FetchFunction, _ a: SQLExpression, _ b: SQLExpression) -> SQLExpression? {
    let kinds: [SQLKind] = [.bool, .int, .number]
    guard kinds.contains(a.kind), kinds.contains(b.kind), !a.mayBeNaN, !b.mayBeNaN else { return nil }
    let sign: String
    let bits: Int
    switch function {
    case .add: (sign, bits) = ("+", max(a.bits, b.bits).addingReportingOverflow(1).partialValue)
    case .subtract: (sign, bits) = ("-", max(a.bits, b.bits).addingReportingOverflow(1).partialValue)
    case .multiply: (sign, bits) = ("*", a.bits.addingReportingOverflow(b.bits).partialValue)
    // A whole divisor makes nothing greater; a real one may.
    case .divide where b.kind.isWhole: (sign, bits) = ("/", a.bits)
    case .modulus where a.kind.isWhole && b.kind.isWhole: (sign, bits) = ("%", 64)
    default: return nil
    }
    guard bits > 0, bits <= SQLExpression.longestExactBits, a.bits <= SQLExpression.longestExactBits,
      b.bits <= SQLExpression.longestExactBits
    else { return nil }
    let stays = function == .modulus
    return SQLExpression(
      fragment: "(" + a.fragment + " \(sign) " + b.fragment + ")", kind: stays ? .int : .number, bits: bits)
  }

  private func bits(_ function: FetchFunction, _ values: [SQLExpression]) -> SQLExpression {
    let sign: String
    switch function {
    case .bitwiseAnd: sign = "&"
    case .bitwiseOr: sign = "|"
    default: return self.registered(function, values, .int, bits: 64)
    }
    return SQLExpression(
      fragment: "(" + values[0].fragment + " \(sign) " + values[1].fragment + ")", kind: .int, bits: 64)
  }

  private func number(_ function: FetchFunction, _ value: SQLExpression) -> SQLExpression? {
    guard value.kind.isNumber else { return nil }
    switch function {
    case .abs, .ceiling, .floor, .trunc:
      let kind: SQLKind = value.kind.isWhole ? .number : value.kind
      return self.registered(function, [value], kind, bits: value.bits, mayBeNaN: value.mayBeNaN)
    default: return self.registered(function, [value], .double, mayBeNaN: true)
    }
  }

  /// A statistic over values that are written out.
  private func statistic(_ function: FetchFunction, _ operands: [SQLOperand]) -> SQLOperand? {
    var members = operands
    if operands.count == 1 {
      switch operands[0] {
      case .elements(let elements): members = elements
      case .list(let values): members = values.map { .constant($0) }
      // One value that is nil stands for no values.
      default: return nil
      }
    }
    var values: [SQLExpression] = []
    var kind = SQLKind.null
    for member in members {
      guard let value = self.expression(member), let united = kind.united(with: value.kind) else {
        return nil
      }
      kind = united
      values.append(value)
    }
    let mayBeNaN = values.contains(where: \.mayBeNaN)
    guard !values.isEmpty, values.count <= PredicateCompiler.mostOperands else { return nil }
    values[0].kind = kind
    switch function {
    case .count: return .constant(.int(Int64(values.count)))
    case .min, .max:
      guard kind.isNumber || kind.isText || kind == .date else { return nil }
      return .expression(self.registered(function, values, kind, mayBeNaN: mayBeNaN))
    case .sum, .average, .median:
      guard kind.isNumber else { return nil }
      let result: SQLKind = kind == .exact ? .exact : .number
      return .expression(self.registered(function, values, result, mayBeNaN: !kind.isWhole))
    default: return nil
    }
  }

  // MARK: Conversion

  private func cast(_ value: SQLExpression, to name: String) -> SQLExpression? {
    let kind: SQLKind
    var mayBeNaN = value.mayBeNaN
    switch (name, value.kind) {
    case (_, .null): return .null
    case ("NSDate", .date), ("NSUUID", .uuid), ("NSData", .data), ("NSString", .text), ("NSNumber", .int),
      ("NSNumber", .number), ("NSNumber", .double), ("NSNumber", .exact):
      return value
    case ("NSDate", .int), ("NSDate", .number), ("NSDate", .double), ("NSDate", .exact): kind = .date
    case ("NSNumber", .bool): kind = .int
    case ("NSNumber", .date): kind = .double
    case ("NSNumber", .text): (kind, mayBeNaN) = (.number, true)
    case ("NSString", .bool), ("NSString", .int), ("NSString", .number), ("NSString", .double),
      ("NSString", .uuid), ("NSString", .data), ("NSString", .date):
      (kind, mayBeNaN) = (.text, false)
    case ("NSDecimalNumber", .bool), ("NSDecimalNumber", .int), ("NSDecimalNumber", .number),
      ("NSDecimalNumber", .double), ("NSDecimalNumber", .text):
      (kind, mayBeNaN) = (.exact, true)
    case ("NSUUID", .text): kind = .uuid
    case ("NSData", .text): kind = .data
    case ("NSURL", .text): kind = .uri
    default: return nil
    }
    let type = SQLExpression(fragment: SQLFragment("?", [.text(name)]), kind: .text)
    return self.registered(.cast, [value, type], kind, mayBeNaN: mayBeNaN)
  }

  /// `FUNCTION(receiver, "selector:", …)`.
  private func send(_ name: String, to receiver: SQLExpression, _ operand: SQLExpression?) -> SQLExpression? {
    switch FetchFunction.Selector(rawValue: name) {
    case .length: return self.call(.length, [receiver])
    case .uppercaseString: return self.call(.uppercase, [receiver])
    case .lowercaseString: return self.call(.lowercase, [receiver])
    case .dateByAddingTimeInterval:
      guard let operand, receiver.kind == .date, operand.kind.isNumber else { return nil }
      let selector = SQLExpression(fragment: SQLFragment("?", [.text(name)]), kind: .text)
      return self.registered(.function, [receiver, selector, operand], .date, mayBeNaN: true)
    case nil: return nil
    }
  }

  // MARK: Conditions

  mutating func conditional(
    _ predicate: BoundPredicate, _ first: BoundExpression, _ second: BoundExpression,
    in scope: inout SQLScope
  ) -> SQLOperand? {
    guard let condition = self.condition(predicate, in: &scope),
      let first = self.operand(first, in: &scope), let second = self.operand(second, in: &scope)
    else { return nil }
    switch condition {
    case .always: return first
    case .never: return second
    case .test(let test):
      guard let a = self.expression(first), let b = self.expression(second),
        let kind = a.kind.united(with: b.kind),
        kind != .reference || a.root == b.root || a.kind == .null || b.kind == .null
      else { return nil }
      return .expression(
        SQLExpression(
          fragment: "(CASE WHEN " + test + " THEN " + a.fragment + " ELSE " + b.fragment + " END)",
          kind: kind, mayBeNaN: a.mayBeNaN || b.mayBeNaN, bits: max(a.bits, b.bits), root: a.root ?? b.root))
    }
  }
}

extension BoundExpression {
  /// Whether the operand has one value for all rows, whenever it is asked.
  fileprivate var isConstant: Bool {
    switch self {
    case .constant: true
    case .evaluatedObject, .variable, .path, .subquery, .conditional: false
    case .function(let function, let operands):
      !function.isVolatile && function != .now && operands.allSatisfy(\.isConstant)
    case .aggregate(let elements): elements.allSatisfy(\.isConstant)
    case .setOperation(_, let left, let right): left.isConstant && right.isConstant
    case .index(let base, .at(let place)): base.isConstant && place.isConstant
    case .index(let base, _): base.isConstant
    }
  }
}
