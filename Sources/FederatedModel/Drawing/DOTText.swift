/// A drawing in the language of Graphviz.
struct DOTText {
  private(set) var text = """
    digraph model {
      graph [rankdir=LR, compound=true];
      node [shape=none, margin=0];

    """

  init(_ diagram: ModelDiagram) {
    for (place, frame) in diagram.frames.enumerated() {
      guard let name = frame.name else {
        for box in frame.boxes { self.add(box, indent: "  ") }
        continue
      }
      self.text += "  subgraph cluster_\(place + 1) {\n    label=\(Self.quoted(name));\n"
      for box in frame.boxes { self.add(box, indent: "    ") }
      self.text += "  }\n"
    }
    for line in diagram.lines { self.add(line) }
    self.text += "}\n"
  }

  private mutating func add(_ box: ModelDiagram.Box, indent: String) {
    let title = Self.markup(box.name)
    var rows = "<tr><td><b>\(box.isAbstract ? "<i>\(title)</i>" : title)</b></td></tr>"
    if !box.attributes.isEmpty {
      let lines = box.attributes.map { $0.text(Self.markup) + "<br align=\"left\"/>" }.joined()
      rows += "<tr><td align=\"left\" balign=\"left\">\(lines)</td></tr>"
    }
    self.text +=
      "\(indent)\(Self.quoted(box.name)) "
      + "[label=<<table border=\"0\" cellborder=\"1\" cellspacing=\"0\">\(rows)</table>>];\n"
  }

  private mutating func add(_ line: ModelDiagram.Line) {
    var options: [String]
    switch line.kind {
    case .inheritance: options = ["arrowhead=empty"]
    case .oneWay: options = ["arrowhead=vee"]
    case .bothWays: options = ["dir=both", "arrowhead=vee", "arrowtail=vee"]
    case .fetched: options = ["style=dashed", "arrowhead=vee"]
    }
    if !line.properties.isEmpty { options.append("label=\(Self.quoted(line.label { $0 }))") }
    if let count = line.fromCount { options.append("taillabel=\(Self.quoted(count))") }
    if let count = line.toCount { options.append("headlabel=\(Self.quoted(count))") }
    self.text +=
      "  \(Self.quoted(line.from)) -> \(Self.quoted(line.to)) [\(options.joined(separator: ", "))];\n"
  }

  // MARK: Names

  /// A quoted text. Backslashes are doubled: Graphviz gives some of them a meaning in labels.
  private static func quoted(_ text: String) -> String {
    let quoted = self.replacing(in: self.visible(text)) { scalar in
      switch scalar {
      case "\\": "\\\\"
      case "\"": "\\\""
      default: nil
      }
    }
    return "\"\(quoted)\""
  }

  /// Text inside a label that is markup.
  private static func markup(_ text: String) -> String {
    self.replacing(in: self.visible(text)) { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      default: nil
      }
    }
  }

  /// Controls by their numbers: no form has a place for them.
  private static func visible(_ text: String) -> String {
    self.replacing(in: text) { scalar in
      scalar.properties.generalCategory == .control ? "\\u{\(String(scalar.value, radix: 16))}" : nil
    }
  }

  /// By scalars: a quote with a combining mark behind it is one character, and still a quote.
  private static func replacing(in text: String, _ replacement: (Unicode.Scalar) -> String?) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if let text = replacement(scalar) { result += text } else { result.unicodeScalars.append(scalar) }
    }
    return result
  }
}
