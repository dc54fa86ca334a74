import FederatedModel

/// What one property must keep, made ready once for all objects of an entity.
struct PropertyRules {
  let property: Property
  let isMandatory: Bool
  /// Bounds and the pattern's text; nil when the property has none.
  let bounds: AttributeValidation?
  let pattern: RegularExpressionMatch?
  let conditions: [(text: ValidationCondition, predicate: BoundPredicate)]
  /// Dates that are no dates and addresses that are no addresses are refused.
  let hasForm: Bool
  /// Why a rule cannot be asked; only a model that was read from a file has such rules.
  let problem: String?

  init(_ attribute: Attribute) {
    let rules = attribute.description.validation
    self.property = .attribute(attribute)
    self.isMandatory = !attribute.description.isOptional && attribute.type != .undefined
    self.hasForm = attribute.type == .date || attribute.type == .uri
    let isBounded = !rules.minimum.isNull || !rules.maximum.isNull || rules.pattern != nil
    self.bounds = isBounded ? rules : nil
    var pattern: RegularExpressionMatch?
    var conditions: [(text: ValidationCondition, predicate: BoundPredicate)] = []
    do {
      pattern = try rules.pattern.map { try RegularExpressionMatch($0) }
      for condition in rules.conditions {
        let predicate = try FetchPredicate(format: condition.format).boundToKeys()
        conditions.append((condition, predicate.replacing(ValidatedValue.place)))
      }
      self.problem = nil
    } catch {
      self.problem = "\(error)"
    }
    self.pattern = pattern
    self.conditions = conditions
  }

  init(_ relationship: Relationship) {
    self.property = .relationship(relationship)
    let description = relationship.description
    self.isMandatory = !description.isOptional
    self.hasForm = false
    self.bounds = nil
    self.pattern = nil
    self.conditions = []
    self.problem = nil
  }

  /// Whether there is anything to check.
  var isEmpty: Bool {
    switch self.property {
    case .attribute:
      !self.isMandatory && self.bounds == nil && self.conditions.isEmpty && !self.hasForm
        && self.problem == nil
    case .relationship(let relationship) where relationship.isToMany:
      !self.isMandatory && relationship.description.minCount == 0 && relationship.description.maxCount == 0
    case .relationship: !self.isMandatory
    case .fetched: true
    }
  }

  /// Whether a to-many's destinations are counted.
  var isCounted: Bool {
    if case .relationship(let relationship) = self.property {
      relationship.isToMany && !self.isEmpty
    } else {
      false
    }
  }
}

/// Everything that objects of one entity must keep, in the order of the model.
struct EntityRules {
  /// One for each attribute and relationship that has something to check.
  let properties: [PropertyRules]
  /// Every attribute and relationship, for a class that checks values itself; else those of ``properties``.
  let asked: [PropertyRules]
  /// Relationships that stand in the way of a deletion.
  let denying: [Relationship]
  /// Whether the class checks values one by one.
  let asksClass: Bool

  init(_ entity: Entity, _ type: ManagedObject.Type, in model: ManagedObjectModel) {
    var all: [PropertyRules] = []
    for name in EntityRules.names(of: entity, in: model) {
      switch entity.property(named: name) {
      case .attribute(let attribute)?: all.append(PropertyRules(attribute))
      case .relationship(let relationship)?: all.append(PropertyRules(relationship))
      case .fetched?, nil: break
      }
    }
    self.asksClass = type is any PropertyValidating.Type
    self.properties = all.filter { !$0.isEmpty }
    self.asked = self.asksClass ? all : self.properties
    self.denying = entity.relationships.filter { $0.description.deleteRule == .deny }
  }

  /// The names of properties as the model declares them, inherited ones first.
  private static func names(of entity: Entity, in model: ManagedObjectModel) -> [String] {
    var declared: [[String]] = []
    var current: Entity? = entity
    while let declaring = current {
      declared.append(declaring.description.properties.map(\.name))
      current = declaring.parent.map { model[$0] }
    }
    return declared.reversed().flatMap(\.self)
  }
}

/// What a condition is asked about: an object, and a value of its under a key that no property can have.
struct ValidatedValue: PredicateSubject {
  let value: Value
  let object: ManagedObject

  private static let key = "SELF as a value"

  /// Lets `SELF` be the value. Every other key stays one of the object.
  static func place(_ part: BoundExpression) -> BoundExpression? {
    switch part {
    case .evaluatedObject: .path(.evaluatedObject, [.key(Self.key)])
    case .path(.evaluatedObject, [.key("length")]):
      .path(.evaluatedObject, [.key(Self.key), .key("length")])
    case .path(.evaluatedObject, _): part
    default: nil
    }
  }

  var predicateIdentity: ManagedObjectID? { self.object.predicateIdentity }

  func operand(forKey key: String) throws -> PredicateOperand {
    key == Self.key ? .value(self.value) : try self.object.operand(forKey: key)
  }

  func attribute(_ attribute: BoundAttribute) throws -> Value { try self.object.attribute(attribute) }
  func toOne(_ relationship: BoundRelationship) throws -> (any PredicateSubject)? {
    try self.object.toOne(relationship)
  }
  func toMany(_ relationship: BoundRelationship) throws -> [any PredicateSubject] {
    try self.object.toMany(relationship)
  }
}
