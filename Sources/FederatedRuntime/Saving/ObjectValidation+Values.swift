import FederatedModel
import Foundation

/// The rules of one property.
extension ObjectValidation {
  mutating func check(
    _ attribute: Attribute, of object: ManagedObject, _ rules: PropertyRules, asksClass: Bool
  ) throws {
    let isPlain = rules.bounds == nil && rules.conditions.isEmpty && !rules.hasForm && rules.problem == nil
    if isPlain, !asksClass {
      // The commonest rule asks no value.
      if rules.isMandatory, object.isNull(attribute) { self.addMissing(attribute.name, object) }
      return
    }
    if object.isBare { try object.fire() }
    try self.check(object.valueAtHand(attribute), for: attribute, of: object, rules, asksClass: asksClass)
  }

  /// Checks a value that an attribute has, or might be given.
  mutating func check(
    _ value: Value, for attribute: Attribute, of object: ManagedObject, _ rules: PropertyRules,
    asksClass: Bool
  ) throws {
    if value.isNull {
      if rules.isMandatory { self.addMissing(attribute.name, object) }
    } else {
      if let problem = rules.problem {
        self.add(
          .invalidRule, object, attribute.name, value: value,
          "a rule of the model cannot be asked, so no value passes; correct the model: \(problem)")
      }
      if rules.hasForm { self.checkForm(of: value, attribute, object) }
      if let bounds = rules.bounds { try self.checkBounds(of: value, bounds, rules, attribute, object) }
      try self.checkConditions(of: value, rules, attribute, object)
    }
    if asksClass { self.askClass(object, value, attribute.name) }
  }

  private mutating func askClass(_ object: ManagedObject, _ value: Value, _ key: String) {
    guard let validating = object as? any PropertyValidating else { return }
    self.ask(object, key, value: value) { try validating.validate(value, forKey: key) }
  }

  private mutating func addMissing(_ property: String, _ object: ManagedObject) {
    self.add(.missingMandatoryValue, object, property, "a value is needed; set one")
  }

  private mutating func checkForm(of value: Value, _ attribute: Attribute, _ object: ManagedObject) {
    switch value {
    case .date(let date) where !date.timeIntervalSinceReferenceDate.isFinite:
      self.add(.invalidDate, object, attribute.name, value: value, "the date is no moment; set one that is")
    case .uri(let text) where URL(string: text) == nil:
      self.add(.invalidURI, object, attribute.name, value: value, "\(value) is no address; set one that is")
    default: break
    }
  }

  private mutating func checkBounds(
    of value: Value, _ bounds: AttributeValidation, _ rules: PropertyRules, _ attribute: Attribute,
    _ object: ManagedObject
  ) throws {
    if case .string(let text) = value { return self.checkText(text, bounds, rules, attribute, object) }
    let isDate = attribute.type == .date
    if try bounds.minimum.order(value) ?? 0 > 0 {
      self.add(
        isDate ? .dateTooEarly : .valueTooSmall, object, attribute.name, value: value,
        "\(value) is below \(bounds.minimum)")
    }
    if try bounds.maximum.order(value) ?? 0 < 0 {
      self.add(
        isDate ? .dateTooLate : .valueTooLarge, object, attribute.name, value: value,
        "\(value) is above \(bounds.maximum)")
    }
  }

  /// Lengths are counted in UTF-16 units, as the tradition does.
  private mutating func checkText(
    _ text: String, _ bounds: AttributeValidation, _ rules: PropertyRules, _ attribute: Attribute,
    _ object: ManagedObject
  ) {
    let length = Int64(text.utf16.count)
    if case .int(let least) = bounds.minimum, length < least {
      self.add(
        .stringTooShort, object, attribute.name, value: .string(text),
        "\(length) UTF-16 units, at least \(least) are needed")
    }
    if case .int(let most) = bounds.maximum, length > most {
      self.add(
        .stringTooLong, object, attribute.name, value: .string(text),
        "\(length) UTF-16 units, at most \(most) are allowed")
    }
    if let pattern = rules.pattern, !pattern.matches(text) {
      self.add(
        .patternMismatch, object, attribute.name, value: .string(text),
        "\"\(text)\" does not match \(bounds.pattern ?? "")")
    }
  }

