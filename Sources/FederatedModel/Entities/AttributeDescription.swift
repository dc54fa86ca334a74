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
  /// `canonical:(name)`, `pages.@count`, `now()`: kept as text for model files, and not computed.
  public var derivationExpression: String?
  /// Whether a store may keep large data beside its file.
  public var allowsExternalBinaryDataStorage = false
  public var preservesValueInHistoryOnDeletion = false
  /// Bounds and pattern of validation, as typed text; nil is unbounded.
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

/// What a value must keep: inclusive bounds of a number, a date or a string's length, and a pattern.
public struct AttributeValidation: Hashable, Sendable {
  public var minimum: Value = .null
  public var maximum: Value = .null
  /// An ICU regular expression that the whole string must match.
  public var pattern: String?
  public init() {}
}
