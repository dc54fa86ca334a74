extension VersionHash {
  /// The bytes that a hash is taken over.
  private struct Fields {
    private(set) var bytes: [UInt8] = []

    mutating func add(_ text: String?) {
      guard let text else {
        self.bytes.append(UInt8(ascii: "-"))
        return
      }
      let utf8 = Array(text.utf8)
      self.bytes += "\(utf8.count):".utf8
      self.bytes += utf8
    }

    mutating func add(_ flag: Bool) { self.add(flag ? "1" : "0") }
    mutating func add(_ number: Int) { self.add(String(number)) }
    mutating func add(_ hash: [UInt8]) {
      let digits = Array("0123456789abcdef".utf8)
      self.add(
        String(decoding: hash.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self))
    }
  }

  static func bytes(of attribute: AttributeDescription) -> [UInt8] {
    var fields = self.common(attribute, kind: "attribute", readOnly: false)
    fields.add(self.name(of: attribute.type))
    return SHA256.hash(fields.bytes)
  }

  static func bytes(of relationship: RelationshipDescription) -> [UInt8] {
    var fields = self.common(relationship, kind: "relationship", readOnly: false)
    fields.add(relationship.destination)
    fields.add(relationship.inverse)
    fields.add(relationship.minCount)
    fields.add(relationship.maxCount)
    fields.add(relationship.isOrdered && relationship.isToMany)
    return SHA256.hash(fields.bytes)
  }

  static func bytes(of fetched: FetchedPropertyDescription) -> [UInt8] {
    SHA256.hash(self.common(fetched, kind: "fetched", readOnly: true).bytes)
  }

  /// - Parameter parent: the hash of the parent entity.
  static func bytes(of entity: EntityDescription, parent: [UInt8]?) -> [UInt8] {
    var fields = Fields()
    fields.add("entity")
    fields.add(entity.name)
    if let parent { fields.add(parent) } else { fields.add(nil) }
    fields.add(entity.isAbstract)
    fields.add(entity.versionHashModifier)
    let properties = entity.properties.compactMap { property -> (name: String, hash: [UInt8])? in
      switch property {
      case let attribute as AttributeDescription: (attribute.name, self.bytes(of: attribute))
      case let relationship as RelationshipDescription: (relationship.name, self.bytes(of: relationship))
      default: nil
      }
    }
    fields.add(properties.count)
    for (_, hash) in properties.sorted(by: { self.precedes($0.name, $1.name) }) { fields.add(hash) }
    let constraints = entity.uniquenessConstraints
      .map { $0.sorted(by: self.precedes) }
      .sorted { a, b in a.lexicographicallyPrecedes(b, by: self.precedes) }
    fields.add(constraints.count)
    for constraint in constraints {
      fields.add(constraint.count)
      for name in constraint { fields.add(name) }
    }
    return SHA256.hash(fields.bytes)
  }

  private static func common(
    _ property: some PropertyDescription, kind: String, readOnly: Bool
  ) -> Fields {
    var fields = Fields()
    fields.add("property")
    fields.add(kind)
    fields.add(property.name)
    fields.add(property.isOptional)
    fields.add(property.isTransient)
    fields.add(readOnly)
    fields.add(property.versionHashModifier)
    return fields
  }

  /// A codec is not part of the type: it changes what bytes mean, not that they are bytes.
  private static func name(of type: AttributeType) -> String {
    switch type {
    case .undefined: "undefined"
    case .integer16: "integer16"
    case .integer32: "integer32"
    case .integer64: "integer64"
    case .decimal: "decimal"
    case .double: "double"
    case .float: "float"
    case .string: "string"
    case .boolean: "boolean"
    case .date: "date"
    case .binary: "binary"
    case .uuid: "uuid"
    case .uri: "uri"
    case .transformable: "transformable"
    case .composite(let name): "composite \(name)"
    }
  }

  private static func precedes(_ a: String, _ b: String) -> Bool { a.utf8.lexicographicallyPrecedes(b.utf8) }
}
