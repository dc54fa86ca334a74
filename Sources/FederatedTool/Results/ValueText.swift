import FederatedData
import Foundation

/// What a value is called in results: as JSON, and as the plain text of a table or CSV cell.
enum ValueText {
  /// Appends the value as JSON. Numbers keep all their digits; what is no number is null.
  static func appendJSON(_ value: Value, type: AttributeType?, to bytes: inout [UInt8]) {
    switch value {
    case .string(let text), .uri(let text): JSONText.append(text, to: &bytes)
    case .date, .data, .uuid:
      if let text = self.text(value, type: type) {
        JSONText.append(text, to: &bytes)
      } else {
        bytes.append(contentsOf: "null".utf8)
      }
    case .list(let values):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in values.enumerated() {
        if index > 0 { bytes.append(contentsOf: ", ".utf8) }
        self.appendJSON(element, type: nil, to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .null, .bool, .int, .double, .decimal, .object:
      bytes.append(contentsOf: (self.text(value, type: type) ?? "null").utf8)
    }
  }

  /// The value as plain text; nil for null and for what is no number or no date.
  static func text(_ value: Value, type: AttributeType?) -> String? {
    switch value {
    case .null, .object: nil
    case .bool(let value): value ? "true" : "false"
    case .int(let value): String(value)
    case .double(let value): self.number(value, type: type)
    case .decimal(let value): value.isFinite ? value.description : nil
    case .string(let text), .uri(let text): text
    case .date(let date): DateText.text(of: date)
    case .data(let data): data.base64EncodedString()
    case .uuid(let uuid): uuid.uuidString
    case .list(let values): values.map { self.text($0, type: nil) ?? "" }.joined(separator: " ")
    }
  }

  private static func number(_ value: Double, type: AttributeType?) -> String? {
    guard value.isFinite else { return nil }
    if type == .float, Double(Float(value)) == value { return Float(value).description }
    return value.description
  }
}

/// JSON strings: the two characters and the controls that must be escaped, everything else as it is.
enum JSONText {
  private static let hex = Array("0123456789abcdef".utf8)

  static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(contentsOf: [UInt8(ascii: "\\"), byte])
      case UInt8(ascii: "\n"): bytes.append(contentsOf: "\\n".utf8)
      case UInt8(ascii: "\r"): bytes.append(contentsOf: "\\r".utf8)
      case UInt8(ascii: "\t"): bytes.append(contentsOf: "\\t".utf8)
      case 0..<0x20:
        bytes.append(contentsOf: "\\u00".utf8)
        bytes.append(contentsOf: [self.hex[Int(byte >> 4)], self.hex[Int(byte & 15)]])
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = []
    self.append(text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
