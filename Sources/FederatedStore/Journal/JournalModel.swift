internal import FederatedModel
internal import Foundation

/// What a journal keeps of the model that its rows were made under, so that any process can read them.
///
/// Everything that decides how rows lie and how stores keep them is there; classes, defaults, validation and
/// fetched properties are not.
struct JournalModel: Codable, Equatable {
  private var entities: [JournalEntity]
  private var configurations: [JournalConfiguration]
  private var composites: [String]
  private var versionIdentifiers: [String]

  init(_ model: ManagedObjectModel) {
    self.entities = model.draft.entities.map(JournalEntity.init)
    self.configurations = model.configurations.map { .init(name: $0.name, entities: $0.entities) }
    self.composites = model.composites.map(\.name)
    self.versionIdentifiers = model.versionIdentifiers
  }

  /// The model again, frozen.
  func frozen() throws -> ManagedObjectModel {
    try ManagedObjectModel(
      ModelDraft(
        entities: self.entities.map { try $0.description },
        configurations: self.configurations.map { ModelConfiguration($0.name, entities: $0.entities) },
        // No store holds their elements.
        composites: self.composites.map { CompositeDescription($0, elements: []) },
        versionIdentifiers: self.versionIdentifiers))
  }

  /// Whether rows of one model lie like those of the other, entity by entity.
  static func haveSameRows(_ one: ManagedObjectModel, _ other: ManagedObjectModel) -> Bool {
    one.entities.count == other.entities.count
      && zip(one.entities, other.entities).allSatisfy { one, other in
        one.name == other.name && one.versionHash == other.versionHash
          && one.layout.columns == other.layout.columns
          && one.relationships.map(\.name) == other.relationships.map(\.name)
      }
  }
}

private struct JournalConfiguration: Codable, Equatable {
  var name: String
  var entities: [String]
}

private struct JournalEntity: Codable, Equatable {
  var name: String
  var parent: String?
  var isAbstract: Bool
  var modifier: String?
  var constraints: [[String]]
  var attributes: [JournalAttribute]
  var relationships: [JournalRelationship]
  /// The names of attributes and relationships in the order of the model, which is that of the slots.
  var order: [String]

  init(_ entity: EntityDescription) {
    self.name = entity.name
    self.parent = entity.parent
    self.isAbstract = entity.isAbstract
    self.modifier = entity.versionHashModifier
    self.constraints = entity.uniquenessConstraints
    self.attributes = entity.properties.compactMap {
      ($0 as? AttributeDescription).map(JournalAttribute.init)
    }
    self.relationships = entity.properties.compactMap {
      ($0 as? RelationshipDescription).map(JournalRelationship.init)
    }
    self.order = entity.properties.filter { !($0 is FetchedPropertyDescription) }.map(\.name)
  }

  var description: EntityDescription {
    get throws {
      let attributes = try Dictionary(
        self.attributes.map { ($0.name, try $0.description) }, uniquingKeysWith: { first, _ in first })
      let relationships = Dictionary(
        self.relationships.map { ($0.name, $0.description) }, uniquingKeysWith: { first, _ in first })
      var entity = EntityDescription(self.name, parent: self.parent, abstract: self.isAbstract)
      entity.versionHashModifier = self.modifier
      entity.uniquenessConstraints = self.constraints
      entity.properties = self.order.compactMap { name -> (any PropertyDescription)? in
        attributes[name] ?? relationships[name]
      }
      return entity
    }
  }
}

private struct JournalAttribute: Codable, Equatable {
  var name: String
  var type: String
  /// The codec of a transformable, or the name of a composite.
  var typeName: String?
  var isOptional: Bool
  var isTransient: Bool
  var modifier: String?
  var isExternal: Bool
  var derivation: String?

  init(_ attribute: AttributeDescription) {
    self.name = attribute.name
    (self.type, self.typeName) = JournalAttribute.words(attribute.type)
    self.isOptional = attribute.isOptional
    self.isTransient = attribute.isTransient
    self.modifier = attribute.versionHashModifier
    self.isExternal = attribute.allowsExternalBinaryDataStorage
    self.derivation = attribute.derivationExpression
  }

  var description: AttributeDescription {
    get throws {
      var attribute = AttributeDescription(self.name, try self.attributeType, optional: self.isOptional)
      attribute.isTransient = self.isTransient
      attribute.versionHashModifier = self.modifier
      attribute.allowsExternalBinaryDataStorage = self.isExternal
      attribute.derivationExpression = self.derivation
      return attribute
    }
  }

  private static let plain: [(String, AttributeType)] = [
    ("undefined", .undefined), ("integer16", .integer16), ("integer32", .integer32),
    ("integer64", .integer64), ("decimal", .decimal), ("double", .double), ("float", .float),
    ("string", .string), ("boolean", .boolean), ("date", .date), ("binary", .binary), ("uuid", .uuid),
    ("uri", .uri),
  ]

  private static func words(_ type: AttributeType) -> (String, String?) {
    switch type {
    case .transformable(let codec): ("transformable", codec)
    case .composite(let name): ("composite", name)
    default: (self.plain.first { $0.1 == type }?.0 ?? "undefined", nil)
    }
  }

  private var attributeType: AttributeType {
    get throws {
      // Without its codec a transformable is the bytes that stores keep.
      if self.type == "transformable" { return .transformable(codec: nil) }
      if self.type == "composite" { return .composite(name: self.typeName ?? "") }
      if let type = JournalAttribute.plain.first(where: { $0.0 == self.type })?.1 { return type }
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: [], debugDescription: "\(self.type) is no attribute type"))
    }
  }
}

private struct JournalRelationship: Codable, Equatable {
  var name: String
  var destination: String
  var inverse: String?
  var inverseEntity: String?
  var minCount: Int
  var maxCount: Int
  var isOrdered: Bool
  var isOptional: Bool
  var isTransient: Bool
  var modifier: String?

  init(_ relationship: RelationshipDescription) {
    self.name = relationship.name
    self.destination = relationship.destination
    self.inverse = relationship.inverse
    self.inverseEntity = relationship.inverseEntity
    self.minCount = relationship.minCount
    self.maxCount = relationship.maxCount
    self.isOrdered = relationship.isOrdered
    self.isOptional = relationship.isOptional
    self.isTransient = relationship.isTransient
    self.modifier = relationship.versionHashModifier
  }

  var description: RelationshipDescription {
    var relationship = RelationshipDescription(self.name, to: self.destination, inverse: self.inverse)
    relationship.inverseEntity = self.inverseEntity
    relationship.minCount = self.minCount
    relationship.maxCount = self.maxCount
    relationship.isOrdered = self.isOrdered
    relationship.isOptional = self.isOptional
    relationship.isTransient = self.isTransient
    relationship.versionHashModifier = self.modifier
    return relationship
  }
}
