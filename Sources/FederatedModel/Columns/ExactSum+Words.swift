/// A sum on its way through an engine that knows numbers and bytes only.
extension ExactSum {
  /// Everything that was gathered, as whole numbers.
  package var words: [Int64] {
    var flags: Int64 = 0
    if self.doubles != nil { flags |= 1 }
    if self.infinities.hasPositive { flags |= 2 }
    if self.infinities.hasNegative { flags |= 4 }
    if self.decimals != nil { flags |= 8 }
    var words = [
      Int64(self.count), Int64(truncatingIfNeeded: self.whole), Int64(truncatingIfNeeded: self.whole >> 64),
      flags,
    ]
    if var doubles = self.doubles {
      doubles.normalize()
      words.append(Int64(doubles.limbs.count))
      words += doubles.limbs
    }
    if let decimals = self.decimals {
      var total = decimals.total
      total.normalize()
      words.append(Int64(decimals.unit))
      words += total.limbs
    }
    return words
  }

  /// - Parameter words: as ``words`` gave them; none are the sum of nothing.
  package init(words: [Int64]) {
    guard words.count >= 4 else {
      self.init()
      return
    }
    let flags = words[3]
    var rest = words[4...]
    var doubles: WideInteger?
    if flags & 1 != 0, let count = rest.popFirst() {
      doubles = WideInteger(limbs: Array(rest.prefix(Int(count))))
      rest = rest.dropFirst(Int(count))
    }
    var decimals: ExactDecimal?
    if flags & 8 != 0, let unit = rest.popFirst() {
      decimals = ExactDecimal(unit: Int(unit), total: WideInteger(limbs: Array(rest)))
    }
    self.init(
      count: Int(words[0]),
      whole: Int128(words[2]) << 64 | Int128(UInt64(bitPattern: words[1])),
      doubles: doubles, decimals: decimals,
      infinities: Infinities(hasPositive: flags & 2 != 0, hasNegative: flags & 4 != 0))
  }
}
