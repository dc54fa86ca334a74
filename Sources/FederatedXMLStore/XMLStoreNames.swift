internal import FederatedModel
internal import Foundation

/// A model's names as an XML store writes them, and what they stand for.
///
/// Entities stand upper-cased and properties lower-cased. Reading does not mind the case.
final class XMLStoreNames {
  let model: ManagedObjectModel
  /// By entity's number.
  let entities: [XMLEntityNames]
  private let entityByName: [String: Int]
  /// The entity found last: rows of one entity mostly follow one another.
  private var last = 0

  init(_ model: ManagedObjectModel) {
    self.model = model
    self.entities = model.entities.map { XMLEntityNames($0, in: model) }
    self.entityByName = Dictionary(
      self.entities.enumerated().map { ($1.foldedName, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The entity that an `object` element names; nil when the model has none of that name.
  func entity(named name: UnsafeRawBufferPointer) -> XMLEntityNames? {
    if self.entities.isEmpty { return nil }
    let recent = self.entities[self.last]
    if recent.name.matches(name) { return recent }
    guard let found = self.entityByName[String(decoding: name, as: UTF8.self).lowercased()] else {
      return nil
    }
    self.last = found
    return self.entities[found]
  }
}

/// An entity's name and those of its stored properties.
final class XMLEntityNames {
  let entity: Entity
  let name: [UInt8]
  let foldedName: String
  /// Attributes, then to-ones, then to-manys, each in the order of the model: the order of a new row.
  let properties: [XMLPropertyName]
  /// Of each property where its values go; nil for relationships.
  let columns: [XMLValueReader.Column?]
  private let propertyByName: [String: Int]
  /// Properties as rows of the file had them, so that the next one is mostly the one expected.
  private var sequence: [Int] = []

  init(_ entity: Entity, in model: ManagedObjectModel) {
    self.entity = entity
    self.name = Array(entity.name.uppercased().utf8)
    self.foldedName = entity.name.lowercased()
    var properties: [XMLPropertyName] = []
    for attribute in entity.attributes {
      guard let slot = attribute.slot, let kind = attribute.type.slotKind else { continue }
      properties.append(XMLPropertyName(attribute, slot: slot, kind: kind))
    }
    for toMany in [false, true] {
      for relationship in entity.relationships
      where relationship.isToMany == toMany && !relationship.isTransient {
        properties.append(XMLPropertyName(relationship, destination: model[relationship.destination].name))
      }
    }
    self.properties = properties
    self.columns = properties.map { property in
      guard case .attribute(let slot, let kind, let attribute) = property.kind else { return nil }
      return XMLValueReader.Column(slot: slot, kind: kind, type: attribute.type)
    }
    self.propertyByName = Dictionary(
      properties.enumerated().map { ($1.foldedName, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The place in ``properties`` of a name in the file; nil when the entity has no such stored property.
  /// - Parameter position: the place of the element among its siblings.
  func property(named name: UnsafeRawBufferPointer, at position: Int) -> Int? {
    if position < self.sequence.count {
      let expected = self.sequence[position]
      if self.properties[expected].name.matches(name) { return expected }
    }
    guard let found = self.search(name) else { return nil }
    if position < self.sequence.count {
      self.sequence[position] = found
    } else if position == self.sequence.count {
      self.sequence.append(found)
    }
    return found
  }

  private func search(_ name: UnsafeRawBufferPointer) -> Int? {
    for place in self.properties.indices where self.properties[place].name.matches(name) { return place }
    return self.propertyByName[String(decoding: name, as: UTF8.self).lowercased()]
  }
}

/// A stored property and how its elements begin.
struct XMLPropertyName {
  let name: [UInt8]
  let foldedName: String
  let kind: Kind
  /// The start tag: of an attribute the whole of it, of a relationship up to its `idrefs`.
  let startTag: [UInt8]

  enum Kind {
    case attribute(slot: Int, kind: SlotKind, attribute: Attribute)
    case toOne(slot: Int, relationship: Relationship)
    case toMany(relationship: Relationship)
  }

  init(_ attribute: Attribute, slot: Int, kind: SlotKind) {
    self.foldedName = attribute.name.lowercased()
    self.name = Array(self.foldedName.utf8)
    self.kind = .attribute(slot: slot, kind: kind, attribute: attribute)
    self.startTag = Array("<attribute name=\"\(self.foldedName)\" type=\"\(attribute.type.xmlName)\">".utf8)
  }

  init(_ relationship: Relationship, destination: String) {
    self.foldedName = relationship.name.lowercased()
    self.name = Array(self.foldedName.utf8)
    if let slot = relationship.slot {
      self.kind = .toOne(slot: slot, relationship: relationship)
    } else {
      self.kind = .toMany(relationship: relationship)
    }
    let least = max(0, relationship.description.minCount)
    let most = relationship.isToMany ? max(0, relationship.description.maxCount) : 1
    self.startTag = Array(
      ("<relationship name=\"\(self.foldedName)\" type=\"\(least)/\(most)\""
        + " destination=\"\(destination.uppercased())\"").utf8)
  }

  var relationship: Relationship? {
    switch self.kind {
    case .attribute: nil
    case .toOne(_, let relationship), .toMany(let relationship): relationship
    }
  }
}

extension AttributeType {
  /// The word that an `attribute` element has for the type.
  var xmlName: String {
    switch self {
    case .integer16: "int16"
    case .integer32: "int32"
    case .integer64: "int64"
    case .decimal: "decimal"
    case .double: "double"
    case .float: "float"
    case .string: "string"
    case .boolean: "bool"
    case .date: "date"
    case .binary: "binary"
    case .uuid: "uuid"
    case .uri: "uri"
    case .transformable: "transformable"
    case .undefined, .composite: "undefined"
    }
  }
}

extension [UInt8] {
  /// Whether the bytes are these.
  @inline(__always) func matches(_ other: UnsafeRawBufferPointer) -> Bool {
    self.count == other.count
      && self.withUnsafeBytes { mine in
        mine.isEmpty || memcmp(mine.baseAddress!, other.baseAddress!, mine.count) == 0
      }
  }
}