  private mutating func checkConditions(
    of value: Value, _ rules: PropertyRules, _ attribute: Attribute, _ object: ManagedObject
  ) throws {
    for (text, predicate) in rules.conditions {
      let holds: Bool
      do {
        holds = try predicate.evaluate(ValidatedValue(value: value, object: object))
      } catch let error as FetchPredicateError {
        self.add(
          .invalidRule, object, attribute.name, value: value, predicate: text.format,
          "the condition \(text.format) has no answer; correct the model: \(error)")
        continue
      }
      if holds { continue }
      self.add(
        .conditionFailed, object, attribute.name, value: value, predicate: text.format,
        text.message.isEmpty ? "\(value) does not satisfy \(text.format)" : text.message)
    }
  }

  // MARK: Links

  mutating func check(
    toOne relationship: Relationship, of object: ManagedObject, _ rules: PropertyRules, asksClass: Bool
  ) throws {
    if object.isBare { try object.fire() }
    let destination = object.destinationID(relationship)
    self.check(destination, for: relationship, of: object, rules)
    if asksClass { self.askClass(object, destination.map(Value.object) ?? .null, relationship.name) }
  }

  /// Checks what a relationship might be set to.
  mutating func check(
    link value: Value, for relationship: Relationship, of object: ManagedObject, _ rules: PropertyRules,
    asksClass: Bool
  ) throws {
    switch value {
    case .null where !relationship.isToMany: self.check(nil, for: relationship, of: object, rules)
    case .object(let id) where !relationship.isToMany: self.check(id, for: relationship, of: object, rules)
    case .list(let members) where relationship.isToMany:
      if rules.isCounted { self.check(count: members.count, of: relationship, object) }
    default:
      throw ManagedObjectError.wrongKind(
        relationship.name, of: object.entity,
        isNo: relationship.isToMany
          ? "to-one relationship; check a list" : "to-many relationship; check one identifier")
    }
    if asksClass { self.askClass(object, value, relationship.name) }
  }

  private mutating func check(
    _ destination: ManagedObjectID?, for relationship: Relationship, of object: ManagedObject,
    _ rules: PropertyRules
  ) {
    guard destination == nil, rules.isMandatory else { return }
    self.add(.missingMandatoryValue, object, relationship.name, "a destination is needed; set one")
  }

  /// A list that was neither read nor changed is as it was saved: no store is asked for it.
  mutating func check(
    list relationship: Relationship, of object: ManagedObject, _ rules: PropertyRules, asksClass: Bool
  ) throws {
    let list = object.extras?.toMany.first { $0.relationship === relationship }
    guard object.isInserted || list?.hasPending == true else { return }
    if rules.isCounted {
      self.check(count: try object.toMany(relationship).count, of: relationship, object)
    }
    if asksClass {
      let members = try object.toMany(relationship).map { Value.object($0.objectID) }
      self.askClass(object, .list(members), relationship.name)
    }
  }

  private mutating func check(count: Int, of relationship: Relationship, _ object: ManagedObject) {
    let description = relationship.description
    if count == 0 && description.isOptional { return }
    let least = max(description.minCount, description.isOptional ? 0 : 1)
    if count < least {
      self.add(
        .tooFewDestinations, object, relationship.name,
        "\(count) destination\(count == 1 ? "" : "s"), at least \(least) are needed")
    } else if description.maxCount > 0, count > description.maxCount {
      self.add(
        .tooManyDestinations, object, relationship.name,
        "\(count) destinations, at most \(description.maxCount) are allowed")
    }
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
