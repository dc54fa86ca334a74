import FederatedModel
import Foundation

extension CompiledModelReader {
  mutating func property(
    _ object: ArchivedValue, named name: String, of entity: String
  ) throws(ModelFileError) -> any PropertyDescription {
    switch try object.className() ?? "" {
    case "NSAttributeDescription", "NSDerivedAttributeDescription":
      return try self.attribute(object, named: name, of: entity)
    case "NSRelationshipDescription": return try self.relationship(object, named: name, of: entity)
    case "NSFetchedPropertyDescription": return try self.fetchedProperty(object, named: name, of: entity)
    case let other:
      throw object.error(
        .unsupportedObject,
        "Property \"\(name)\" of \"\(entity)\" is of class \(other), which is not read. "
          + "Name the .xcdatamodeld that this model was compiled from.")
    }
  }

  // MARK: Attributes

  private mutating func attribute(
    _ object: ArchivedValue, named name: String, of entity: String
  ) throws(ModelFileError) -> AttributeDescription {
    let number = try object.integer("NSAttributeType") ?? 0
    guard
      let type = AttributeType(
        compiledNumber: number, transformer: try object.nonEmptyText("NSValueTransformerName"))
    else {
      throw object.error(
        .unsupportedObject,
        "Attribute \"\(name)\" of \"\(entity)\" is of type \(number), which no store holds.")
    }
    var attribute = AttributeDescription(name, type)
    attribute.isOptional = try object.flag("NSIsOptional")
    attribute.isTransient = try object.flag("NSIsTransient")
    attribute.isIndexed = try object.flag("NSIsIndexed")
    attribute.renamingIdentifier = try self.renaming(of: object, name)
    attribute.versionHashModifier = try object.nonEmptyText("NSVersionHashModifier")
    attribute.userInfo = try self.userInfo(of: object, entity, name)
    let flags = try object.integer("NSFlagsKey") ?? 0
    attribute.allowsExternalBinaryDataStorage = flags & 4 != 0
    attribute.preservesValueInHistoryOnDeletion = flags & 16 != 0
    if case .transformable = type {
      attribute.valueClassName = try object.nonEmptyText("NSAttributeValueClassName")
    }
    if let value = try object.field("NSDefaultValue") {
      attribute.defaultValue = try self.defaultValue(value, of: type, entity, name)
    }
    if let expression = try object.field("NSDerivationExpression") {
      attribute.derivationExpression = try self.derivation(expression, entity, name)
    }
    if try object.field("NSFilteringPredicate") != nil {
      self.tell(
        .unsupportedProperty, entity, name,
        "The derivation has a filter (object \(object.number)), which is not kept: the store's own triggers apply it."
      )
    }
    try self.readValidation(of: &attribute, object, entity)
    return attribute
  }

  private mutating func defaultValue(
    _ value: ArchivedValue, of type: AttributeType, _ entity: String, _ name: String
  ) throws(ModelFileError) -> Value {
    do throws(ModelFileError) {
      var constant = try value.constant()
      // Flags and numbers are one class in archives.
      switch (type, constant) {
      case (.boolean, .int(let number)): constant = .bool(number != 0)
      case (.integer16, .bool(let flag)), (.integer32, .bool(let flag)), (.integer64, .bool(let flag)),
        (.double, .bool(let flag)), (.float, .bool(let flag)), (.decimal, .bool(let flag)):
        constant = .int(flag ? 1 : 0)
      case (.uri, .string(let text)): constant = .uri(text)
      default: break
      }
      if let normalized = type.normalized(constant) { return normalized }
      self.tell(
        .unreadableValue, entity, name,
        "The default \(constant) (object \(value.number)) is no value of type \(type). It is left out.")
    } catch {
      guard error.code == .unsupportedObject else { throw error }
      self.tell(
        .unreadableValue, entity, name,
        "The default is left out: \(error.detail) (object \(error.object ?? value.number))")
    }
    return .null
  }

  /// The text that the editor shows for a derivation.
  private mutating func derivation(
    _ value: ArchivedValue, _ entity: String, _ name: String
  ) throws(ModelFileError) -> String? {
    do throws(ModelFileError) {
      switch try value.expression() {
      case .function(let function, let operands) where operands.count == 1:
        guard case .keyPath(let keys) = operands[0] else { return "\(function):(\(operands[0]))" }
        switch function {
        case "count": return (keys + ["@count"]).joined(separator: ".")
        case "sum", "min", "max", "average":
          let collection = function == "average" ? "@avg" : "@\(function)"
          return ([keys[0], collection] + keys.dropFirst()).joined(separator: ".")
        default: return "\(function):(\(operands[0]))"
        }
      case let expression: return expression.description
      }
    } catch {
      guard error.code == .unsupportedObject else { throw error }
      self.tell(
        .unsupportedProperty, entity, name,
        "The derivation is left out: \(error.detail) (object \(error.object ?? value.number))")
      return nil
    }
  }

