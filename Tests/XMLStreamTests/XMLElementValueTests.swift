import Foundation
import TestSupport
import Testing
import XMLStream

@Suite struct XMLElementValueTests {
  @Test func `a document becomes a tree with names, values, text and lines`() throws {
    let document = """
      <model x:kind="k" name="a &amp; b" xmlns:x="urn:x">
        <entity name="One"/>
        <!-- comment -->
        <entity name="Two">text<![CDATA[ & more]]></entity>
        <other/>
      </model>
      """
    let root = try XMLElementValue.parse(bytes: document.utf8)
    #expect(root.name == "model" && root["name"] == "a & b" && root["x:kind"] == "k" && root["none"] == nil)
    #expect(root.attributes.map(\.name) == ["x:kind", "name"])
    #expect(root.children.map(\.name) == ["entity", "entity", "other"])
    #expect(root.children(named: "entity").map(\.line) == [2, 4])
    #expect(root.children(named: "entity")[1].text == "text & more")
    #expect(root.child(named: "other")?.column ?? 0 > 0)
    #expect(root.child(named: "nobody") == nil)
  }

  @Test func `a file reads as its bytes do, and a missing one says so`() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("m.xml")
    try Data("<a><b/></a>".utf8).write(to: url)
    #expect(try XMLElementValue.parse(contentsOf: url).children.count == 1)
    let error = #expect(throws: XMLError.self) { try XMLElementValue.parse(contentsOf: folder.file("none")) }
    #expect(error?.code == .inputOutput)
  }

  @Test func `a tree is bounded`() throws {
    var limits = XMLLimits()
    limits.documentBytes = 10
    let error = #expect(throws: XMLError.self) {
      try XMLElementValue.parse(bytes: "<a>0123456789</a>".utf8, limits: limits)
    }
    #expect(error?.code == .refused)
  }
}
