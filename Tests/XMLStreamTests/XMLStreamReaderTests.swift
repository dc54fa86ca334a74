import Foundation
import TestSupport
import Testing
import XMLStream

@Suite struct XMLStreamReaderTests {
  @Test(arguments: [1, 2, 3, 7, Int.max])
  func `events come in order, whatever the size of the pieces`(step: Int) throws {
    let document = "<?xml version=\"1.0\"?>\n<a x='1' y=\"two\"><b/>text<c>é</c></a>\n"
    let events = try EventRecorder.events(of: document.utf8, step: step)
    #expect(
      events == ["<a x=[1] y=[two]>", "<b>", "</b>", "text", "<c>", "é", "</c>", "</a>"])
  }

  @Test(arguments: [
    ("<a v='&amp;'/>", "&"), ("<a v='&#38;'/>", "&"), ("<a v='a&amp;b&#38;c&lt;'/>", "a&b&c<"),
    ("<a v='&amp;#38;'/>", "&#38;"), ("<a v='&amp;amp;'/>", "&amp;"), ("<a v=''/>", ""),
    ("<a v='&#x41;&#10;&quot;'/>", "A\n\""), ("<a v='x\ny'/>", "x y"),
  ])
  func `references in attributes are replaced once`(document: String, value: String) throws {
    for step in [1, 5, Int.max] {
      #expect(try EventRecorder.events(of: document.utf8, step: step) == ["<a v=[\(value)]>", "</a>"])
    }
  }

  @Test(arguments: [
    ("<t><![CDATA[a<b & c]]></t>", "a<b & c"), ("<t>x<![CDATA[y]]>z</t>", "xyz"),
    ("<t>&lt;&#13;&amp;</t>", "<\r&"), ("<t>a\r\nb\rc</t>", "a\nb\nc"),
  ])
  func `text and CDATA are one text: BR-25`(document: String, text: String) throws {
    #expect(try EventRecorder.events(of: document.utf8) == ["<t>", text, "</t>"])
  }

  @Test(arguments: [
    ("<a><b></a>", 1), ("<a>\n<b>\n", 2), ("<a>\n\u{1C}</a>", 2), ("", 1), ("<a/>\n<b/>", 2), ("text", 1),
    ("<a>\n\n&nbsp;</a>", 3), ("<a x='1' x='2'/>", 1), ("<a>&", 1), ("<x:a/>", 1),
  ])
  func `a malformed document throws with its line: BR-23, BR-39`(document: String, line: Int) {
    for step in [1, 3, Int.max] {
      let error = #expect(throws: XMLError.self) { try EventRecorder.events(of: document.utf8, step: step) }
      #expect(error?.position.line == line, "\(error.map(\.description) ?? "-")")
      #expect(error.map { $0.position.column > 0 } == true, "\(error.map(\.description) ?? "-")")
    }
  }

  @Test func `a cut document throws at every length`() throws {
    let document = Array("<?xml version=\"1.0\"?><a x='1'><b>te&amp;xt</b><![CDATA[q]]></a>".utf8)
    for length in 0..<document.count {
      #expect(throws: XMLError.self, "\(length)") { try EventRecorder.events(of: document[..<length]) }
    }
  }

  @Test func `a large text comes whole, and what follows it too: BR-35`() throws {
    let large = String(repeating: "0123456789", count: 1_100_000)
    let document = "<l><r>\(large)</r><r>2</r><r>3</r></l>"
    let events = try EventRecorder.events(of: document.utf8)
    #expect(events == ["<l>", "<r>", large, "</r>", "<r>", "2", "</r>", "<r>", "3", "</r>", "</l>"])
  }

  @Test func `a CDATA section above ten million bytes is one error with line and limit: BR-35`() {
    let large = String(repeating: "0123456789", count: 1_100_000)
    let document = "<l>\n<r><![CDATA[\(large)]]></r><r>2</r><r>3</r></l>"
    let error = #expect(throws: XMLError.self) { try EventRecorder.events(of: document.utf8) }
    #expect(error?.code == .refused && error?.position.line == 2)
    #expect(error?.message.contains("10000000") == true)
  }

  @Test func `a CDATA section of nine million bytes comes whole: BR-35`() throws {
    let large = String(repeating: "012345678\n", count: 900_000)
    let events = try EventRecorder.events(of: "<l><r><![CDATA[\(large)]]></r><r>2</r></l>".utf8)
    #expect(events == ["<l>", "<r>", large, "</r>", "<r>", "2", "</r>", "</l>"])
  }

  @Test func `what the handler throws arrives with the position`() {
    let recorder = EventRecorder()
    recorder.refused = "b"
    let error = #expect(throws: XMLError.self) {
      try Array("<a>\n  <b></b><c/></a>".utf8).withUnsafeBytes { try XMLStreamReader.read($0, to: recorder) }
    }
    #expect(error?.message == "no b here")
    #expect(error?.code == .content)
    #expect(error?.position.line == 2)
    #expect(recorder.events == ["<a>", "\n  "])
  }
}
