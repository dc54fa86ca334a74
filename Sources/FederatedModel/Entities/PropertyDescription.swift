/// What all properties of an entity share: attributes, relationships and fetched properties.
///
/// A description is a draft: a plain value, editable until ``ManagedObjectModel`` freezes a copy of it.
public protocol PropertyDescription: Sendable {
  var name: String { get set }
  var isOptional: Bool { get set }
  /// A transient property is tracked and validated, never stored.
  var isTransient: Bool { get set }
  /// Free text by key. Never part of a version hash.
  var userInfo: [String: String] { get set }
  /// The name in the model version before; nil means ``name``.
  var renamingIdentifier: String? { get set }
  var versionHashModifier: String? { get set }
}

extension PropertyDescription {
  /// The name by which the model version before knew the property.
  public var effectiveRenamingIdentifier: String { self.renamingIdentifier ?? self.name }
}

extension EntityDescription {
  /// The name by which the model version before knew the entity.
  public var effectiveRenamingIdentifier: String { self.renamingIdentifier ?? self.name }
}
