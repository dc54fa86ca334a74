import FederatedModel

/// Checks changed objects against the model and their classes: every rule, every object, all breaches at once.
///
/// Breaches come in the order of the model: entities, then objects as they were first changed, then properties as
/// they are declared, and last what the class says of the object as a whole. Fetched properties are never looked at.
struct ObjectValidation {
  private(set) var breaches: [ValidationError] = []

  /// Checks every changed object.
  mutating func check(_ homes: [ObjectHome]) throws {
    for home in homes where home.changedCount > 0 {
      for object in home.changed {
        guard let object else { continue }
        if object.isDeleted {
          if !object.isInserted { try self.check(object, for: .delete) }
        } else {
          try self.check(object, for: object.isInserted ? .insert : .update)
        }
      }
    }
  }

  /// Checks one object for what a save would do to it.
  mutating func check(_ object: ManagedObject, for change: ObjectChange) throws {
    let rules = object.home.rules
    if change == .delete {
      try self.checkDelete(of: object, rules)
    } else {
      try self.checkValues(of: object, rules)
    }
    if object.home.type != ManagedObject.self {
      self.ask(object, nil) { try object.validate(for: change) }
    }
  }

  /// Runs a class's own check. What it throws is a breach, not the end of the validation.
  mutating func ask(
    _ object: ManagedObject, _ property: String?, value: Value = .null, _ check: () throws -> Void
  ) {
    do {
      try check()
    } catch let error as ValidationError {
      self.breaches.append(error)
    } catch SaveError.invalid(let errors) {
      self.breaches += errors
    } catch {
      self.breaches.append(
        ValidationError(
          .custom, object: object.objectID, entity: object.entity.name, property: property, value: value,
          underlying: error, "\(error)"))
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
  }

  private mutating func checkValues(of object: ManagedObject, _ rules: EntityRules) throws {
    // An object of which only a list was changed need not be read for this.
    let isAtHand = object.standing >= 0 || object.snapshot != nil
    for property in rules.asked {
      switch property.property {
      case .attribute(let attribute):
        guard isAtHand || rules.asksClass else { continue }
        try self.check(attribute, of: object, property, asksClass: rules.asksClass)
      case .relationship(let relationship) where relationship.isToMany:
        try self.check(list: relationship, of: object, property, asksClass: rules.asksClass)
      case .relationship(let relationship):
        guard isAtHand || rules.asksClass else { continue }
        try self.check(toOne: relationship, of: object, property, asksClass: rules.asksClass)
      case .fetched: break
      }
    }
  }

  mutating func add(
    _ rule: ValidationError.Rule, _ object: ManagedObject, _ property: String, value: Value = .null,
    predicate: String? = nil, _ detail: String
  ) {
    self.breaches.append(
      ValidationError(
        rule, object: object.objectID, entity: object.entity.name, property: property, value: value,
        predicate: predicate, detail))
  }
}
