import FederatedModel
import XMLStream

/// One element while it is written: its attributes in the order of the editor that all such files come from.
///
/// A text that the file had, and that still says what the description says, is written as it was.
struct XcodeElementText {
  let name: String
  private var kept: [String: String]
  private var attributes: [String: String] = [:]
  var children: [XcodeElementText] = []
  private var literal: [ModelFileElement.Attribute]?
  private(set) var text = ""

  init(_ name: String, keeping kept: [String: String] = [:]) {
    self.name = name
    self.kept = kept
  }

  /// An element that is written as it was read.
  init(_ element: ModelFileElement) {
    self.init(element.name)
    self.literal = element.attributes
    self.children = element.children.map(XcodeElementText.init)
    self.text = element.text
  }

  // MARK: Attributes

  mutating func set(_ name: String, _ text: String?) {
    let kept = self.kept.removeValue(forKey: name)
    self.attributes[name] = text ?? (kept == "" ? "" : nil)
  }

  mutating func set(_ name: String, flag: Bool, default: Bool = false) {
    let kept = self.kept.removeValue(forKey: name)
    if let kept, ModelValueText.flag(kept) == flag {
      self.attributes[name] = kept
    } else if flag != `default` {
      self.attributes[name] = ModelValueText.text(flag)
    }
  }

  /// Zero is said by leaving the attribute out.
  mutating func set(_ name: String, number: Int) {
    let kept = self.kept.removeValue(forKey: name)
    if let kept, Int(kept) == number {
      self.attributes[name] = kept
    } else if number != 0 {
      self.attributes[name] = String(number)
    }
  }

  /// - Returns: false when model files have no text for the value.
  mutating func set(_ name: String, value: Value, of type: AttributeType) -> Bool {
    let kept = self.kept.removeValue(forKey: name)
    if let kept, ModelValueText.value(kept, of: type) == value {
      self.attributes[name] = kept
      return true
    }
    if value.isNull { return true }
    self.attributes[name] = ModelValueText.text(value)
    return self.attributes[name] != nil
  }

  // MARK: Writing

  func write(to writer: XMLByteWriter, depth: Int) throws(XMLError) {
    let indent = String(repeating: "    ", count: depth)
    writer.raw(indent + "<" + self.name)
    for attribute in self.literal ?? self.ordered {
      writer.raw(" " + attribute.name + "=\"")
      try writer.attribute(attribute.value)
      writer.raw("\"")
    }
    if self.children.isEmpty, self.text.isEmpty { return writer.raw("/>") }
    writer.raw(">")
    try writer.text(self.text)
    for child in self.children {
      writer.raw("\n")
      try child.write(to: writer, depth: depth + 1)
    }
    if !self.children.isEmpty { writer.raw("\n" + indent) }
    writer.raw("</" + self.name + ">")
  }

  /// Known names first, in their order, then the others by name.
  private var ordered: [ModelFileElement.Attribute] {
    let all = self.kept.merging(self.attributes) { _, written in written }
    let places = Dictionary(
      uniqueKeysWithValues: (Self.order[self.name] ?? []).enumerated().map { ($1, $0) })
    return all.map { .init($0.key, $0.value) }.sorted { a, b in
      let (x, y) = (places[a.name] ?? .max, places[b.name] ?? .max)
      return x == y ? a.name < b.name : x < y
    }
  }

  private static let order: [String: [String]] = [
    "model": [
      "type", "documentVersion", "lastSavedToolsVersion", "systemVersion", "minimumToolsVersion",
      "sourceLanguage",
      "usedWithCloudKit", "usedWithSwiftData", "userDefinedModelVersionIdentifier",
    ],
    "entity": [
      "name", "representedClassName", "parentEntity", "isAbstract", "versionHashModifier", "elementID",
      "syncable",
      "codeGenerationType",
    ],
    "attribute": [
      "name", "optional", "transient", "attributeType", "composite", "valueTransformerName", "minValueString",
      "maxValueString", "minDateTimeInterval", "maxDateTimeInterval", "regularExpressionString",
      "defaultValueString", "defaultDateTimeInterval", "customClassName", "derived", "derivationExpression",
      "usesScalarValueType", "allowsExternalBinaryDataStorage", "preserveAfterDeletion", "indexed",
      "elementID",
      "versionHashModifier", "syncable",
    ],
    "relationship": [
      "name", "optional", "transient", "toMany", "minCount", "maxCount", "deletionRule", "ordered",
      "destinationEntity", "inverseName", "inverseEntity", "indexed", "elementID", "versionHashModifier",
      "syncable",
    ],
    "fetchedProperty": ["name", "optional", "transient", "elementID", "versionHashModifier", "syncable"],
    "fetchRequest": [
      "name", "entity", "predicateString", "resultType", "fetchLimit", "fetchBatchSize", "includeSubentities",
      "includePropertyValues", "includesPendingChanges", "returnObjectsAsFaults", "returnDistinctResults",
      "federated.sort", "federated.offset",
    ],
    "fetchIndex": ["name", "partialIndexPredicate"],
    "fetchIndexElement": ["property", "expression", "expressionType", "type", "order"],
    "configuration": ["name"],
    "entry": ["key", "value"],
  ]
}