  // MARK: Links

  private mutating func relationship(
    _ object: ArchivedValue, named name: String, of entity: String
  ) throws(ModelFileError) -> RelationshipDescription {
    let named = try object.nonEmptyText("_NSDestinationEntityName")
    let described = try object.field("NSDestinationEntity")?.text("NSEntityName")
    guard let destination = named ?? described else {
      throw object.error(
        .malformedArchive,
        "Relationship \"\(name)\" of \"\(entity)\" has no destination. Compile the model again.")
    }
    var relationship = RelationshipDescription(name, to: destination)
    relationship.minCount = max(0, Int(truncatingIfNeeded: try object.integer("NSMinCount") ?? 0))
    // Two numbers stand for no bound.
    relationship.maxCount = max(0, Int(truncatingIfNeeded: try object.integer("NSMaxCount") ?? 0))
    relationship.isOrdered = try object.flag("NSIsOrdered")
    relationship.isOptional = try object.flag("NSIsOptional")
    relationship.isTransient = try object.flag("NSIsTransient")
    relationship.isIndexed = try object.flag("NSIsIndexed")
    let inverse = try object.field("NSInverseRelationship")?.nonEmptyText("NSPropertyName")
    relationship.inverse = try object.nonEmptyText("_NSInverseRelationshipName") ?? inverse
    relationship.renamingIdentifier = try self.renaming(of: object, name)
    relationship.versionHashModifier = try object.nonEmptyText("NSVersionHashModifier")
    relationship.userInfo = try self.userInfo(of: object, entity, name)
    let rules: [RelationshipDescription.DeleteRule] = [.noAction, .nullify, .cascade, .deny]
    let rule = Int(truncatingIfNeeded: try object.integer("NSDeleteRule") ?? 1)
    guard rules.indices.contains(rule) else {
      throw object.error(.malformedArchive, "\(rule) is no delete rule of \"\(entity)\".\"\(name)\".")
    }
    relationship.deleteRule = rules[rule]
    try self.refuseValidation(of: object, entity, name)
    return relationship
  }

  private mutating func fetchedProperty(
    _ object: ArchivedValue, named name: String, of entity: String
  ) throws(ModelFileError) -> FetchedPropertyDescription {
    var fetched = FetchedPropertyDescription(name, nil)
    fetched.isOptional = try object.flag("NSIsOptional")
    fetched.renamingIdentifier = try self.renaming(of: object, name)
    fetched.versionHashModifier = try object.nonEmptyText("NSVersionHashModifier")
    fetched.userInfo = try self.userInfo(of: object, entity, name)
    if let request = try object.field("NSFetchRequest") {
      let destination = try object.nonEmptyText("_NSFetchRequestEntityName")
      let (read, problems) = try self.request(
        request, destination, .invalidFetchedProperty, entity, name)
      fetched.request = read
      for problem in problems { self.tell(problem) }
    }
    try self.refuseValidation(of: object, entity, name)
    return fetched
  }

  /// Links have no place for conditions of values.
  private mutating func refuseValidation(
    of object: ArchivedValue, _ entity: String, _ name: String
  ) throws(ModelFileError) {
    guard let list = try object.field("NSValidationPredicates"), try !list.elements().isEmpty else { return }
    self.tell(
      .invalidValidation, entity, name,
      "The property has validation predicates (object \(list.number)), which only attributes keep here. They are left out."
    )
  }
}

extension AttributeType {
  /// Nil for a number that no store holds.
  fileprivate init?(compiledNumber: Int64, transformer: String?) {
    switch compiledNumber {
    case 0: self = .undefined
    case 100: self = .integer16
    case 200: self = .integer32
    case 300: self = .integer64
    case 400: self = .decimal
    case 500: self = .double
    case 600: self = .float
    case 700: self = .string
    case 800: self = .boolean
    case 900: self = .date
    case 1000: self = .binary
    case 1100: self = .uuid
    case 1200: self = .uri
    case 1800: self = .transformable(codec: transformer)
    default: return nil
    }
  }
}
