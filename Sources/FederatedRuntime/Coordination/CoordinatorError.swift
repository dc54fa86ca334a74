/// Why a coordinator refuses a store, a route or a name.
public struct CoordinatorError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of fault; each has a heading in the documentation.
  public let code: Code
  /// The store in question, by name.
  public let store: String?
  public let entity: String?
  public let property: String?
  /// What is wrong and what to do.
  public let detail: String

  /// A stable name for each kind of fault.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// The file, or the opened store, is attached already.
    case storeAlreadyAttached
    /// Another attached store has the same identifier: a copied file.
    case duplicateIdentifier
    /// Another attached store has the same name.
    case duplicateName
    case unknownConfiguration
    /// A name or an identifier that no attached store has.
    case unknownStore
    /// Both ends of a relationship have stores, and no store holds both.
    case relationshipAcrossStores
    case noStoreForEntity
    /// The assigned store's configuration lacks the entity.
    case entityNotInStore
    /// A saved object stays in its store.
    case alreadyStored
    /// Objects that a relationship ties together would have to lie in different stores.
    case objectsInDifferentStores
    case readOnlyStore
    /// The model has uniqueness constraints, and the store keeps none.
    case constraintsNotKept

    /// The number that the tradition gives; nil where it has none.
    public var legacyCode: Int? {
      switch self {
      case .storeAlreadyAttached: 134081
      case .objectsInDifferentStores: 133010
      case .unknownConfiguration, .relationshipAcrossStores: 134020
      case .readOnlyStore: 134030
      case .duplicateIdentifier, .duplicateName, .unknownStore, .noStoreForEntity, .entityNotInStore,
        .alreadyStored, .constraintsNotKept:
        nil
      }
    }
  }

  public init(
    _ code: Code, store: String? = nil, entity: String? = nil, property: String? = nil, _ detail: String
  ) {
    self.code = code
    self.store = store
    self.entity = entity
    self.property = property
    self.detail = detail
  }

  public var description: String {
    let property = [self.entity, self.property].compactMap(\.self).joined(separator: ".")
    let place = [self.store, property.isEmpty ? nil : property].compactMap(\.self).joined(separator: ": ")
    return place.isEmpty ? self.detail : "\(place): \(self.detail)"
  }
}
