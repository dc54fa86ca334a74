/// Reads one JSON document (RFC 8259), keeping places. A key that stands twice in one object is refused.
struct JSONReader {
  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  private var lineStart = 0
  /// Deeper nesting than any federation needs would only use up the stack.
  private static let deepest = 64

  static func read(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONNode {
    var reader = JSONReader(bytes: bytes)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      reader.position = 3
      reader.lineStart = 3
    }
    let node = try reader.value(depth: 0)
    reader.skipBlanks()
    guard reader.position == bytes.count else { throw reader.error("the end of the file is expected here") }
    return node
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private var next: UInt8? { self.position < self.bytes.count ? self.bytes[self.position] : nil }

  private var column: Int {
    // Continuation bytes do not begin a character.
    self.bytes[self.lineStart..<self.position].count { $0 & 0xC0 != 0x80 } + 1
  }

  private func error(_ detail: String) -> JSONSyntaxError {
    JSONSyntaxError(line: self.line, column: self.column, detail: detail)
  }

  private mutating func skipBlanks() {
    while let byte = self.next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      self.position += 1
      if byte == 0x0A {
        self.line += 1
        self.lineStart = self.position
      }
    }
  }

  private mutating func value(depth: Int) throws(JSONSyntaxError) -> JSONNode {
    self.skipBlanks()
    let (line, column) = (self.line, self.column)
    guard let byte = self.next else { throw self.error("a value is expected, and the file ends") }
    guard depth < Self.deepest else { throw self.error("nested deeper than \(Self.deepest) levels") }
    let content: JSONNode.Content
    switch byte {
    case UInt8(ascii: "{"): content = .object(try self.members(depth: depth))
    case UInt8(ascii: "["): content = .array(try self.elements(depth: depth))
    case UInt8(ascii: "\""): content = .string(try self.string())
    case UInt8(ascii: "t"): content = try self.word("true", .bool(true))
    case UInt8(ascii: "f"): content = try self.word("false", .bool(false))
    case UInt8(ascii: "n"): content = try self.word("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): content = .number(try self.number())
    default: throw self.error("a value is expected: an object, array, string, number, true, false or null")
    }
    return JSONNode(line: line, column: column, content: content)
  }

  private mutating func members(depth: Int) throws(JSONSyntaxError) -> [JSONNode.Member] {
    var members: [JSONNode.Member] = []
    self.position += 1
    self.skipBlanks()
    if self.next == UInt8(ascii: "}") {
      self.position += 1
      return []
    }
    while true {
      self.skipBlanks()
      guard self.next == UInt8(ascii: "\"") else {
        throw self.error("a key between double quotes is expected")
      }
      let (line, column) = (self.line, self.column)
      let key = try self.string()
      if members.contains(where: { $0.key == key }) {
        throw JSONSyntaxError(line: line, column: column, detail: "the key \"\(key)\" stands twice; keep one")
      }
      self.skipBlanks()
      try self.expect(":", "behind the key")
      let value = try self.value(depth: depth + 1)
      members.append(JSONNode.Member(key: key, line: line, column: column, value: value))
      if try !self.goesOn(until: "}") { return members }
    }
  }

  private mutating func elements(depth: Int) throws(JSONSyntaxError) -> [JSONNode] {
    var elements: [JSONNode] = []
    self.position += 1
    self.skipBlanks()
    if self.next == UInt8(ascii: "]") {
      self.position += 1
      return []
    }
    while true {
      elements.append(try self.value(depth: depth + 1))
      if try !self.goesOn(until: "]") { return elements }
    }
  }

  /// Takes the comma and answers true, or takes the closing mark and answers false.
  private mutating func goesOn(until close: Unicode.Scalar) throws(JSONSyntaxError) -> Bool {
    self.skipBlanks()
    guard self.next == UInt8(ascii: ",") else {
      try self.expect(close, "or a comma")
      return false
    }
    self.position += 1
    return true
  }

  private mutating func expect(_ mark: Unicode.Scalar, _ where: String) throws(JSONSyntaxError) {
    guard self.next == UInt8(ascii: mark) else {
      throw self.error("'\(mark)' \(`where`) is expected\(self.next == nil ? ", and the file ends" : "")")
    }
    self.position += 1
  }

  private mutating func word(
    _ word: String, _ content: JSONNode.Content
  ) throws(JSONSyntaxError) -> JSONNode.Content {
    guard self.bytes[self.position...].starts(with: word.utf8) else {
      throw self.error("a value is expected; names stand between double quotes")
    }
    self.position += word.utf8.count
    return content
  }

  private mutating func number() throws(JSONSyntaxError) -> String {
    let start = self.position
    let marks = Array("+-.eE0123456789".utf8)
    while let byte = self.next, marks.contains(byte) { self.position += 1 }
    let text = String(decoding: self.bytes[start..<self.position], as: UTF8.self)
    guard text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/) != nil else {
      self.position = start
      throw self.error("'\(text)' is no JSON number")
    }
    return text
  }
}

extension JSONReader {
  private mutating func string() throws(JSONSyntaxError) -> String {
    self.position += 1
    var text: [UInt8] = []
    while let byte = self.next {
      switch byte {
      case UInt8(ascii: "\""):
        self.position += 1
        guard let string = String(validating: text, as: UTF8.self) else {
          throw self.error("the string before this place is no UTF-8 text")
        }
        return string
      case UInt8(ascii: "\\"): try self.escape(into: &text)
      case 0..<0x20: throw self.error("a string ends before the end of its line; write \\n for a line break")
      default:
        text.append(byte)
        self.position += 1
      }
    }
    throw self.error("a string is not closed, and the file ends")
  }

  private mutating func escape(into text: inout [UInt8]) throws(JSONSyntaxError) {
    let plain: [UInt8: UInt8] = [
      0x22: 0x22, 0x5C: 0x5C, 0x2F: 0x2F, 0x62: 0x08, 0x66: 0x0C, 0x6E: 0x0A, 0x72: 0x0D, 0x74: 0x09,
    ]
    guard self.position + 1 < self.bytes.count else { throw self.error("a string is not closed") }
    let mark = self.bytes[self.position + 1]
    if let byte = plain[mark] {
      text.append(byte)
      self.position += 2
      return
    }
    guard mark == UInt8(ascii: "u"), let first = self.unit() else {
      throw self.error("this escape is unknown; a backslash is written as \\\\")
    }
    var units = [first]
    if 0xD800..<0xDC00 ~= first {
      guard self.bytes[self.position...].starts(with: "\\u".utf8), let second = self.unit(),
        0xDC00..<0xE000 ~= second
      else { throw self.error("the second half of a surrogate pair is missing") }
      units.append(second)
    } else if 0xDC00..<0xE000 ~= first {
      throw self.error("half a surrogate pair stands alone")
    }
    text.append(contentsOf: String(decoding: units, as: UTF16.self).utf8)
  }

  /// Takes `\uXXXX`; nil leaves everything as it is.
  private mutating func unit() -> UInt16? {
    let digits = self.bytes[self.position...].dropFirst(2).prefix(4)
    guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else {
      return nil
    }
    guard let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16) else { return nil }
    self.position += 6
    return unit
  }
}
