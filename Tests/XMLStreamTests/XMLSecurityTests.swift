import Foundation
import TestSupport
import Testing
import XMLStream

@Suite struct XMLSecurityTests {
  @Test func `a DOCTYPE with an external identifier is accepted and not loaded`() throws {
    let document = """
      <?xml version="1.0" standalone="yes"?>
      <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">
      <database/>
      """
    #expect(try EventRecorder.events(of: document.utf8) == ["<database>", "</database>"])
  }

  @Test(arguments: [
    #"<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><a>&e;</a>"#,
    #"<!DOCTYPE a [<!ENTITY e "x">]><a>&e;</a>"#,
    #"<!DOCTYPE a [<!ENTITY % p SYSTEM "file:///etc/passwd"> %p;]><a/>"#,
    #"<!DOCTYPE a SYSTEM "file:///nowhere.dtd" [%p;]><a/>"#,
    #"<!DOCTYPE a [<!ELEMENT a ANY>]><a/>"#,
    #"<!DOCTYPE a [<!ATTLIST a x (u|v) "u">]><a/>"#,
    #"<!DOCTYPE a [<!NOTATION n SYSTEM "n">]><a/>"#,
    #"<!DOCTYPE a [<!NOTATION n SYSTEM "n"><!ENTITY e SYSTEM "x" NDATA n>]><a/>"#,
    #"<!DOCTYPE a SYSTEM "file:///nowhere.dtd"><a>&nbsp;</a>"#,
    #"<!DOCTYPE a SYSTEM "file:///nowhere.dtd"><a x="&nbsp;"/>"#,
  ])
  func `declarations and entities stop the parse: BR-45`(document: String) throws {
    for step in [1, Int.max] {
      let error = #expect(throws: XMLError.self) { try EventRecorder.events(of: document.utf8, step: step) }
      #expect(error?.code == .refused, "\(error.map(\.description) ?? "-")")
    }
  }

  @Test func `an entity bomb is refused at its first declaration`() throws {
    var document = "<!DOCTYPE a [<!ENTITY a0 \"ha\">\n"
    for level in 1..<30 { document += "<!ENTITY a\(level) \"&a\(level - 1);&a\(level - 1);\">\n" }
    document += "]><a>&a29;</a>"
    let error = #expect(throws: XMLError.self) { try EventRecorder.events(of: document.utf8) }
    #expect(error?.code == .refused)
    #expect(error?.position.line == 1)
  }

  @Test func `depth is limited to 256`() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
    }
    #expect(try EventRecorder.events(of: nested(256).utf8).count == 512)
    let error = #expect(throws: XMLError.self) { try EventRecorder.events(of: nested(257).utf8) }
    #expect(error?.code == .refused)
  }

  @Test func `size and attributes are limited as set`() throws {
    var limits = XMLLimits()
    limits.documentBytes = 20
    limits.attributes = 1
    #expect(try EventRecorder.events(of: "<a b='1'/>".utf8, limits: limits).count == 2)
    for document in ["<a b='1' c='2'/>", "<a>" + String(repeating: "x", count: 20) + "</a>"] {
      let error = #expect(throws: XMLError.self) {
        try EventRecorder.events(of: document.utf8, limits: limits)
      }
      #expect(error?.code == .refused)
    }
  }

  @Test func `a tag of a million attributes or namespaces is refused before the parser compares them`() throws
  {
    for name in ["a", "xmlns:a"] {
      let attributes = (0..<1_000_000).map { " \(name)\($0)='\($0)'" }.joined()
      let error = #expect(throws: XMLError.self) { try EventRecorder.events(of: "<r\(attributes)/>".utf8) }
      #expect(error?.code == .refused && error?.message.contains("4096 attributes") == true)
    }
    // Quotation marks in a value are none of its tag.
    let value = String(repeating: "x=\"\" ", count: 100_000)
    #expect(try EventRecorder.events(of: "<r a='\(value)'>\(value)<!-- \(value) --></r>".utf8).count == 3)
  }

  @Test func `namespaces in force are limited over all elements around`() throws {
    let level = { (depth: Int) in
      "<a " + (0..<2000).map { "xmlns:n\(depth)_\($0)='u'" }.joined(separator: " ") + ">"
    }
    let two = level(0) + level(1) + "</a>" + level(2) + "</a></a>"
    #expect(try EventRecorder.events(of: two.utf8).count == 6)
    let error = #expect(throws: XMLError.self) {
      try EventRecorder.events(of: (level(0) + level(1) + level(2) + "</a></a></a>").utf8)
    }
    #expect(error?.code == .refused && error?.message.contains("namespaces") == true)
  }

  @Test func `a text is limited as set, in one piece or many, CDATA included`() throws {
    var limits = XMLLimits()
    limits.textBytes = 10
    #expect(try EventRecorder.events(of: "<a>0123456789<b/>0123456789</a>".utf8, limits: limits).count == 6)
    for document in ["<a>01234567890</a>", "<a>01234<![CDATA[567890]]></a>", "<a>0123456789&amp;</a>"] {
      for step in [1, Int.max] {
        let error = #expect(throws: XMLError.self) {
          try EventRecorder.events(of: document.utf8, step: step, limits: limits)
        }
        #expect(error?.code == .refused && error?.message.contains("10 bytes") == true)
      }
    }
  }

  @Test func `an attribute of more than ten million bytes is refused`() throws {
    let document = "<a x='" + String(repeating: "y", count: 10_000_100) + "'/>"
    #expect(throws: XMLError.self) { try EventRecorder.events(of: document.utf8) }
  }

  @Test func `nothing is printed`() async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent, \.standardOutputContent]
    ) {
      let hostile: [[UInt8]] = [
        Array("<a>&e;".utf8), [0xFE, 0xFF, 0x00, 0x3C, 0x00, 0x61, 0xD8, 0x00, 0x00, 0x3E, 0x00, 0x00],
        Array("<?xml version='1.0' encoding='nonsense'?><a/>".utf8), Array("<a>\u{1}</a>".utf8),
        Array("<a>".utf8) + [0xFF, 0xC0, 0x80] + Array("</a>".utf8),
        Array("<?xml version='1.0' encoding='shift_jis'?><a>".utf8) + [0x81, 0xFF, 0xFF] + Array("</a>".utf8),
      ]
      for document in hostile {
        #expect(throws: XMLError.self) { try EventRecorder.events(of: document) }
      }
    }
    let printed = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(!printed.contains("parser error") && !printed.contains("encoding"), "\(printed)")
  }
}
