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

  @Test func `Latin-1 and Windows-1252 are converted`() throws {
    for name in ["ISO-8859-1", "windows-1252"] {
      let document = Array("<?xml version='1.0' encoding='\(name)'?><a>".utf8) + [0xE9] + Array("</a>".utf8)
      #expect(try EventRecorder.events(of: document) == ["<a>", "é", "</a>"])
    }
  }
}
