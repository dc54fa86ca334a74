/// Numbers that are the same in every run: SplitMix64.
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { self.state = seed }

  mutating func next() -> UInt64 {
    self.state &+= 0x9E37_79B9_7F4A_7C15
    var word = self.state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  /// A number of `range`; its few parts in 2^32 of bias do not matter here.
  mutating func number(in range: Range<Int>) -> Int {
    let span = UInt64(range.upperBound - range.lowerBound)
    return range.lowerBound + Int(((self.next() >> 32) &* span) >> 32)
  }
}
