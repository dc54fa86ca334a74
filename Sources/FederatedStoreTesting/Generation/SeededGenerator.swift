/// Random numbers that are the same for the same seed, on every machine.
public struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  public init(seed: UInt64) { self.state = seed }

  public mutating func next() -> UInt64 {
    self.state &+= 0x9e37_79b9_7f4a_7c15
    var word = self.state
    word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
    return word ^ (word >> 31)
  }

  /// One of the elements, which are not none.
  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int(self.next() % UInt64(elements.count))]
  }

  mutating func below(_ bound: Int) -> Int { Int(self.next() % UInt64(bound)) }

  /// True once in `chances` times on average.
  mutating func once(in chances: Int) -> Bool { self.below(chances) == 0 }
}
