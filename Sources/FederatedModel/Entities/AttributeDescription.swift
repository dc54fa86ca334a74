/// A stored value of an entity, as drafted.
public struct AttributeDescription: PropertyDescription, Hashable {
  public var name: String
  public var type: AttributeType
  public var isOptional: Bool
  public var isTransient = false
  /// What a new object starts with.
  public var defaultValue: Value
  public var userInfo: [String: String] = [:]
  public var renamingIdentifier: String?
  public var versionHashModifier: String?
  /// Old models mark single attributes for an index.
  public var isIndexed = false
  /// `canonical:(name)`, `pages.@count`, `now()`: kept as text for model files. A SQLite store with triggers for the
  /// attribute keeps its value; elsewhere it is a value like any other, and not computed.
  public var derivationExpression: String?
  /// Whether a store may keep large data beside its file.
  public var allowsExternalBinaryDataStorage = false
  public var preservesValueInHistoryOnDeletion = false
  /// What a value must keep to be saved: bounds, a pattern, conditions. Never part of a version hash.
  public var validation = AttributeValidation()
  /// The class that a transformable value or generated accessor has in the original model.
  public var valueClassName: String?
  /// Attributes of the model file that have no meaning here, kept for a rewrite.
  public var fileAttributes: [String: String] = [:]
  /// Elements of the model file that have no meaning here, kept for a rewrite.
  public var fileElements: [ModelFileElement] = []

  /// - Parameters:
  ///   - type: any ``AttributeType``; `undefined` needs `isTransient`.
  ///   - defaultValue: what a new object starts with; ``Value/null`` is none.
  public init(
    _ name: String, _ type: AttributeType, optional: Bool = false, default defaultValue: Value = .null,
    transient: Bool = false
  ) {
    self.name = name
    self.type = type
    self.isOptional = optional
    self.defaultValue = defaultValue
    self.isTransient = transient
  }

  /// Takes the default as a Swift value: `AttributeDescription("total", .decimal, default: 0)`.
  public init(
    _ name: String, _ type: AttributeType, optional: Bool = false,
    default defaultValue: some ValueConvertible,
    transient: Bool = false
  ) {
    self.init(name, type, optional: optional, default: defaultValue.value, transient: transient)
  }
}
