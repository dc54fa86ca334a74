import FederatedModel
import Foundation
import Testing

@testable import FederatedStore

/// Texts of values in files made by others, both ways.
struct TextConversionTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var text: String
    var type: AttributeType
    var format = ValueFormat.standard
    /// Nil when the text does not fit.
    var value: Value?
    var testDescription: String { "\(self.text) as \(self.type), \(self.format)" }

    init(_ text: String, _ type: AttributeType, _ value: Value?, _ format: ValueFormat = .standard) {
      (self.text, self.type, self.format, self.value) = (text, type, format, value)
    }
  }

  static let uuid = UUID(uuidString: "3E671687-395B-41F5-A30F-A58921A69B79").unsafelyUnwrapped

  static let cases: [Case] = [
    Case(" a ", .string, .string(" a ")), Case("", .string, .string("")),
    Case(" 7\n", .integer16, .int(7)), Case("-32768", .integer16, .int(-32768)),
    Case("32768", .integer16, nil),
    Case("2147483648", .integer32, nil), Case("9223372036854775807", .integer64, .int(.max)),
    Case("9223372036854775808", .integer64, nil), Case("7.0", .integer64, nil), Case("", .integer64, nil),
    Case("1e3", .double, .double(1000)), Case("0.1", .double, .double(0.1)), Case("one", .double, nil),
    Case("INF", .double, .double(.infinity)), Case("1,5", .double, nil),
    Case("3.330", .decimal, .decimal(Decimal(string: "3.33").unsafelyUnwrapped)), Case("3.3x", .decimal, nil),
    Case(
      "12345678901234567.89", .decimal, .decimal(Decimal(string: "12345678901234567.89").unsafelyUnwrapped),
      .decimalText),
    Case("true", .boolean, .bool(true)), Case("0", .boolean, .bool(false)),
    Case("False", .boolean, .bool(false)),
    Case("yes", .boolean, nil), Case("Y", .boolean, .bool(true), .booleanWords(yes: "Y", no: "N")),
    Case("y", .boolean, nil, .booleanWords(yes: "Y", no: "N")),
    Case("3e671687-395b-41f5-a30f-a58921a69b79", .uuid, .uuid(TextConversionTests.uuid)),
    Case("3e671687", .uuid, nil, .uuidText), Case("http://a/b", .uri, .uri("http://a/b")),
    Case("", .uri, nil),
    Case("AQ\n I=", .binary, .data(Data([1, 2]))), Case("A!QI=", .binary, nil, .base64),
    Case("01fF", .binary, .data(Data([1, 255])), .hex), Case("1", .binary, nil, .hex),
    Case("0g", .binary, nil, .hex),
  ]

  @Test("a text is the value of its attribute's type, or does not fit", arguments: TextConversionTests.cases)
  func reading(_ test: Case) {
    #expect(test.format.value(of: test.text, as: test.type) == test.value)
  }

  @Test("a value's text gives the value back", arguments: TextConversionTests.cases)
  func writing(_ test: Case) throws {
    guard let value = test.value else { return }
    let text = try #require(test.format.text(of: value, as: test.type))
    #expect(test.format.value(of: text, as: test.type) == value)
    #expect(test.format.text(of: value, as: test.type, like: test.text) == test.text)
    #expect(test.format.text(of: .list([]), as: test.type) == nil)
  }

  @Test("the style of what stood there is kept: case, words, digits")
  func style() {
    let uuid = "3e671687-395b-41f5-a30f-a58921a69b79"
    let other = UUID(uuidString: "00000000-395B-41F5-A30F-A58921A69B79").unsafelyUnwrapped
    #expect(
      ValueFormat.standard.text(of: .uuid(other), as: .uuid, like: uuid) == other.uuidString.lowercased())
    #expect(ValueFormat.standard.text(of: .bool(false), as: .boolean, like: "1") == "0")
    #expect(ValueFormat.standard.text(of: .bool(false), as: .boolean, like: "true") == "false")
    #expect(ValueFormat.hex.text(of: .data(Data([0xAB])), as: .binary, like: "FF") == "AB")
    #expect(ValueFormat.standard.text(of: .double(2), as: .double, like: "1.50") == "2")
    #expect(ValueFormat.standard.text(of: .int(40000), as: .integer16) == nil)
  }

  @Test(
    "a format suits the types that it can be of alone",
    arguments: [
      (ValueFormat.unixSeconds, AttributeType.string), (.iso8601(.utc), .integer32), (.hex, .string),
      (.decimalText, .double), (.uuidBytes, .binary), (.booleanWords(yes: "a", no: "b"), .string),
    ])
  func suiting(_ format: ValueFormat, _ type: AttributeType) {
    #expect(!format.suits(type))
    #expect(TextConversion(type, format, zone: .utc) == nil)
    #expect(ValueFormat.standard.suits(type))
    #expect(!ValueFormat.standard.suits(.composite(name: "C")))
  }
}
