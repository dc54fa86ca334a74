/// One value of a JSON document, with the place where it begins.
///
/// Foundation's decoders do not tell where a value stands; messages about a file that people write by hand
/// must.
struct JSONNode {
  let line: Int
  /// Counted in characters of UTF-8 text, from 1.
  let column: Int
  let content: Content

  enum Content {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONNode])
    /// Members in the order of the file; the place of a member is that of its key.
    case object([Member])
  }

  struct Member {
    let key: String
    let line: Int
    let column: Int
    let value: JSONNode
  }

  /// What the value is, for messages.
  var kind: String {
    switch self.content {
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
  let column: Int
  let detail: String
}
