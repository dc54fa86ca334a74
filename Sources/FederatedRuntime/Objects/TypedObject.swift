public import FederatedModel

/// A subclass of ``ManagedObject`` whose properties have Swift types.
///
/// Each property is named once, in `Keys`; reading, writing, predicates and orders come from the same key.
///
/// ```swift
/// final class Customer: ManagedObject, TypedObject {
///   struct Keys {
///     let number = AttributeKey<Int>("number")
///     let invoices = FetchedKey<Invoice>("invoices")
///   }
///   static let keys = Keys()
/// }
/// customer.number = 7
/// for invoice in try customer.invoices { … }
/// ```
///
/// Inside the class a key is written `self.number`. Hand the class to ``ObjectClasses`` to have it used.
@dynamicMemberLookup
public protocol TypedObject: ManagedObject, SendableMetatype {
  associatedtype Keys: Sendable
  static var keys: Keys { get }
  /// The entity whose objects have this class; the name of the class unless said otherwise.
  static var entityName: String { get }
}

extension TypedObject {
  public static var entityName: String { String(describing: self) }

  @inlinable
  public subscript<Content>(
    dynamicMember path: KeyPath<Keys, AttributeKey<Content>>
  ) -> Content {
    get { self[Self.keys[keyPath: path]] }
    set { self.write(newValue, Self.keys[keyPath: path]) }
  }

  public subscript<Destination>(dynamicMember path: KeyPath<Keys, ToOneKey<Destination>>) -> Destination? {
    get { self.destination(Self.keys[keyPath: path]) }
    set { self.setDestination(newValue, Self.keys[keyPath: path]) }
  }

  public subscript<Destination>(dynamicMember path: KeyPath<Keys, ToManyKey<Destination>>) -> ToMany<
    Destination
  > {
    get { ToMany(of: self, Self.keys[keyPath: path]) }
    set { newValue.become(of: self, Self.keys[keyPath: path]) }
  }

  /// The objects that the fetched property finds; asked once, and kept until this object is refreshed.
  public subscript<Destination>(dynamicMember path: KeyPath<Keys, FetchedKey<Destination>>) -> [Destination] {
    get throws { try self.fetched(Self.keys[keyPath: path]) }
  }

  /// The other side of a fetched property's condition: `$FETCH_SOURCE.number` for `\.number`.
  public static func source<Content>(_ path: KeyPath<Keys, AttributeKey<Content>>) -> SourceKey<Content> {
    SourceKey([Self.keys[keyPath: path].propertyName])
  }
}

extension ManagedObject {
  /// A typed attribute, for accessors written out: `var level: Int { self[Manager.level] }`.
  @inlinable public final subscript<Content>(key: AttributeKey<Content>) -> Content {
    get {
      let word = key.cache.load()
      if self.standing == ManagedObject.plain, self.home.fits(word) {
        let snapshot = self.snapshot.unsafelyUnwrapped
        let slot = KeyCache.slot(word)
        if !snapshot.isNull(slot) { return Content.read(snapshot, slot) }
      }
      return self.readSlowly(key)
    }
    set { self.write(newValue, key) }
  }

  /// Everything but a realised object's own row: faults, edits, nil, and the first use of a key.
  @usableFromInline final func readSlowly<Content>(_ key: AttributeKey<Content>) -> Content {
    do {
      if self.standing == ManagedObject.fault { try self.fire() }
      var word = key.cache.load()
      if !self.home.fits(word) { word = self.home.resolve(key) }
      if self.home.fits(word) {
        let slot = KeyCache.slot(word)
        let isWritten = self.standing >= 0 && self.home.edits.isWritten(self.standing, slot)
        if !isWritten, let snapshot = self.snapshot, !snapshot.isNull(slot) {
          return Content.read(snapshot, slot)
        }
      }
      guard let attribute = self.entity.attribute(named: key.propertyName) else {
        throw ManagedObjectError.unknownProperty(key.propertyName, of: self.entity)
      }
      let value = try self.attributeValue(attribute)
      if let content = Content(value: value) { return content }
      if !value.isNull || !self.isInserted {
        throw ManagedObjectError.typedReadFailed(value, key, of: self.entity, self.objectID)
      }
    } catch {
      self.home.context?.keep(error)
    }
    return Content.missing
  }

  @usableFromInline final func write<Content>(_ content: Content, _ key: AttributeKey<Content>) {
    do {
      var word = key.cache.load()
      if !self.home.fits(word) { word = self.home.resolve(key) }
      if self.home.fits(word), !KeyCache.needsCheck(word) {
        try self.beginEdit()
        content.write(to: SlotWriter(rows: self.home.edits, row: self.standing, slot: KeyCache.slot(word)))
        return
      }
      guard let attribute = self.entity.attribute(named: key.propertyName) else {
        throw ManagedObjectError.unknownProperty(key.propertyName, of: self.entity)
      }
      try self.setAttribute(attribute, to: content.value)
    } catch {
      self.home.context?.keep(error)
    }
  }
}

extension ObjectHome {
  /// Finds the slot of a key and remembers it in the key.
  /// - Returns: a word that fits no object when the attribute has no slot.
  func resolve<Content>(_ key: AttributeKey<Content>) -> UInt64 {
    guard let attribute = self.entity.attribute(named: key.propertyName), let slot = attribute.slot,
      let kind = attribute.type.slotKind, Content.accepts(kind)
    else { return KeyCache.empty }
    let family = self.family(of: attribute)
    let word = KeyCache.pack(
      stamp: self.stamp, first: family.lowerBound, last: family.upperBound, slot: slot,
      needsCheck: attribute.type.isNarrow)
    key.cache.remember(word)
    return word
  }
}

extension ManagedObjectError {
  static func typedReadFailed<Content>(
    _ value: Value, _ key: AttributeKey<Content>, of entity: Entity, _ object: ManagedObjectID
  ) -> ManagedObjectError {
    ManagedObjectError(
      .wrongType, entity: entity.name, property: key.propertyName, object: object,
      value.isNull
        ? "a typed read met nil where \(Content.self) was promised; make the key's type optional, or set the value"
        : "\(value) cannot be read as \(Content.self)")
  }
}

extension AttributeType {
  /// Whether a Swift value may be too large for the attribute.
  fileprivate var isNarrow: Bool {
    switch self {
    case .integer16, .integer32: true
    default: false
    }
  }
}
