import Foundation
import Testing
import XMLStream

@Suite struct XMLEncodingTests {
  @Test(arguments: [
    (String.Encoding.utf16LittleEndian, [UInt8]([0xFF, 0xFE])), (.utf16BigEndian, [0xFE, 0xFF]),
  ])
  func `UTF-16 with a byte order mark reads: BR-37`(encoding: String.Encoding, mark: [UInt8]) throws {
    let text =
      "<?xml version=\"1.0\" encoding=\"UTF-16\"?><a x=\"é\">日本\(String(repeating: "ö", count: 5000))</a>"
    let document = mark + [UInt8](try #require(text.data(using: encoding)))
    for step in [1, 100, Int.max] {
      let events = try EventRecorder.events(of: document, step: step)
      #expect(events == ["<a x=[é]>", "日本\(String(repeating: "ö", count: 5000))", "</a>"])
    }
  }

  @Test func `UTF-8 labelled UTF-16 says so: BR-37`() throws {
    let document = "<?xml version=\"1.0\" encoding=\"UTF-16\"?><a/>"
    let error = #expect(throws: XMLError.self) { try EventRecorder.events(of: document.utf8) }
    #expect(error?.message.contains("UTF-16") == true && error?.message.contains("UTF-8") == true)
  }

  @Test func `invalid UTF-8 is an error`() throws {
    let document = Array("<a>ok".utf8) + [0xC3, 0x28] + Array("</a>".utf8)
    let error = #expect(throws: XMLError.self) { try EventRecorder.events(of: document) }
    #expect(error?.code == .malformed)
  }

  private static func document(_ declared: String?, _ text: [UInt8]) -> [UInt8] {
    let declaration = declared.map { "<?xml version='1.0' encoding='\($0)'?>\n" } ?? ""
    return Array("\(declaration)<a>".utf8) + text + Array("</a>".utf8)
  }

  @Test(arguments: [
    ("UTF-32LE", [UInt8]([0xFF, 0xFE, 0x00, 0x00])), ("UTF-32BE", [0x00, 0x00, 0xFE, 0xFF]),
  ])
  func `UTF-32 with a byte order mark reads`(name: String, mark: [UInt8]) throws {
    let units = "<?xml version='1.0' encoding='UTF-32'?><a>é日𝄞</a>".unicodeScalars.map(\.value)
    let bytes = units.flatMap { unit in
      let little = (0..<4).map { UInt8(truncatingIfNeeded: unit >> ($0 * 8)) }
      return name.hasSuffix("LE") ? little : little.reversed()
    }
    for step in [1, 7, Int.max] {
      #expect(try EventRecorder.events(of: mark + bytes, step: step) == ["<a>", "é日𝄞", "</a>"])
    }
  }

  @Test func `the given encoding holds whatever the document says, with a mark or without: BR-37`() throws {
    let utf16 = try #require("<a>é</a>".data(using: .utf16BigEndian))
    let documents: [([UInt8], String)] = [
      (Self.document("UTF-16", [0xC3, 0xA9]), "UTF-8"),
      ([0xEF, 0xBB, 0xBF] + Self.document("UTF-16", [0xC3, 0xA9]), "UTF-8"),
      (Self.document("UTF-8", [0xE9]), "windows-1252"), (Self.document(nil, [0xE9]), "ISO-8859-1"),
      (Self.document("ISO-8859-1", [0xC3, 0xA9]), "utf-8"), ([UInt8](utf16), "UTF-16BE"),
      ([0xFE, 0xFF] + utf16, "UTF-16BE"),
    ]
    for (document, encoding) in documents {
      for step in [1, Int.max] {
        let events = try EventRecorder.events(of: document, step: step, encoding: encoding)
        #expect(events == ["<a>", "é", "</a>"], "\(encoding)")
      }
    }
    // Somebody who insists has what he asks for.
    #expect(
      try EventRecorder.events(of: Self.document("ISO-8859-1", [0xC3, 0xA9]), encoding: "ISO-8859-1")
        == ["<a>", "Ã©", "</a>"])
  }

  @Test func `an encoding that there is none of is an error that names it`() throws {
    let error = #expect(throws: XMLError.self) {
      try EventRecorder.events(of: "<a/>".utf8, encoding: "UFT-8")
    }
    #expect(error?.message.contains("\"UFT-8\"") == true)
  }

  @Test(arguments: ["ISO-8859-1", "ISO-8859-15", "windows-1252"])
  func `UTF-8 that is labelled Latin is refused with its place and the encoding it looks like`(name: String)
    throws
  {
    for step in [1, Int.max] {
      let error = #expect(throws: XMLError.self) {
        try EventRecorder.events(of: Self.document(name, Array("ok é, 日".utf8)), step: step)
      }
      #expect(error?.code == .malformed)
      #expect(error?.message.contains(name) == true && error?.message.contains("look like UTF-8") == true)
      #expect(error?.position == XMLPosition(line: 2, column: 7))
    }
    // One byte that is in no UTF-8 sequence shows that the label is true.
    #expect(
      try EventRecorder.events(of: Self.document(name, Array("é".utf8) + [0x20, 0xE9]))
        == ["<a>", name == "ISO-8859-15" ? "Ã© é" : "Ã© é", "</a>"])
  }

  @Test func `quotation marks of Windows that are labelled ISO 8859-1 are refused with a hint`() throws {
    let error = #expect(throws: XMLError.self) {
      try EventRecorder.events(of: Self.document("ISO-8859-1", [0x93, 0xE9, 0x94]))
    }
    #expect(error?.message.contains("windows-1252") == true)
    #expect(
      try EventRecorder.events(of: Self.document("windows-1252", [0x93, 0xE9, 0x94])) == [
        "<a>", "“é”", "</a>",
      ])
  }

  @Test func `bytes that are no UTF-8 are refused with a hint`() throws {
    for declared in ["UTF-8", nil] {
      let error = #expect(throws: XMLError.self) {
        try EventRecorder.events(of: Self.document(declared, [0xE9, 0x20]))
      }
      #expect(error?.code == .malformed && error?.message.contains("windows-1252") == true, "\(error as Any)")
    }
  }

  @Test func `Latin-1 and Windows-1252 are converted`() throws {
    for name in ["ISO-8859-1", "windows-1252"] {
      let document = Array("<?xml version='1.0' encoding='\(name)'?><a>".utf8) + [0xE9] + Array("</a>".utf8)
      #expect(try EventRecorder.events(of: document) == ["<a>", "é", "</a>"])
    }
  }
}
