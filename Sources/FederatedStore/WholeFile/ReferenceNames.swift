/// Names of rows that are no numbers, and the references that stand for them.
///
/// The reference is derived from the name's bytes, so it is the same whenever and in whatever order the names
/// are met. It lies at 2^62 and above, out of the way of numbered rows.
public struct ReferenceNames: Sendable {
  private var nameByReference: [Int64: String] = [:]

  /// The first reference of an opaque name.
  public static let firstOpaque: Int64 = 1 << 62

  public init() {}

  /// The number that a text writes in its only canonical way: digits without leading zero, below 2^62.
  public static func number(_ text: some StringProtocol) -> Int64? {
    guard let number = Int64(text), number >= 0, number < self.firstOpaque else { return nil }
    return text.utf8.elementsEqual(String(number).utf8) ? number : nil
  }

  /// The reference of an opaque name, new or met before.
  public mutating func intern(_ name: String) -> Int64 {
    let (reference, isKnown) = self.probe(name)
    if !isKnown { self.nameByReference[reference] = name }
    return reference
  }

  /// The reference of an opaque name met before.
  public func reference(of name: String) -> Int64? {
    let (reference, isKnown) = self.probe(name)
    return isKnown ? reference : nil
  }

  /// The reference that a name has, or would get if it were met now. Nothing is remembered.
  package func prospectiveReference(of bytes: UnsafeRawBufferPointer) -> Int64 {
    var salt: UInt64 = 0
    while true {
      let reference = ReferenceNames.digest(bytes, salt: salt)
      if self.nameByReference.isEmpty { return reference }
      guard let known = self.nameByReference[reference] else { return reference }
      if known.utf8.elementsEqual(bytes) { return reference }
      salt += 1
    }
  }

  /// Takes over the names of others.
  mutating func add(_ other: ReferenceNames) {
    if other.nameByReference.isEmpty { return }
    self.nameByReference.merge(other.nameByReference) { known, _ in known }
  }

  /// The opaque name that a reference stands for.
  public subscript(reference: Int64) -> String? { self.nameByReference[reference] }

  /// Two names with one digest are told apart by salting the later one.
  private func probe(_ name: String) -> (reference: Int64, isKnown: Bool) {
    var salt: UInt64 = 0
    while true {
      let reference = ReferenceNames.digest(name.utf8, salt: salt)
      guard let known = self.nameByReference[reference] else { return (reference, false) }
      if known.utf8.elementsEqual(name.utf8) { return (reference, true) }
      salt += 1
    }
  }

  @inline(__always) private static func digest(_ name: some Sequence<UInt8>, salt: UInt64) -> Int64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ salt
    for byte in name { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    hash = mixed(hash)
    return Int64(hash >> 2) | self.firstOpaque
  }
}

/// Spreads the bits of a word over the whole word.
@inline(__always) func mixed(_ word: UInt64) -> UInt64 {
  var word = word
  word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
  word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
  return word ^ (word >> 31)
}
