import FederatedData
import Foundation

/// A model in readable columns, or as JSON.
struct ModelPrint {
  private let outline: ModelOutline
  private let entities: [Entity]
  private let isWhole: Bool
  private let printsHashes: Bool

  /// - Parameter isWhole: whether what belongs to no entity is printed.
  init(_ model: ManagedObjectModel, entities: [Entity], isWhole: Bool, hashes: Bool) {
    self.outline = ModelOutline(of: model)
    self.entities = entities
    self.isWhole = isWhole
    self.printsHashes = hashes
  }

  private static let groups: [(kind: ModelItem.Kind, title: String, key: String)] = [
    (.attribute, "attributes", "attributes"), (.relationship, "relationships", "relationships"),
    (.fetchedProperty, "fetched properties", "fetchedProperties"),
  ]

  private func item(of entity: Entity) -> ModelItem? {
    self.outline.items(.entity).first { $0.name == entity.name }
  }

  // MARK: Text

  var text: String {
    var blocks = self.entities.map(self.text)
    guard self.isWhole else { return blocks.joined(separator: "\n") }
    if let model = self.outline.items(.model).first, !model.summary.isEmpty {
      blocks.insert("model\n  \(Self.visible(model.summary))\n", at: 0)
    }
    for (kind, title) in [
      (ModelItem.Kind.configuration, "configurations"), (.template, "fetch request templates"),
    ] {
      let items = self.outline.items(kind)
      if !items.isEmpty { blocks.append("\(title)\n" + Self.columns(items, indent: "  ")) }
    }
    for composite in self.outline.items(.composite) {
      let elements = self.outline.items(.element, of: composite.name)
      blocks.append("composite \(Self.visible(composite.name))\n" + Self.columns(elements, indent: "  "))
    }
    return blocks.joined(separator: "\n")
  }

  private func text(of entity: Entity) -> String {
    var lines = ["entity \(Self.visible(entity.name))"]
    for fact in self.item(of: entity)?.facts ?? [] {
      let summary = ModelItem.summary(of: [fact])
      if !summary.isEmpty { lines.append("  " + Self.visible(summary)) }
    }
    if self.printsHashes { lines.append("  version hash \(entity.versionHash.base64EncodedString())") }
    var text = lines.joined(separator: "\n") + "\n"
    for group in Self.groups {
      let items = self.outline.items(group.kind, of: entity.name)
      if !items.isEmpty { text += "  \(group.title)\n" + Self.columns(items, indent: "    ") }
    }
    return text
  }

  /// A line for each item: its name, what matters most, everything else beyond the usual.
  private static func columns(_ items: [ModelItem], indent: String) -> String {
    let rows = items.map { item in
      [
        self.visible(item.name), self.visible(ModelItem.summary(of: item.facts.prefix(1))),
        self.visible(ModelItem.summary(of: item.facts.dropFirst())),
      ]
    }
    let widths = (0..<2).map { column in rows.map { TextWidth.columns(of: $0[column]) }.max() ?? 0 }
    return rows.map { row in
      var line = indent
      for column in 0..<2 {
        line +=
          row[column] + String(repeating: " ", count: widths[column] - TextWidth.columns(of: row[column]) + 2)
      }
      line += row[2]
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }

  private static func visible(_ text: String) -> String { TableResultWriter.visible(text) }

  // MARK: JSON

  var json: JSONTree {
    var members: [(key: String, value: JSONTree)] = []
    if self.isWhole, let model = self.outline.items(.model).first { members += Self.members(of: model) }
    members.append(("entities", .array(self.entities.map(self.json))))
    guard self.isWhole else { return .object(members) }
    members.append(("configurations", .array(self.outline.items(.configuration).map(Self.json))))
    members.append(("fetchRequestTemplates", .array(self.outline.items(.template).map(Self.json))))
    members.append(
      (
        "composites",
        .array(
          self.outline.items(.composite).map { composite in
            let elements = self.outline.items(.element, of: composite.name).map(Self.json)
            return .object([("name", .text(composite.name)), ("elements", .array(elements))])
          })
      ))
    return .object(members)
  }

  private func json(of entity: Entity) -> JSONTree {
    var members: [(key: String, value: JSONTree)] = [("name", .text(entity.name))]
    if let item = self.item(of: entity) { members += Self.members(of: item) }
    if self.printsHashes { members.append(("versionHash", .text(entity.versionHash.base64EncodedString()))) }
    for group in Self.groups {
      members.append((group.key, .array(self.outline.items(group.kind, of: entity.name).map(Self.json))))
    }
    return .object(members)
  }

  private static func json(of item: ModelItem) -> JSONTree {
    .object([("name", .text(item.name))] + self.members(of: item))
  }

  /// Every fact that has a value; those with keys as one object.
  private static func members(of item: ModelItem) -> [(key: String, value: JSONTree)] {
    var members: [(key: String, value: JSONTree)] = []
    var seen: Set<String> = []
    for fact in item.facts where !fact.value.isNull {
      guard fact.key != nil else {
        members.append((fact.name, .value(fact.value)))
        continue
      }
      guard seen.insert(fact.name).inserted else { continue }
      let entries = item.facts.filter { $0.name == fact.name }
      members.append((fact.name, .object(entries.map { ($0.key ?? "", .value($0.value)) })))
    }
    return members
  }
}
