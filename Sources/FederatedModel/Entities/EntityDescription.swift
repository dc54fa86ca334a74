/// An entity, as drafted: its name, its parent's name, and the properties it declares itself.
public struct EntityDescription: Sendable {
  public var name: String
  /// The name of the entity that this one inherits from.
  public var parent: String?
  /// An abstract entity has no instances of its own.
  public var isAbstract: Bool
  /// The properties declared here, in order; inherited ones are not repeated.
  public var properties: [any PropertyDescription]
  /// The class of the original model; nil or empty means plain objects.
  public var managedObjectClassName: String?
  public var userInfo: [String: String] = [:]
  public var renamingIdentifier: String?
  public var versionHashModifier: String?
  /// Each constraint is a list of attribute names that are unique together in the entity and its
  /// subentities. A row with nil among them collides with none.
  public var uniquenessConstraints: [[String]] = []
  public var indexes: [FetchIndexDescription] = []
  /// Compound indexes of old models: lists of attribute names.
  public var compoundIndexes: [[String]] = []
  public var fileAttributes: [String: String] = [:]
  /// Elements of the model file that have no meaning here, kept for a rewrite.
  public var fileElements: [ModelFileElement] = []

  public init(
    _ name: String, parent: String? = nil, abstract: Bool = false,
    properties: [any PropertyDescription] = []
  ) {
    self.name = name
    self.parent = parent
    self.isAbstract = abstract
    self.properties = properties
  }
}

/// An index over columns of an entity, as drafted.
public struct FetchIndexDescription: Hashable, Sendable {
  public var name: String
  public var elements: [Element]
  public var partialPredicateFormat: String?

  public struct Element: Hashable, Sendable {
    /// A property name, or nil when ``expressionFormat`` stands.
    public var property: String?
    public var expressionFormat: String?
    public var expressionType: String?
    public var ascending: Bool
    /// `Binary` or `RTree`.
    public var kind: String

    public init(
      _ property: String?, ascending: Bool = true, kind: String = "Binary",
      expressionFormat: String? = nil, expressionType: String? = nil
    ) {
      self.property = property
      self.ascending = ascending
      self.kind = kind
      self.expressionFormat = expressionFormat
      self.expressionType = expressionType
    }
  }

  public init(_ name: String, _ elements: [Element], where partialPredicateFormat: String? = nil) {
    self.name = name
    self.elements = elements
    self.partialPredicateFormat = partialPredicateFormat
  }
}
