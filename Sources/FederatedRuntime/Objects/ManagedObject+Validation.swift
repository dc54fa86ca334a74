public import FederatedModel

/// A class that checks the values of its properties one by one, beside the rules of the model.
///
/// ```swift
/// final class Customer: ManagedObject, PropertyValidating {
///   func validate(_ value: Value, forKey key: String) throws {
///     if key == "email", case .string(let text) = value, !text.contains("@") { throw NoAddress(text) }
///   }
/// }
/// ```
/// ``ManagedObject/validate(for:)`` is the place for what concerns several properties.
public protocol PropertyValidating: ManagedObject, SendableMetatype {
  /// Refuses a value by throwing. A save asks for every attribute and to-one of a changed object, and for every
  /// to-many that was changed, after the rules of the model.
  ///
  /// An error of any kind may be thrown: alone it leaves the save unchanged; with others it is the
  /// ``ValidationError/underlying`` error of one of them.
  /// - Parameter value: null for no value, an identifier for a to-one, a list of them for a to-many.
  func validate(_ value: Value, forKey key: String) throws
}

/// Validation on demand. Nothing is ever validated by setting it.
extension ManagedObject {
  /// Checks the object as the next save would that inserts it.
  /// - Throws: ``SaveError/invalid(_:)`` with every breach, or what the class's own validation threw, when that is
  ///   alone; also what a store threw.
  public final func validateForInsert() throws { try self.checkAll(for: .insert) }

  /// Checks the object as the next save would that updates it: all of its properties, not only changed ones.
  /// - Throws: as ``validateForInsert()``.
  public final func validateForUpdate() throws { try self.checkAll(for: .update) }

  /// Checks whether the object may be deleted: rules of deletion, not the values.
  /// - Throws: as ``validateForInsert()``.
  public final func validateForDelete() throws { try self.checkAll(for: .delete) }

  private func checkAll(for change: ObjectChange) throws {
    guard self.home.context != nil else { throw ManagedObjectError.noContext(self) }
    if !self.isInserted { try self.fire() }
    var validation = ObjectValidation()
    try validation.check(self, for: change)
    if let error = validation.breaches.combined { throw error }
  }

  /// Checks a value that a property might be given, without setting it.
  /// - Throws: as ``validateForInsert()``; ``ManagedObjectError`` for an unknown name, a fetched property, or a
  ///   value of another type.
  public final func validateValue(_ value: Value, forKey key: String) throws {
    guard self.home.context != nil else { throw ManagedObjectError.noContext(self) }
    var validation = ObjectValidation()
    let asksClass = self.home.rules.asksClass
    switch self.entity.property(named: key) {
    case .attribute(let attribute)?:
      guard let normal = attribute.type.normalized(value) else {
        throw ManagedObjectError.wrongType(value, attribute, of: self)
      }
      try validation.check(
        normal, for: attribute, of: self, PropertyRules(attribute), asksClass: asksClass)
    case .relationship(let relationship)?:
      try validation.check(
        link: value, for: relationship, of: self, PropertyRules(relationship), asksClass: asksClass)
    case .fetched?: throw ManagedObjectError.readOnly(key, of: self.entity)
    case nil: throw ManagedObjectError.unknownProperty(key, of: self.entity)
    }
    if let error = validation.breaches.combined { throw error }
  }

  /// Checks a Swift value that an attribute might be given, without setting it.
  public final func validateValue(_ value: some ValueConvertible, forKey key: String) throws {
    try self.validateValue(value.value, forKey: key)
  }
}
