internal import Foundation

/// What tells one content of a file from another when size and times are equal. Made to be fast, not to withstand
/// somebody who wants to deceive.
package struct ContentDigest: Sendable, Hashable {
  private let first: UInt64
  private let second: UInt64
  private let count: UInt64

  fileprivate init(_ hasher: ContentHasher) {
    var (first, second) = hasher.lanes
    first = mixed(first ^ hasher.tail)
    second = mixed(second &+ hasher.tail ^ first)
    (self.first, self.second, self.count) = (first, second, hasher.count)
  }
}

/// Takes a digest of bytes as they pass by, in pieces of any size.
struct ContentHasher {
  fileprivate var lanes: (UInt64, UInt64) = (0x9e37_79b9_7f4a_7c15, 0xc2b2_ae3d_27d4_eb4f)
  /// Bytes that do not fill a word yet.
  fileprivate var tail: UInt64 = 0
  fileprivate var count: UInt64 = 0

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    var place = 0
    while place < bytes.count, self.count % 8 != 0 {
      self.add(bytes[place])
      place += 1
    }
    while place + 8 <= bytes.count {
      self.mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
      self.count += 8
      place += 8
    }
    while place < bytes.count {
      self.add(bytes[place])
      place += 1
    }
  }

  private mutating func add(_ byte: UInt8) {
    self.tail |= UInt64(byte) << (8 * (self.count % 8))
    self.count += 1
    if self.count % 8 == 0 {
      self.mix(self.tail)
      self.tail = 0
    }
  }

  @inline(__always) private mutating func mix(_ word: UInt64) {
    let (a, b) = self.lanes
    let one = (a ^ word) &* 0xff51_afd7_ed55_8ccd
    let two = (b &+ word) &* 0xc4ce_b9fe_1a85_ec53
    self.lanes = (one ^ one >> 29, two ^ two >> 31)
  }

  var digest: ContentDigest { ContentDigest(self) }
}

/// Takes the digest of what a ``ByteSource`` hands over, of the last pass that came to the end.
final class DigestBox: Sendable {
  private let state = Lock((hasher: ContentHasher(), digest: ContentDigest?.none))

  func begin() { self.state.withLock { $0 = (ContentHasher(), nil) } }
  func update(_ bytes: UnsafeRawBufferPointer) { self.state.withLock { $0.hasher.update(bytes) } }
  func end() { self.state.withLock { $0.digest = $0.hasher.digest } }

  /// Nil when no pass came to the end.
  var digest: ContentDigest? { self.state.withLock { $0.digest } }
}
