import FederatedData

/// A JSON document whose keys keep their order.
indirect enum JSONTree {
  case value(Value)
  case array([JSONTree])
  case object([(key: String, value: JSONTree)])

  static func text(_ text: String?) -> JSONTree { .value(text.map(Value.string) ?? .null) }
  static func flag(_ flag: Bool) -> JSONTree { .value(.bool(flag)) }

  /// The document on lines of two blanks' indentation each; what holds nothing but values stands on one line.
  var text: String {
    var bytes: [UInt8] = []
    self.append(to: &bytes, indent: 0)
    return String(decoding: bytes, as: UTF8.self) + "\n"
  }

  private var isFlat: Bool {
    switch self {
    case .value: true
    case .array(let elements): elements.allSatisfy { if case .value = $0 { true } else { false } }
    case .object(let members): members.allSatisfy { if case .value = $0.value { true } else { false } }
    }
  }

  private func append(to bytes: inout [UInt8], indent: Int) {
    switch self {
    case .value(let value): ValueText.appendJSON(value, type: nil, to: &bytes)
    case .array(let elements):
      self.append("[", elements.map { (nil, $0) }, "]", to: &bytes, indent: indent)
    case .object(let members):
      self.append("{", members.map { ($0.key, $0.value) }, "}", to: &bytes, indent: indent)
    }
  }

  private func append(
    _ open: String, _ members: [(String?, JSONTree)], _ close: String, to bytes: inout [UInt8], indent: Int
  ) {
    let inner = self.isFlat ? "" : "\n" + String(repeating: "  ", count: indent + 1)
    bytes.append(contentsOf: open.utf8)
    for (place, (key, value)) in members.enumerated() {
      if place > 0 { bytes.append(contentsOf: (self.isFlat ? ", " : ",").utf8) }
      bytes.append(contentsOf: inner.utf8)
      if let key {
        JSONText.append(key, to: &bytes)
        bytes.append(contentsOf: ": ".utf8)
      }
      value.append(to: &bytes, indent: indent + 1)
    }
    if !self.isFlat { bytes.append(contentsOf: ("\n" + String(repeating: "  ", count: indent)).utf8) }
    bytes.append(contentsOf: close.utf8)
  }
}
