/// A whole number of any size that is cheap to add to.
///
/// It is the sum of its limbs times powers of 2^32. Carries are put off: a limb takes 2^30 additions before they are
/// moved on.
struct WideInteger: Sendable, Hashable {
  private(set) var limbs: [Int64] = []
  private var additions = 0

  init() {}

  /// - Parameter limbs: as another number had them after ``normalize()``.
  init(limbs: [Int64]) { self.limbs = limbs }

  private static let mask: UInt64 = 0xFFFF_FFFF

  /// Adds `magnitude * 2^shift`, or takes it away.
  mutating func add(_ magnitude: UInt128, shiftedBy shift: Int = 0, isNegative: Bool) {
    var rest = magnitude
    var carry: UInt64 = 0
    var place = shift >> 5
    let bits = UInt64(shift & 31)
    while rest != 0 || carry != 0 {
      let part = UInt64(truncatingIfNeeded: rest & UInt128(WideInteger.mask)) << bits | carry
      while self.limbs.count <= place { self.limbs.append(0) }
      let limb = Int64(part & WideInteger.mask)
      self.limbs[place] += isNegative ? -limb : limb
      carry = part >> 32
      rest >>= 32
      place += 1
    }
    self.additions += 1
    if self.additions == 1 << 30 { self.normalize() }
  }

  mutating func add(_ other: WideInteger) {
    var other = other
    other.normalize()
    self.normalize()
    while self.limbs.count < other.limbs.count { self.limbs.append(0) }
    for (place, limb) in other.limbs.enumerated() { self.limbs[place] += limb }
    self.additions = 1
  }

  /// - Parameter factor: at most 10^9.
  mutating func multiply(by factor: Int64) {
    self.normalize()
    for place in self.limbs.indices { self.limbs[place] *= factor }
    self.normalize()
  }

  mutating func multiply(byPowerOfTen exponent: Int) {
    var rest = exponent
    while rest >= 9 {
      self.multiply(by: 1_000_000_000)
      rest -= 9
    }
    for _ in 0..<rest { self.multiply(by: 10) }
  }

  /// Moves all carries on. Afterwards equal numbers have equal limbs: all from 0 up, but for the last of a negative
  /// number.
  mutating func normalize() {
    var carry: Int64 = 0
    for place in self.limbs.indices {
      let limb = self.limbs[place] + carry
      self.limbs[place] = limb & Int64(WideInteger.mask)
      carry = limb >> 32
    }
    if carry != 0 { self.limbs.append(carry) }
    while let last = self.limbs.last, last == 0 || last == -1, last == 0 || self.limbs.count > 1 {
      self.limbs.removeLast()
      if last == -1 { self.limbs[self.limbs.count - 1] -= 1 << 32 }
    }
    self.additions = 0
  }

  /// Sign and magnitude, the lowest limb first; no limbs for zero.
  var parts: (isNegative: Bool, magnitude: [UInt32]) {
    var number = self
    number.normalize()
    let isNegative = (number.limbs.last ?? 0) < 0
    if isNegative {
      for place in number.limbs.indices { number.limbs[place] = -number.limbs[place] }
      number.normalize()
    }
    return (isNegative, number.limbs.map { UInt32(truncatingIfNeeded: $0) })
  }

  /// The double nearest to the number times `2^exponent`, to the even one between two.
  func double(exponent: Int) -> Double {
    let (isNegative, limbs) = self.parts
    guard let top = limbs.last else { return 0 }
    let length = limbs.count * 32 - top.leadingZeroBitCount
    let dropped = max(0, length - 64)
    var leading: UInt64 = 0
    var isInexact = false
    for (place, limb) in limbs.enumerated() {
      let shift = place * 32 - dropped
      if shift <= -32 {
        isInexact = isInexact || limb != 0
      } else if shift < 0 {
        leading |= UInt64(limb) >> UInt64(-shift)
        isInexact = isInexact || limb & (1 << UInt32(-shift) - 1) != 0
      } else {
        leading |= UInt64(limb) << UInt64(shift)
      }
    }
    // A double has 53 of these 64 bits, so the last of them can stand for all that is dropped.
    if isInexact { leading |= 1 }
    let double = Double(sign: .plus, exponent: exponent + dropped, significand: Double(leading))
    return isNegative ? -double : double
  }

  /// The decimal digits of the magnitude.
  var digits: (isNegative: Bool, text: String) {
    var (isNegative, limbs) = self.parts
    var groups: [String] = []
    while !limbs.isEmpty {
      var remainder: UInt64 = 0
      for place in limbs.indices.reversed() {
        let dividend = remainder << 32 | UInt64(limbs[place])
        limbs[place] = UInt32(dividend / 1_000_000_000)
        remainder = dividend % 1_000_000_000
      }
      while limbs.last == 0 { limbs.removeLast() }
      let text = String(remainder)
      groups.append(limbs.isEmpty ? text : String(repeating: "0", count: 9 - text.utf8.count) + text)
    }
    if groups.isEmpty { isNegative = false }
    return (isNegative, groups.isEmpty ? "0" : groups.reversed().joined())
  }
}
