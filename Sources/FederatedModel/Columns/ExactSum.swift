public import Foundation

/// A sum that is exact until it is read, so that neither the order of its terms nor where they were added matters.
///
/// Doubles are added bit for bit, decimals digit for digit, whole numbers without overflow; the one rounding comes at
/// the end. Sums of several stores are added together.
public struct ExactSum: Sendable, Hashable {
  /// How many numbers were added.
  public private(set) var count = 0
  var whole: Int128 = 0
  /// In units of 2^-1074, the least double; nil when no double was added.
  var doubles: WideInteger?
  var decimals: ExactDecimal?
  /// Infinities that were added, of each sign.
  var infinities = Infinities()

  struct Infinities: Hashable, Sendable {
    var hasPositive = false
    var hasNegative = false
    var isEmpty: Bool { !self.hasPositive && !self.hasNegative }
    var sum: Double { self.hasPositive ? (self.hasNegative ? .nan : .infinity) : -.infinity }
  }

  public init() {}

  init(
    count: Int, whole: Int128, doubles: WideInteger?, decimals: ExactDecimal?, infinities: Infinities
  ) {
    self.count = count
    self.whole = whole
    self.doubles = doubles
    self.decimals = decimals
    self.infinities = infinities
  }

  /// Adds a number; nil and NaN are passed over.
  /// - Throws: `predicateTypeMismatch` for a value that is no number.
  public mutating func add(_ value: Value) throws(FetchPredicateError) {
    switch value {
    case .null: return
    case .bool(let bool): self.add(Int64(bool ? 1 : 0))
    case .int(let int): self.add(int)
    case .double(let double): self.add(double)
    case .decimal(let decimal): self.add(decimal)
    default:
      throw FetchPredicateError(
        .predicateTypeMismatch, subject: "sum", "adds numbers, not \(value.kindName): \(value)")
    }
  }

  public mutating func add(_ int: Int64) {
    self.count += 1
    self.whole += Int128(int)
  }

  /// Adds the sum of `count` whole numbers.
  public mutating func add(_ sum: Int128, count: Int) {
    self.count += count
    self.whole += sum
  }

  public mutating func add(_ double: Double) {
    if double.isNaN { return }
    self.count += 1
    if self.doubles == nil { self.doubles = WideInteger() }
    guard double.isFinite else {
      if double > 0 { self.infinities.hasPositive = true } else { self.infinities.hasNegative = true }
      return
    }
    let bits = double.significandBitPattern
    // The exponents of subnormal numbers and of the least normal ones are the same.
    let exponent = Int(double.exponentBitPattern)
    let significand = exponent == 0 ? bits : bits | 1 << 52
    if significand == 0 { return }
    self.doubles?.add(UInt128(significand), shiftedBy: max(0, exponent - 1), isNegative: double < 0)
  }

  public mutating func add(_ decimal: Decimal) {
    guard let parts = ExactDecimal.parts(of: decimal) else { return }
    self.add(parts.mantissa, exponent: parts.exponent, isNegative: parts.isNegative)
  }

  /// Adds the decimal `mantissa * 10^exponent`.
  package mutating func add(_ mantissa: UInt128, exponent: Int, isNegative: Bool) {
    self.count += 1
    if self.decimals == nil { self.decimals = ExactDecimal(unit: exponent) }
    self.decimals?.add(mantissa, exponent: exponent, isNegative: isNegative)
  }

  /// The sum of so many times the same terms.
  func multiplied(by factor: Int) -> ExactSum {
    var (product, doubling, rest) = (ExactSum(), self, factor)
    while rest > 0 {
      if rest & 1 == 1 { product.add(doubling) }
      rest >>= 1
      if rest > 0 { doubling.add(doubling) }
    }
    return product
  }

  /// Adds what another sum gathered.
  public mutating func add(_ other: ExactSum) {
    self.count += other.count
    self.whole += other.whole
    if let doubles = other.doubles {
      if self.doubles == nil { self.doubles = doubles } else { self.doubles?.add(doubles) }
    }
    if let decimals = other.decimals {
      if self.decimals == nil { self.decimals = decimals } else { self.decimals?.add(decimals) }
    }
    self.infinities.hasPositive = self.infinities.hasPositive || other.infinities.hasPositive
    self.infinities.hasNegative = self.infinities.hasNegative || other.infinities.hasNegative
  }
}

extension ExactSum {
  /// The sum, rounded once: whole numbers that leave 64 bits and decimals beyond all decimals become doubles, any
  /// double makes a double.
  /// - Parameter zero: the sum of nothing.
  package func sum(orNothing zero: Value) -> Value {
    if self.count == 0 { return zero }
    if let total = self.total {
      return .double(self.infinities.isEmpty ? total.double(exponent: -1074) : self.infinities.sum)
    }
    if var decimals = self.decimals {
      decimals.add(self.whole.magnitude, exponent: 0, isNegative: self.whole < 0)
      return decimals.value
    }
    return Int64(exactly: self.whole).map { .int($0) } ?? .double(Double(self.whole))
  }

  /// The sum divided by the number of terms; nil over nothing. Decimals stay decimals, others become doubles.
  package func average() throws(FetchPredicateError) -> Value {
    if self.count == 0 { return .null }
    if let total = self.total {
      if !self.infinities.isEmpty { return .double(self.infinities.sum) }
      let average = total.double(exponent: -1074) / Double(self.count)
      // The sum may lie beyond all doubles and its average not.
      return .double(
        average.isFinite ? average : total.double(exponent: -1074 - 64) / Double(self.count) * 0x1p64)
    }
    if self.decimals != nil {
      return try Arithmetic.calculate(.divide, self.sum(orNothing: .null), .int(Int64(self.count)))
    }
    return .double(Double(self.whole) / Double(self.count))
  }

  /// Everything in units of 2^-1074; nil without doubles.
  private var total: WideInteger? {
    guard var total = self.doubles else { return nil }
    total.add(self.whole.magnitude, shiftedBy: 1074, isNegative: self.whole < 0)
    if let decimals = self.decimals {
      var rounded = ExactSum()
      rounded.add(Arithmetic.double(decimals.value))
      if let double = rounded.doubles { total.add(double) }
    }
    return total
  }
}
