internal import XMLStream

/// Bytes as base64 text, both ways, without anything in between.
enum XMLBase64 {
  /// Decodes a text where it lies; white space counts for nothing.
  /// - Returns: the number of bytes; nil when it is not base64.
  static func decode(_ text: UnsafeMutableRawBufferPointer) -> Int? {
    var word: UInt32 = 0
    var digits = 0
    var written = 0
    var padding = 0
    for byte in text {
      if byte.isXMLSpace { continue }
      if byte == UInt8(ascii: "=") {
        padding += 1
        continue
      }
      guard padding == 0, let value = self.value(byte) else { return nil }
      word = word << 6 | value
      digits += 1
      guard digits == 4 else { continue }
      text[written] = UInt8(truncatingIfNeeded: word >> 16)
      text[written + 1] = UInt8(truncatingIfNeeded: word >> 8)
      text[written + 2] = UInt8(truncatingIfNeeded: word)
      written += 3
      word = 0
      digits = 0
    }
    switch (digits, padding) {
    case (0, 0): return written
    case (2, 0), (2, 2):
      text[written] = UInt8(truncatingIfNeeded: word >> 4)
      return written + 1
    case (3, 0), (3, 1):
      text[written] = UInt8(truncatingIfNeeded: word >> 10)
      text[written + 1] = UInt8(truncatingIfNeeded: word >> 2)
      return written + 2
    default: return nil
    }
  }

  @inline(__always) private static func value(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a") + 26)
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0") + 52)
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }

  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Writes bytes as one line of base64.
  static func write(_ bytes: UnsafeRawBufferPointer, to writer: XMLByteWriter) {
    self.digits.withUnsafeBufferPointer { digits in
      var index = 0
      while index < bytes.count {
        let left = min(3, bytes.count - index)
        var word = UInt32(bytes[index]) << 16
        if left > 1 { word |= UInt32(bytes[index + 1]) << 8 }
        if left > 2 { word |= UInt32(bytes[index + 2]) }
        writer.byte(digits[Int(word >> 18)])
        writer.byte(digits[Int(word >> 12 & 63)])
        writer.byte(left > 1 ? digits[Int(word >> 6 & 63)] : UInt8(ascii: "="))
        writer.byte(left > 2 ? digits[Int(word & 63)] : UInt8(ascii: "="))
        index += 3
      }
    }
  }
}
