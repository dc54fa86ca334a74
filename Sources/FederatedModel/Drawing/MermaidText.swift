/// A drawing as a Mermaid class diagram.
///
/// A class has its entity's name where Mermaid takes it for a name, and else a number and the name as its label. In
/// names every character but letters, digits, blanks, `_` and `.` is written by its number, which Mermaid turns back, so
/// that no name can be taken for syntax.
struct MermaidText {
  private(set) var text = "classDiagram\n"
  private var names: [String: String] = [:]

  init(_ diagram: ModelDiagram) {
    let boxes = diagram.frames.flatMap(\.boxes)
    for (place, box) in boxes.enumerated() {
      self.names[box.name] = Self.isPlain(box.name) ? box.name : "entity_\(place + 1)"
    }
    var frameNames: Set<String> = []
    for frame in diagram.frames {
      guard let name = frame.name else {
        for box in frame.boxes { self.add(box, indent: "  ") }
        continue
      }
      self.text += "  namespace \(Self.frameName(name, among: &frameNames)) {\n"
      for box in frame.boxes { self.add(box, indent: "    ") }
      self.text += "  }\n"
    }
    for line in diagram.lines { self.add(line) }
  }

  private mutating func add(_ box: ModelDiagram.Box, indent: String) {
    let name = self.names[box.name] ?? box.name
    self.text += "\(indent)class \(name)"
    if name != box.name { self.text += "[\"\(Self.escaped(box.name))\"]" }
    let lines = (box.isAbstract ? ["<<abstract>>"] : []) + box.attributes.map { $0.text(Self.escaped) }
    if lines.isEmpty {
      self.text += "\n"
    } else {
      self.text += " {\n" + lines.map { "\(indent)  \($0)\n" }.joined() + "\(indent)}\n"
    }
  }

  private mutating func add(_ line: ModelDiagram.Line) {
    let arrow =
      switch line.kind {
      case .inheritance: "--|>"
      case .oneWay: "-->"
      case .bothWays: "<-->"
      case .fetched: "..>"
      }
    let parts = [
      self.names[line.from], line.fromCount.map { "\"\($0)\"" }, arrow, line.toCount.map { "\"\($0)\"" },
      self.names[line.to], line.properties.isEmpty ? nil : ": \(line.label(Self.escaped))",
    ]
    self.text += "  " + parts.compactMap(\.self).joined(separator: " ") + "\n"
  }

  // MARK: Names

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      if scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || [" ", "_", "."].contains(scalar) {
        escaped.unicodeScalars.append(scalar)
      } else {
        escaped += "#\(scalar.value);"
      }
    }
    return escaped
  }

  /// Whether Mermaid takes the text for the name of a class, and it is none of those that are given here.
  private static func isPlain(_ name: String) -> Bool {
    name.wholeMatch(of: /[A-Za-z][A-Za-z0-9_]*/) != nil && !name.hasPrefix("entity_")
      && !self.reserved.contains(name.lowercased())
  }

  /// Words that begin a statement, or that a line would be read as.
  private static let reserved: Set<String> = [
    "accdescr", "acctitle", "bt", "call", "callback", "class", "classdef", "classdiagram", "click",
    "constructor",
    "cssclass", "default", "direction", "end", "href", "link", "links", "lr", "namespace", "note", "o",
    "prototype",
    "rl", "style", "subgraph", "tb", "td", "title",
  ]

  /// A namespace has no label: letters and digits of the name, and a number where two become alike.
  private static func frameName(_ name: String, among names: inout Set<String>) -> String {
    var plain = ""
    for scalar in name.unicodeScalars {
      let isKept = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
      if isKept { plain.unicodeScalars.append(scalar) } else if !plain.hasSuffix("_") { plain += "_" }
    }
    let first = plain.unicodeScalars.first
    if first.map({ !$0.properties.isAlphabetic }) ?? true || self.reserved.contains(plain.lowercased()) {
      plain = "store_" + plain
    }
    var free = plain
    var number = 2
    while !names.insert(free).inserted {
      free = "\(plain)_\(number)"
      number += 1
    }
    return free
  }
}
