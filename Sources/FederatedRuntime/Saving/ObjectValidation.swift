import FederatedModel
import Foundation

/// Checks changed objects against the model: every rule, every object, all breaches at once.
///
/// Fetched properties are never looked at.
struct ObjectValidation {
  private(set) var breaches: [ValidationError] = []

  mutating func check(_ homes: [ObjectHome]) throws {
    for home in homes where home.changedCount > 0 {
      let rules = EntityRules(home.entity)
      for object in home.changed {
        guard let object else { continue }
        if object.isDeleted {
          if !object.isInserted { try self.checkDelete(of: object, rules) }
          continue
        }
        try self.checkValues(of: object, rules)
        self.ask(object, about: object.isInserted ? .insert : .update)
      }
    }
  }

  /// What a subclass says.
  private mutating func ask(_ object: ManagedObject, about change: ObjectChange) {
    if object.home.type == ManagedObject.self { return }
    do {
      try object.validate(for: change)
    } catch let error as ValidationError {
      self.breaches.append(error)
    } catch {
      self.breaches.append(
        ValidationError(
          .custom, object: object.objectID, entity: object.entity.name, property: nil, "\(error)"))
    }
  }

  private mutating func checkDelete(of object: ManagedObject, _ rules: EntityRules) throws {
    for relationship in rules.denying {
      let remaining = try object.context?.destinations(of: object, relationship).count { !$0.isDeleted } ?? 0
      if remaining == 0 { continue }
      self.add(
        .deniedDelete, object, relationship.name,
        "the object cannot be deleted while \(remaining) object\(remaining == 1 ? " is" : "s are") linked to it; "
          + "delete or unlink them first")
    }
    self.ask(object, about: .delete)
  }

  private mutating func checkValues(of object: ManagedObject, _ rules: EntityRules) throws {
    // An object of which only a list was changed need not be read for this.
    guard object.standing >= 0 || object.snapshot != nil else {
      return try self.checkCounts(of: object, rules)
    }
    for attribute in rules.mandatory where object.isNull(attribute) {
      self.add(.missingMandatoryValue, object, attribute.name, "a value is needed; set one")
    }
    for relationship in rules.mandatoryToOne where object.destinationID(relationship) == nil {
      self.add(.missingMandatoryValue, object, relationship.name, "a destination is needed; set one")
    }
    for attribute in rules.bounded { try self.checkBounds(of: attribute, object) }
    try self.checkCounts(of: object, rules)
  }

  private mutating func checkCounts(of object: ManagedObject, _ rules: EntityRules) throws {
    for relationship in rules.counted {
      let list = object.extras?.toMany.first { $0.relationship === relationship }
      guard object.isInserted || list?.hasPending == true else { continue }
      let count = try object.toMany(relationship).count
      let description = relationship.description
      if count == 0 && description.isOptional { continue }
      if count < max(description.minCount, description.isOptional ? 0 : 1) {
        self.add(
          .tooFewDestinations, object, relationship.name,
          "\(count) destinations, at least \(max(description.minCount, 1)) are needed")
      } else if description.maxCount > 0, count > description.maxCount {
        self.add(
          .tooManyDestinations, object, relationship.name,
          "\(count) destinations, at most \(description.maxCount) are allowed")
      }
    }
  }

  private mutating func checkBounds(of attribute: Attribute, _ object: ManagedObject) throws {
    let value = object.valueAtHand(attribute)
    if value.isNull { return }
    let rules = attribute.description.validation
    if case .string(let text) = value { return self.checkText(text, rules, attribute, object) }
    let isDate = attribute.type == .date
    if try rules.minimum.order(value) ?? 0 > 0 {
      self.add(
        isDate ? .dateTooEarly : .valueTooSmall, object, attribute.name, "\(value) is below \(rules.minimum)")
    }
    if try rules.maximum.order(value) ?? 0 < 0 {
      self.add(
        isDate ? .dateTooLate : .valueTooLarge, object, attribute.name, "\(value) is above \(rules.maximum)")
    }
  }

  /// Lengths are counted in UTF-16 units, as the tradition does.
  private mutating func checkText(
    _ text: String, _ rules: AttributeValidation, _ attribute: Attribute, _ object: ManagedObject
  ) {
    let length = Int64(text.utf16.count)
    if case .int(let least) = rules.minimum, length < least {
      self.add(.stringTooShort, object, attribute.name, "\(length) characters, at least \(least) are needed")
    }
    if case .int(let most) = rules.maximum, length > most {
      self.add(.stringTooLong, object, attribute.name, "\(length) characters, at most \(most) are allowed")
    }
    guard let pattern = rules.pattern else { return }
    let whole = text.range(of: "\\A(?:\(pattern))\\z", options: .regularExpression)
    if whole == nil {
      self.add(.patternMismatch, object, attribute.name, "\"\(text)\" does not match \(pattern)")
    }
  }

  private mutating func add(
    _ rule: ValidationError.Rule, _ object: ManagedObject, _ property: String, _ detail: String
  ) {
    self.breaches.append(
      ValidationError(rule, object: object.objectID, entity: object.entity.name, property: property, detail))
  }
}

/// The properties of an entity that have something to be checked.
private struct EntityRules {
  let mandatory: [Attribute]
  let mandatoryToOne: [Relationship]
  let bounded: [Attribute]
  let counted: [Relationship]
  let denying: [Relationship]

  init(_ entity: Entity) {
    self.mandatory = entity.attributes.filter { !$0.description.isOptional && $0.type != .undefined }
    self.mandatoryToOne = entity.relationships.filter { !$0.isToMany && !$0.description.isOptional }
    self.bounded = entity.attributes.filter { $0.description.validation != AttributeValidation() }
    self.counted = entity.relationships.filter {
      $0.isToMany
        && (!$0.description.isOptional || $0.description.minCount > 0 || $0.description.maxCount > 1)
    }
    self.denying = entity.relationships.filter { $0.description.deleteRule == .deny }
  }
}

extension ManagedObject {
  /// Whether an attribute has no value, as far as is known without a store access.
  fileprivate final func isNull(_ attribute: Attribute) -> Bool {
    guard let slot = attribute.slot else { return self.valueAtHand(attribute).isNull }
    if self.standing >= 0, self.home.edits.isWritten(self.standing, slot) {
      return self.home.edits.isNull(self.standing, slot)
    }
    return self.snapshot?.isNull(slot) ?? false
  }

  /// The value of an attribute, without firing.
  fileprivate final func valueAtHand(_ attribute: Attribute) -> Value {
    guard let slot = attribute.slot, let kind = attribute.type.slotKind else {
      return self.extras?.transients[attribute.name] ?? attribute.description.defaultValue
    }
    if self.standing >= 0, self.home.edits.isWritten(self.standing, slot) {
      return self.home.edits.value(self.standing, slot, kind)
    }
    return self.snapshot?.value(slot, kind, store: self.objectID.store) ?? .null
  }
}
