/// SHA-256 of FIPS 180-4, for version hashes of models and for what must be known to be whole.
package enum SHA256 {
  /// The 32 bytes of the digest.
  package static func hash(_ message: [UInt8]) -> [UInt8] {
    var state: [UInt32] = [
      0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    let padded = SHAPadding.padded(message, blockSize: 64, lengthSize: 8)
    var schedule = [UInt32](repeating: 0, count: 64)
    for block in stride(from: 0, to: padded.count, by: 64) {
      for t in 0..<16 { schedule[t] = SHAPadding.bigEndian(padded, at: block + 4 * t) }
      for t in 16..<64 {
        let (a, b) = (schedule[t - 15], schedule[t - 2])
        let low = self.rotate(a, 7) ^ self.rotate(a, 18) ^ a >> 3
        let high = self.rotate(b, 17) ^ self.rotate(b, 19) ^ b >> 10
        schedule[t] = schedule[t - 16] &+ low &+ schedule[t - 7] &+ high
      }
      self.mix(schedule, into: &state)
    }
    return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } }
  }

  private static func mix(_ schedule: [UInt32], into state: inout [UInt32]) {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for t in 0..<64 {
      let one = self.rotate(e, 6) ^ self.rotate(e, 11) ^ self.rotate(e, 25)
      let first = h &+ one &+ ((e & f) ^ (~e & g)) &+ self.constants[t] &+ schedule[t]
      let zero = self.rotate(a, 2) ^ self.rotate(a, 13) ^ self.rotate(a, 22)
      let second = zero &+ ((a & b) ^ (a & c) ^ (b & c))
      (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
    }
    for (place, word) in [a, b, c, d, e, f, g, h].enumerated() { state[place] &+= word }
  }

  private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word >> count | word << (32 - count)
  }

  /// The upper halves of the constants of SHA-512: both are fractions of the cube roots of the same primes.
  private static let constants: [UInt32] = SHA512.constants.prefix(64).map { UInt32($0 >> 32) }
}

/// What the two digests share.
enum SHAPadding {
  /// The message, one set bit, zeros, and the length in bits at the end of the last block.
  static func padded(_ message: [UInt8], blockSize: Int, lengthSize: Int) -> [UInt8] {
    var padded = message
    padded.append(0x80)
    let filled = (padded.count + lengthSize) % blockSize
    if filled > 0 { padded += [UInt8](repeating: 0, count: blockSize - filled) }
    let bits = UInt64(message.count) * 8
    padded += [UInt8](repeating: 0, count: lengthSize - 8)
    padded += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) }
    return padded
  }

  static func bigEndian<Word: FixedWidthInteger>(_ bytes: [UInt8], at offset: Int) -> Word {
    bytes[offset..<offset + Word.bitWidth / 8].reduce(0) { $0 << 8 | Word($1) }
  }
}
