/// Looks at the bytes of a document that says to be in a Latin encoding, in which every byte is some character.
///
/// No parser finds fault with UTF-8 that is labelled so: it reads `Ã©` for `é`, and nobody is told. But text that is
/// Latin has hardly ever only such bytes beyond ASCII as make whole UTF-8 sequences. And the bytes from 0x80 to 0x9F are
/// controls in ISO 8859, which no text has, and quotation marks and dashes in Windows-1252, which many texts have.
struct XMLEncodingWatch {
  private let declared: String
  private let isWindows: Bool
  private var line = 1
  private var column = 0
  /// Continuation bytes that the sequence still needs.
  private var missing = 0
  private var firstBeyondASCII: XMLPosition?
  private var firstControl: XMLPosition?
  private var isUTF8 = true

  /// Nil for an encoding that its own bytes can contradict.
  init?(declared: String) {
    let name = declared.lowercased().filter { $0 != "_" && $0 != "-" }
    guard ["iso88591", "iso885915", "latin1", "windows1252", "cp1252"].contains(name) else { return nil }
    self.declared = declared
    self.isWindows = name.hasSuffix("1252")
  }

  mutating func look(at bytes: UnsafeRawBufferPointer) {
    for place in bytes.indices {
      let byte = unsafe bytes[place]
      self.column += 1
      if byte < 0x80 {
        if self.missing > 0 { self.isUTF8 = false }
        if byte == UInt8(ascii: "\n") {
          self.line += 1
          self.column = 0
        }
        continue
      }
      if self.firstBeyondASCII == nil { self.firstBeyondASCII = self.position }
      if byte < 0xA0, self.firstControl == nil { self.firstControl = self.position }
      switch byte {
      case 0x80...0xBF where self.missing > 0: self.missing -= 1
      case 0xC2...0xDF where self.missing == 0: self.missing = 1
      case 0xE0...0xEF where self.missing == 0: self.missing = 2
      case 0xF0...0xF4 where self.missing == 0: self.missing = 3
      default: self.isUTF8 = false
      }
    }
  }

  private var position: XMLPosition { XMLPosition(line: self.line, column: self.column) }

  /// - Throws: ``XMLError`` when the bytes are hardly in the encoding that the document says.
  func finish() throws(XMLError) {
    if let place = self.firstBeyondASCII, self.isUTF8, self.missing == 0 {
      throw self.error("UTF-8", at: place)
    }
    if let place = self.firstControl, !self.isWindows { throw self.error("windows-1252", at: place) }
  }

  private func error(_ name: String, at place: XMLPosition) -> XMLError {
    XMLError(
      .malformed, at: place,
      "the document says that it is in \(self.declared), and its bytes look like \(name); give the store the encoding "
        + "that it is in")
  }
}
