import Foundation

/// One value of a JSON document, typed: what Foundation's decoder finds, by kind.
indirect enum JSONNode: Decodable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONNode])
  case object([String: JSONNode])

  /// Decodes a document.
  /// - Throws: ``JSONSyntaxError`` with line and column, which Foundation tells as an offset in its text.
  static func read(_ bytes: Data) throws(JSONSyntaxError) -> JSONNode {
    do {
      // The decoder types values but hides where a document breaks off; the serialization is the other way.
      _ = try JSONSerialization.jsonObject(with: bytes, options: .fragmentsAllowed)
      return try JSONDecoder().decode(JSONNode.self, from: bytes)
    } catch {
      throw JSONSyntaxError(error, in: bytes)
    }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
      return
    }
    let kinds: [() throws -> JSONNode] = [
      { .bool(try container.decode(Bool.self)) }, { .number(try container.decode(Double.self)) },
      { .string(try container.decode(String.self)) }, { .array(try container.decode([JSONNode].self)) },
    ]
    for kind in kinds {
      do {
        self = try kind()
        return
      } catch DecodingError.typeMismatch {
        continue
      }
    }
    self = .object(try container.decode([String: JSONNode].self))
  }

  /// What the value is, for messages.
  var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

/// Why a text is no JSON, and where.
struct JSONSyntaxError: Error {
  let line: Int
  /// Counted in characters of UTF-8 text, from 1.
  let column: Int
  let detail: String

  init(_ error: any Error, in bytes: Data) {
    let reason = (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String ?? "\(error)"
    // "… around character 15." counts bytes; without it the end of the file is meant.
    let told = reason.firstMatch(of: /character (\d+)/).flatMap { Int($0.output.1) }
    let before = bytes.prefix(told ?? bytes.count)
    let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? before.startIndex
    self.line = before.count { $0 == 0x0A } + 1
    // Continuation bytes do not begin a character.
    self.column = before[lineStart...].count { $0 & 0xC0 != 0x80 } + 1
    let what = reason.replacing(/\ around character \d+\.?/, with: "").trimmingSuffix(".")
    self.detail = "this is no JSON: \(what.prefix(1).lowercased())\(what.dropFirst()); mend it here"
  }
}

extension String {
  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    self.hasSuffix(suffix) ? String(self.dropLast(suffix.count)) : self
  }
}
