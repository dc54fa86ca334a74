extension XMLByteWriter {
  /// Writes element text: `&`, `<`, `>` and CR as references.
  /// - Throws: ``XMLError`` with `character` when XML cannot hold a character of it. Part of the text may
  ///   have been written by then.
  package func text(_ bytes: UnsafeRawBufferPointer) throws(XMLError) {
    try unsafe self.escape(bytes, from: .special)
  }

  package func text(_ text: String) throws(XMLError) { try self.escape(text, from: .special) }

  /// Writes the inside of an attribute: as text, and also the double quote, LF and TAB as references.
  package func attribute(_ bytes: UnsafeRawBufferPointer) throws(XMLError) {
    try unsafe self.escape(bytes, from: .quoted)
  }

  package func attribute(_ text: String) throws(XMLError) { try self.escape(text, from: .quoted) }

  private func escape(_ text: String, from first: XMLByteClass) throws(XMLError) {
    var text = text
    let outcome: Result<Void, XMLError> = text.withUTF8 { bytes in
      do throws(XMLError) {
        return .success(try unsafe self.escape(UnsafeRawBufferPointer(bytes), from: first))
      } catch { return .failure(error) }
    }
    try outcome.get()
  }

  private func escape(_ bytes: UnsafeRawBufferPointer, from first: XMLByteClass) throws(XMLError) {
    var plain = 0
    for index in 0..<bytes.count {
      let kind = XMLByteClass.of(unsafe bytes[index])
      if kind.rawValue < first.rawValue { continue }
      if kind.rawValue >= XMLByteClass.suspect.rawValue {
        guard let character = unsafe XMLByteWriter.unwritable(bytes, index) else { continue }
        throw XMLError(
          .character, "U+\(String(character, radix: 16, uppercase: true)) cannot stand in an XML document")
      }
      unsafe self.raw(UnsafeRawBufferPointer(rebasing: bytes[plain..<index]))
      self.reference(to: unsafe bytes[index])
      plain = index + 1
    }
    unsafe self.raw(UnsafeRawBufferPointer(rebasing: bytes[plain...]))
  }

  private func reference(to byte: UInt8) {
    switch byte {
    case UInt8(ascii: "&"): self.raw("&amp;")
    case UInt8(ascii: "<"): self.raw("&lt;")
    case UInt8(ascii: ">"): self.raw("&gt;")
    case UInt8(ascii: "\""): self.raw("&quot;")
    case UInt8(ascii: "\r"): self.raw("&#13;")
    case UInt8(ascii: "\n"): self.raw("&#10;")
    default: self.raw("&#9;")
    }
  }

  /// The character that begins at a suspect byte, when XML cannot hold it: a control, U+FFFE or U+FFFF.
  private static func unwritable(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> UInt32? {
    let byte = unsafe bytes[index]
    if byte < 0x20 { return UInt32(byte) }
    guard index + 2 < bytes.count, unsafe bytes[index + 1] == 0xBF, unsafe bytes[index + 2] >= 0xBE else {
      return nil
    }
    return 0xFF00 | UInt32(unsafe bytes[index + 2]) | 0x40
  }
}

/// What has to be done with a byte. Ordered: element text treats `special` and above, attributes `quoted`
/// and above.
enum XMLByteClass: UInt8 {
  case plain
  /// `"`, LF and TAB: a reference in attributes.
  case quoted
  /// `&`, `<`, `>` and CR: a reference everywhere.
  case special
  /// A control, or the first byte of U+F000 … U+FFFF, of which the last two are forbidden.
  case suspect

  @inline(__always) static func of(_ byte: UInt8) -> XMLByteClass {
    if byte > 0x3E { return byte == 0xEF ? .suspect : .plain }
    // One bit for each of the 63 bytes that are left.
    let bit: UInt64 = 1 << UInt64(byte)
    if bit & 0x5000_0044_FFFF_FFFF == 0 { return .plain }
    if bit & 0x0000_0004_0000_0600 != 0 { return .quoted }
    if bit & 0x5000_0040_0000_2000 != 0 { return .special }
    return .suspect
  }
}
