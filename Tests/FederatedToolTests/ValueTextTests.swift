import FederatedData
import Foundation
import Testing

@testable import FederatedTool

@Suite("Values as text")
struct ValueTextTests {
  @Test(
    "a value has one JSON text",
    arguments: [
      (.null, nil, "null"),
      (.bool(true), .boolean, "true"),
      (.int(.min), .integer64, "-9223372036854775808"),
      (.double(0.1), .double, "0.1"),
      (.double(1e-7), .double, "1e-07"),
      (.double(.nan), .double, "null"),
      (.double(-.infinity), .double, "null"),
      (.double(Double(Float(19.6))), .float, "19.6"),
      (.decimal(Decimal(string: "12345678901234567.89")!), .decimal, "12345678901234567.89"),
      (.decimal(Decimal(string: "1E-20")!), .decimal, "0.00000000000000000001"),
      (.decimal(.nan), .decimal, "null"),
      (.string("a\"b\\c\n\u{1}é"), .string, #""a\"b\\c\n\u0001é""#),
      (.string("e\u{301}🦉"), .string, "\"e\u{301}🦉\""),
      (.date(Date(timeIntervalSinceReferenceDate: 0.5)), .date, "\"2001-01-01T00:00:00.5Z\""),
      (.data(Data([0, 255, 16])), .binary, "\"AP8Q\""),
      (
        .uuid(UUID(uuidString: "173EF017-8551-4A76-AD07-19D8830FDC80")!), .uuid,
        "\"173EF017-8551-4A76-AD07-19D8830FDC80\""
      ),
      (.uri("https://example.com/a%20b"), .uri, "\"https://example.com/a%20b\""),
    ] as [(Value, AttributeType?, String)])
  func json(value: Value, type: AttributeType?, text: String) {
    var bytes: [UInt8] = []
    ValueText.appendJSON(value, type: type, to: &bytes)
    #expect(bytes.elementsEqual(text.utf8), "\(String(decoding: bytes, as: UTF8.self))")
  }

  @Test("every control character is escaped, so that Foundation reads the text back")
  func controls() throws {
    let text = String(String.UnicodeScalarView((0..<0x80).map { Unicode.Scalar($0)! }))
    let read = try JSONDecoder().decode([String].self, from: Data("[\(JSONText.quoted(text))]".utf8))
    #expect(read == [text])
  }
}
