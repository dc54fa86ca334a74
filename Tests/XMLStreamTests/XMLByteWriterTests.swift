import Testing
import XMLStream

@Suite struct XMLByteWriterTests {
  /// What the writer hands over in all.
  private func written(capacity: Int = 64, _ write: (XMLByteWriter) throws -> Void) throws -> String {
    var bytes: [UInt8] = []
    let writer = XMLByteWriter(capacity: capacity) { bytes.append(contentsOf: $0) }
    try write(writer)
    try writer.flush()
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(arguments: [
    ("a<b>&c", "a&lt;b&gt;&amp;c", "a&lt;b&gt;&amp;c"), ("\r\n\t", "&#13;\n\t", "&#13;&#10;&#9;"),
    ("\"'", "\"'", "&quot;'"), ("", "", ""), ("Åかな🦉", "Åかな🦉", "Åかな🦉"),
    ("\u{FFFD}\u{F000}", "\u{FFFD}\u{F000}", "\u{FFFD}\u{F000}"),
  ])
  func `text and attributes are escaped and read back`(text: String, asText: String, asAttribute: String)
    throws
  {
    #expect(try self.written { try $0.text(text) } == asText)
    #expect(try self.written { try $0.attribute(text) } == asAttribute)
    let document = try self.written {
      $0.raw("<a v=\"")
      try $0.attribute(text)
      $0.raw("\">")
      try $0.text(text)
      $0.raw("</a>")
    }
    let element = try XMLElementValue.parse(bytes: document.utf8)
    #expect(element.text.utf8.elementsEqual(text.utf8) && element["v"]?.utf8.elementsEqual(text.utf8) == true)
  }

  @Test(arguments: [
    ("a\u{1}", "U+1"), ("\u{14}b", "U+14"), ("\0", "U+0"), ("x\u{FFFE}", "U+FFFE"), ("\u{FFFF}", "U+FFFF"),
  ])
  func `characters that XML cannot hold are refused: BR-43`(text: String, name: String) throws {
    let error = #expect(throws: XMLError.self) { try self.written { try $0.text(text) } }
    #expect(
      error?.code == .character && error?.message.contains(name + " ") == true, "\(error?.message ?? "")")
    #expect(throws: XMLError.self) { try self.written { try $0.attribute(text) } }
  }

  @Test(arguments: [Int64.min, -1, 0, 7, 10, 1_234_567_890_123, .max])
  func `integers have their digits`(value: Int64) throws {
    #expect(try self.written { $0.integer(value) } == String(value))
  }

  @Test func `what is longer than the buffer comes out whole and in order`() throws {
    let long = String(repeating: "0123456789", count: 1000)
    let text = try self.written {
      for _ in 0..<100 { $0.byte(UInt8(ascii: "x")) }
      $0.raw(long)
      $0.raw("end")
    }
    #expect(text == String(repeating: "x", count: 100) + long + "end")
  }

  @Test func `the first failure of the output is thrown at the end`() {
    struct Full: Error {}
    let writer = XMLByteWriter(capacity: 64) { _ in throw Full() }
    for _ in 0..<1000 { writer.byte(0) }
    #expect(throws: Full.self) { try writer.flush() }
  }
}
