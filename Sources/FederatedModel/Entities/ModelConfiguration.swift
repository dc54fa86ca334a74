/// A named group of entities that a store is opened for.
public struct ModelConfiguration: Hashable, Sendable {
  public var name: String
  /// Entity names. An entity may be in several configurations.
  public var entities: [String]
  public var fileAttributes: [String: String] = [:]

  public init(_ name: String, entities: [String]) {
    self.name = name
    self.entities = entities
  }
}

/// A request stored in the model under a name, with variables to fill in.
public struct FetchRequestTemplate: Hashable, Sendable {
  public var name: String
  public var request: FetchRequest
  /// The condition as text; parsed when the model is frozen.
  public var predicateFormat: String?
  public var fileAttributes: [String: String] = [:]
  /// What of its question a reader could not carry over; a template with any is never used.
  public var problems: [ModelError.Breach] = []

  public init(_ name: String, _ request: FetchRequest, where predicateFormat: String? = nil) {
    self.name = name
    self.request = request
    self.predicateFormat = predicateFormat
  }
}

/// A named group of attributes that an attribute of type ``AttributeType/composite(name:)`` holds.
public struct CompositeDescription: Hashable, Sendable {
  public var name: String
  public var elements: [AttributeDescription]

  public init(_ name: String, elements: [AttributeDescription]) {
    self.name = name
    self.elements = elements
  }
}
