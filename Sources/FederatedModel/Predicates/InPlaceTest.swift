import Foundation

/// The part of an ``AttributeTest`` that a row answers from the word or bytes in a slot.
///
/// Kept flat, so that asking it touches no reference count.
struct InPlaceTest: Sendable {
  enum Kind: Sendable {
    case integer, double, decimal, equalBytes, orderedBytes, containedBytes, prefix, suffix
    /// None: the value is taken out and boxed.
    case none
  }

  private(set) var kind = Kind.none
  private(set) var outcomes: ComparisonOutcomes = []
  private(set) var integer: Int64 = 0
  private(set) var double: Double = 0
  private(set) var decimal = PackedDecimal(word: 0)
  private(set) var bytes: [UInt8] = []

  init(_ type: AttributeType, _ rule: AttributeTest.Rule) {
    switch rule {
    case .compare(let constant, let outcomes): self.take(type, constant, outcomes)
    case .text(let test, _, _):
      guard let (kind, pattern, outcomes) = test.inPlace else { return }
      self.kind = kind
      self.bytes = Array(pattern.utf8)
      self.outcomes = outcomes
    case .member, .range: return
    }
  }

  private mutating func take(_ type: AttributeType, _ constant: Value, _ outcomes: ComparisonOutcomes) {
    self.outcomes = outcomes
    switch (type, constant) {
    case (.integer16, .int(let int)), (.integer32, .int(let int)), (.integer64, .int(let int)):
      self.kind = .integer
      self.integer = int
    case (.double, .double(let double)), (.float, .double(let double)):
      self.kind = .double
      self.double = double
    case (.double, .int(let int)), (.float, .int(let int)):
      guard let double = Double(exactly: int) else { return }
      self.kind = .double
      self.double = double
    case (.date, .date(let date)):
      self.kind = .double
      self.double = date.timeIntervalSinceReferenceDate
    case (.decimal, .int), (.decimal, .double), (.decimal, .decimal):
      guard let packed = ExactNumber(constant)?.packed else { return }
      self.kind = .decimal
      self.decimal = packed
    default: return
    }
  }

  func accepts(integer value: Int64) -> Bool {
    self.outcomes.contains(value < self.integer ? .less : value == self.integer ? .equal : .greater)
  }

  func accepts(double value: Double) -> Bool {
    let constant = self.double
    return self.outcomes.contains(
      value < constant ? .less : value == constant ? .equal : value > constant ? .greater : .unordered)
  }

  /// nil when the two are too far apart, or one does not fit into a word.
  func accepts(decimal value: PackedDecimal) -> Bool? {
    value.order(self.decimal).map { self.outcomes.contains(ComparisonOutcomes(order: $0)) }
  }

  func accepts(bytes text: UnsafeRawBufferPointer) -> Bool {
    self.bytes.withUnsafeBytes { pattern in
      switch self.kind {
      case .equalBytes:
        let isEqual = text.count == pattern.count && StringMatching.order(text, pattern) == 0
        return self.outcomes.contains(isEqual ? .equal : .less)
      case .orderedBytes:
        return self.outcomes.contains(ComparisonOutcomes(order: StringMatching.order(text, pattern)))
      case .containedBytes: return StringMatching.contains(text, pattern)
      case .prefix:
        return text.count >= pattern.count
          && StringMatching.order(UnsafeRawBufferPointer(rebasing: text.prefix(pattern.count)), pattern) == 0
      case .suffix:
        return text.count >= pattern.count
          && StringMatching.order(UnsafeRawBufferPointer(rebasing: text.suffix(pattern.count)), pattern) == 0
      case .integer, .double, .decimal, .none: return false
      }
    }
  }
}

extension PackedDecimal {
  /// nil when one of them stands in the arena, or their exponents are far apart.
  func order(_ other: PackedDecimal) -> Int? {
    if self.isInArena || other.isInArena { return nil }
    let difference = Int(self.exponent) - Int(other.exponent)
    guard difference.magnitude <= 18 else { return nil }
    var (a, b) = (Int128(self.mantissa), Int128(other.mantissa))
    if difference > 0 { a *= PackedDecimal.wholePowersOfTen[difference] }
    if difference < 0 { b *= PackedDecimal.wholePowersOfTen[-difference] }
    return a < b ? -1 : a == b ? 0 : 1
  }

  private static let wholePowersOfTen: [Int128] = (0...18).reduce(into: []) { powers, _ in
    powers.append((powers.last ?? 0) == 0 ? 1 : powers[powers.count - 1] * 10)
  }
}

extension ExactNumber {
  /// The number as a packed decimal; nil when it does not fit into a word.
  fileprivate var packed: PackedDecimal? {
    let decimal: Decimal? =
      switch self {
      case .int(let int): Decimal(int)
      case .double(let double): ExactNumber.decimal(of: double)
      case .decimal(let decimal): decimal.isNaN ? nil : decimal
      }
    guard var text = decimal?.description else { return nil }
    return text.withUTF8 { PackedDecimal(text: UnsafeRawBufferPointer($0)) }
  }
}
