import Foundation
import Testing

@testable import FederatedData

@Suite("JSON with places")
struct JSONReaderTests {
  @Test(
    "what Foundation reads is read to the same values",
    arguments: [
      #"{"a": [1, -2.5e3, 0, true, false, null], "b": {"c": "d"}}"#,
      #"["\u00e9", "\ud83e\udd89", "\"\\\/\b\f\n\r\t", "é🦉"]"#,
      "\u{FEFF}[]", " {} ", "7", "\"x\"", "[[[]]]",
    ])
  func reads(text: String) throws {
    let node = try JSONReader.read(Array(text.utf8))
    let plain = text.hasPrefix("\u{FEFF}") ? String(text.unicodeScalars.dropFirst()) : text
    let theirs = try JSONSerialization.jsonObject(with: Data(plain.utf8), options: .fragmentsAllowed)
    #expect(self.same(node, theirs))
  }

  @Test(
    "what is no JSON is refused",
    arguments: [
      "{", "[1,]", "{\"a\" 1}", "01", "1.", "+1", "nul", "[1 2]", "\"a", "\"\\x\"", "\"\\ud800\"",
      "\"\\udc00\"",
      "\"a\nb\"", "{} {}", "{\"a\":1,\"a\":2}", String(repeating: "[", count: 100),
    ])
  func refuses(text: String) {
    #expect(throws: JSONSyntaxError.self) { try JSONReader.read(Array(text.utf8)) }
  }

  @Test("a string that is no UTF-8 is refused")
  func encoding() {
    #expect(throws: JSONSyntaxError.self) { try JSONReader.read([0x22, 0xFF, 0x22]) }
  }

  private func same(_ node: JSONNode, _ other: Any) -> Bool {
    switch node.content {
    case .null: other is NSNull
    case .bool(let value): other as? Bool == value
    case .number(let text): (other as? NSNumber)?.doubleValue == Double(text)
    case .string(let text): (other as? String)?.utf8.elementsEqual(text.utf8) == true
    case .array(let nodes):
      (other as? [Any]).map { $0.count == nodes.count && zip(nodes, $0).allSatisfy(self.same) } ?? false
    case .object(let members):
      (other as? [String: Any]).map { theirs in
        theirs.count == members.count
          && members.allSatisfy { member in theirs[member.key].map { self.same(member.value, $0) } ?? false }
      } ?? false
    }
  }
}
