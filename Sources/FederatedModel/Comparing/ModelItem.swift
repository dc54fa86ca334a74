/// An entity, a property or another part of a model, with all that the model says of it.
public struct ModelItem: Hashable, Sendable {
  public let kind: Kind
  /// The entity of a property, the composite of an element; nil for what stands by itself.
  public let owner: String?
  public let name: String
  /// In an order that is the same for every item of the kind. What matters most is first: the type of an attribute, the
  /// destination of a relationship.
  public let facts: [ModelFact]
  /// By which an item of one version of the model is known in another.
  let identifier: String

  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case model, entity, attribute, relationship
    case fetchedProperty = "fetched property"
    case configuration
    case template = "fetch request template"
    case composite
    case element = "composite element"
  }

  init(_ kind: Kind, _ name: String, of owner: String? = nil, identifier: String? = nil, facts: [ModelFact]) {
    self.kind = kind
    self.name = name
    self.owner = owner
    self.identifier = identifier ?? name
    self.facts = facts
  }

  /// What the model says beyond the usual, on one line: `string, optional, default "x"`.
  public var summary: String { Self.summary(of: self.facts) }

  /// Facts on one line: a flag by its name alone, a type or destination without its name.
  public static func summary(of facts: some Sequence<ModelFact>) -> String {
    facts.lazy.filter { !$0.isUsual }.compactMap { fact in
      guard let text = fact.text else { return nil }
      if case .bool(true) = fact.value, !fact.isLiteral { return fact.title }
      return ["type", "cardinality", "destination"].contains(fact.name) ? text : "\(fact.title) \(text)"
    }.joined(separator: ", ")
  }
}

extension ModelItem: CustomStringConvertible {
  /// The kind and the place: `attribute Customer.code`.
  public var description: String {
    self.place.isEmpty ? self.kind.rawValue : "\(self.kind.rawValue) \(self.place)"
  }

  /// `Customer.code`, or the name of an item that stands by itself.
  public var place: String { self.owner.map { "\($0).\(self.name)" } ?? self.name }
}
