package import FederatedModel
internal import Foundation

/// A sample of the distinct values of a column, of bounded size, that can be compared with that of another column.
///
/// What is kept are the values with the smallest hashes. Two columns keep the same ones of what they share, so that the
/// part of one column's values that occur in the other can be told without either column; up to the size of the sample
/// it is exact. The hash is the same in every process.
package struct KeySketch: Sendable {
  /// How often each value of the sample occurs.
  private var counts: [UInt64: Int] = [:]
  /// Values with greater hashes are not in the sample.
  private var threshold = UInt64.max
  private let size: Int

  package init(size: Int = 2048) { self.size = size }

  /// Adds a value. Texts that spell a whole number or a UUID are taken as what they spell.
  package mutating func add(_ value: Value) {
    guard let hash = Self.hash(value), hash <= self.threshold else { return }
    self.counts[hash, default: 0] += 1
    if self.counts.count > 2 * self.size { self.prune() }
  }

  private mutating func prune() {
    let kept = self.counts.keys.sorted().prefix(self.size)
    self.threshold = kept.last ?? 0
    self.counts = self.counts.filter { $0.key <= self.threshold }
  }

  /// Whether every distinct value is in the sample.
  package var isWhole: Bool { self.threshold == .max }
  /// The distinct values of the sample.
  package var distinct: Int { self.counts.count }
  /// Whether no value of the sample occurs twice.
  package var isUnique: Bool { self.counts.values.allSatisfy { $0 == 1 } }

  /// The part of the distinct values that occur in another column, from 0 to 1; nil when nothing can be told.
  package func part(in other: KeySketch) -> Double? {
    let limit = min(self.threshold, other.threshold)
    let comparable = self.counts.keys.filter { $0 <= limit }
    guard !comparable.isEmpty else { return nil }
    return Double(comparable.count { other.counts[$0] != nil }) / Double(comparable.count)
  }

  // MARK: Hashes

  private static func hash(_ value: Value) -> UInt64? {
    switch value {
    case .int(let number): return self.mixed(UInt64(bitPattern: number) ^ 0x6e75_6d62)
    case .double(let number): return Int64(exactly: number).flatMap { self.hash(.int($0)) }
    case .string(let text), .uri(let text):
      if let number = ValueProfile.integer(text) { return self.hash(.int(number)) }
      if let uuid = ValueProfile.uuid(text) { return self.hash(.uuid(uuid)) }
      return self.bytes(text.utf8, seed: 0x7465_7874)
    case .uuid(let uuid):
      return withUnsafeBytes(of: uuid.uuid) { self.bytes($0, seed: 0x7575_6964) }
    default: return nil
    }
  }

  /// FNV-1a, mixed so that near texts are far apart.
  private static func bytes(_ bytes: some Sequence<UInt8>, seed: UInt64) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ seed
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    return self.mixed(hash)
  }

  private static func mixed(_ word: UInt64) -> UInt64 {
    var word = word
    word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
    return word ^ (word >> 31)
  }
}
