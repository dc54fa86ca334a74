internal import XMLStream

/// The backslash escapes of string values: `\u` and the four digits of a UTF-16 unit, low byte first.
///
/// The original framework writes the unit as it lies in memory, so `<` is `\u3c00`.
enum XMLStringEscape {
  private static let backslash = UInt8(ascii: "\\")

  /// Replaces the escapes of a text where it lies.
  /// - Returns: the length afterwards.
  static func decode(_ text: UnsafeMutableRawBufferPointer) -> Int {
    guard let first = text.firstIndex(of: self.backslash) else { return text.count }
    var read = first
    var written = first
    while read < text.count {
      guard let unit = self.unit(in: text, at: read) else {
        text[written] = text[read]
        read += 1
        written += 1
        continue
      }
      let next = UTF16.isLeadSurrogate(unit) ? self.unit(in: text, at: read + 6) : nil
      if let next, UTF16.isTrailSurrogate(next) {
        let scalar = 0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(next) - 0xDC00)
        written = self.put(scalar, in: text, at: written)
        read += 12
      } else if UTF16.isSurrogate(unit) {
        // Half a character is no character: it stays as it is written.
        for offset in 0..<6 { text[written + offset] = text[read + offset] }
        written += 6
        read += 6
      } else {
        written = self.put(UInt32(unit), in: text, at: written)
        read += 6
      }
    }
    return written
  }

  /// The unit that an escape at that place stands for; nil when there is none.
  private static func unit(in text: UnsafeMutableRawBufferPointer, at index: Int) -> UInt16? {
    guard index + 6 <= text.count, text[index] == self.backslash, text[index + 1] == UInt8(ascii: "u") else {
      return nil
    }
    var plain: UInt16 = 0
    for offset in 2..<6 {
      guard let digit = self.digit(text[index + offset]) else { return nil }
      plain = plain << 4 | digit
    }
    // Files from big-endian machines have the unit the other way round.
    let swapped = plain.byteSwapped
    if swapped > 0x7F, plain == 0x3C || plain == 0x3E || plain == 0x26 || plain == 0x5C { return plain }
    return swapped
  }

  private static func digit(_ byte: UInt8) -> UInt16? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }

  /// A scalar takes at most four bytes, its escape six: writing never overtakes reading.
  private static func put(_ scalar: UInt32, in text: UnsafeMutableRawBufferPointer, at index: Int) -> Int {
    guard let scalar = Unicode.Scalar(scalar) else { return index }
    var end = index
    for byte in UTF8.encode(scalar).unsafelyUnwrapped {
      text[end] = byte
      end += 1
    }
    return end
  }

  /// Writes a text so that reading gives it back: XML's own references, and `\u5c00` for a backslash that
  /// would begin an escape.
  static func write(_ text: UnsafeRawBufferPointer, to writer: XMLByteWriter) throws(XMLError) {
    var start = 0
    var index = 0
    while index + 6 <= text.count {
      guard let found = text[index...].firstIndex(of: self.backslash), found + 6 <= text.count else { break }
      index = found + 1
      guard text[index] == UInt8(ascii: "u"),
        text[(index + 1)..<(index + 5)].allSatisfy({ self.digit($0) != nil })
      else { continue }
      try writer.text(UnsafeRawBufferPointer(rebasing: text[start..<found]))
      writer.raw("\\u5c00")
      start = index
    }
    try writer.text(UnsafeRawBufferPointer(rebasing: text[start...]))
  }
}
