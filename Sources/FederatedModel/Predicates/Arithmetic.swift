import Foundation

/// Calculation with values.
///
/// nil in, nil out. Integers stay integers, truncate in division and become doubles where they would overflow;
/// a decimal with an integer or decimal stays a decimal; any double makes a double. Division by zero is nil, and so
/// is a power of zero below 0.
/// Nothing traps.
enum Arithmetic {
  static func calculate(
    _ function: FetchFunction, _ left: Value, _ right: Value
  ) throws(FetchPredicateError) -> Value {
    let (left, right) = (try self.number(left, function), try self.number(right, function))
    switch (left, right) {
    case (.null, _), (_, .null): return .null
    case (.int(let a), .int(let b)): return self.integers(function, a, b)
    case (.double, _), (_, .double): return self.doubles(function, self.double(left), self.double(right))
    default: return self.decimals(function, self.decimal(left), self.decimal(right))
    }
  }

  /// A number or nil; a boolean as 1 or 0.
  static func number(_ value: Value, _ function: FetchFunction) throws(FetchPredicateError) -> Value {
    switch value {
    case .null, .int, .double, .decimal: return value
    case .bool(let bool): return .int(bool ? 1 : 0)
    default:
      throw FetchPredicateError(
        .predicateTypeMismatch, subject: function.infix ?? function.rawValue,
        "takes numbers, not \(value.kindName)")
    }
  }

  static func double(_ number: Value) -> Double {
    switch number {
    case .int(let int): Double(int)
    case .double(let double): double
    case .decimal(let decimal): decimal.nearestDouble
    default: .nan
    }
  }

  private static func decimal(_ number: Value) -> Decimal {
    switch number {
    case .int(let int): Decimal(int)
    case .decimal(let decimal): decimal
    default: .nan
    }
  }

  private static func integers(_ function: FetchFunction, _ a: Int64, _ b: Int64) -> Value {
    switch function {
    case .add: return self.checked(a.addingReportingOverflow(b), else: Double(a) + Double(b))
    case .subtract: return self.checked(a.subtractingReportingOverflow(b), else: Double(a) - Double(b))
    case .multiply: return self.checked(a.multipliedReportingOverflow(by: b), else: Double(a) * Double(b))
    case .divide:
      return b == 0 ? .null : self.checked(a.dividedReportingOverflow(by: b), else: Double(a) / Double(b))
    case .modulus: return b == 0 ? .null : .int(a.remainderReportingOverflow(dividingBy: b).partialValue)
    default: return self.power(a, b)
    }
  }

  private static func checked(
    _ result: (partialValue: Int64, overflow: Bool), else promoted: Double
  ) -> Value {
    result.overflow ? .double(promoted) : .int(result.partialValue)
  }

  private static func power(_ base: Int64, _ exponent: Int64) -> Value {
    guard exponent >= 0 else { return self.doubles(.power, Double(base), Double(exponent)) }
    var (result, square, rest) = (Int64(1), base, exponent)
    while rest > 0 {
      if rest & 1 == 1 {
        let product = result.multipliedReportingOverflow(by: square)
        if product.overflow { return .double(pow(Double(base), Double(exponent))) }
        result = product.partialValue
      }
      rest >>= 1
      if rest == 0 { break }
      let next = square.multipliedReportingOverflow(by: square)
      if next.overflow { return .double(pow(Double(base), Double(exponent))) }
      square = next.partialValue
    }
    return .int(result)
  }

  private static func doubles(_ function: FetchFunction, _ a: Double, _ b: Double) -> Value {
    switch function {
    case .add: .double(a + b)
    case .subtract: .double(a - b)
    case .multiply: .double(a * b)
    case .divide: b == 0 ? .null : .double(a / b)
    case .modulus: b == 0 ? .null : .double(a.truncatingRemainder(dividingBy: b))
    // What divides by zero; the sign of that zero, which SQLite does not keep, must not tell.
    case .power where a == 0 && b < 0: .null
    default: .double(pow(a, b))
    }
  }

  private static func decimals(_ function: FetchFunction, _ a: Decimal, _ b: Decimal) -> Value {
    let result: Decimal
    switch function {
    case .add: result = a + b
    case .subtract: result = a - b
    case .multiply: result = self.product(a, b)
    case .divide:
      if b == 0 { return .null }
      result = a / b
    case .modulus:
      if b == 0 { return .null }
      result = a - (a / b).truncated * b
    default:
      guard b == b.truncated, b >= 0, b < 128 else {
        return self.doubles(function, self.double(.decimal(a)), self.double(.decimal(b)))
      }
      result = self.power(a, NSDecimalNumber(decimal: b).intValue)
    }
    // A decimal that overflows is promoted, as integers are.
    if result.isNaN, !a.isNaN, !b.isNaN {
      return self.doubles(function, self.double(.decimal(a)), self.double(.decimal(b)))
    }
    return .decimal(result)
  }

  /// NaN where the product leaves what a decimal holds. Foundation traps where its exponent is too small.
  private static func product(_ a: Decimal, _ b: Decimal) -> Decimal {
    a.exponent + b.exponent < -128 ? .nan : a * b
  }

  private static func power(_ base: Decimal, _ exponent: Int) -> Decimal {
    var (result, square, rest) = (Decimal(1), base, exponent)
    while rest > 0 {
      if rest & 1 == 1 { result = self.product(result, square) }
      rest >>= 1
      if rest > 0 { square = self.product(square, square) }
      if result.isNaN || square.isNaN { return .nan }
    }
    return result
  }
}

extension Decimal {
  func rounded(_ mode: Decimal.RoundingMode) -> Decimal {
    var (source, result) = (self, Decimal())
    NSDecimalRound(&result, &source, 0, mode)
    return result
  }

  /// Without what stands behind the point.
  var truncated: Decimal { self.rounded(self < 0 ? .up : .down) }
}
