public import FederatedStore

/// How the stores answered one question together.
public struct QuestionExplanation: Sendable, Hashable, Codable {
  /// What the stores were asked for.
  public enum Purpose: String, Sendable, Hashable, Codable {
    case rows, identifiers, count
    /// Chosen or computed columns of rows.
    case columns
    /// Groups of rows, with what is gathered of each.
    case groups
    /// The rows of objects that are known by their identifiers.
    case values
    /// The destinations of a relationship.
    case destinations
  }

  /// How the answers of several stores became one.
  public enum Merging: String, Sendable, Hashable, Codable {
    /// At most one store was asked.
    case none
    /// The rows of one store behind those of another, in order of attachment.
    case oneAfterAnother
    /// Each store sorted its rows, and the first of all heads came next.
    case byOrder
    /// Numbers were added, groups of the same keys became one.
    case summed
  }

  public var purpose: Purpose
  public var entity: String
  /// The condition as the stores were asked it; nil for every row.
  public var predicate: String?
  /// The sort keys.
  public var order: [String] = []
  public var offset = 0
  /// Nil is no limit.
  public var limit: Int?
  /// How many keys were sent along, when many owners were asked for at once; their columns, by name.
  public var keys: Int?
  public var keyColumns: [String] = []
  /// The stores that were asked, in the order in which they were.
  public var stores: [StoreShare] = []
  /// The attached stores that were not asked, with the reason.
  public var leftOut: [StoreLeftOut] = []
  public var merging = Merging.none
  /// The rows, identifiers or destinations that the question answered; the number itself for a count.
  public var rows = 0

  package init(_ purpose: Purpose, entity: String) {
    self.purpose = purpose
    self.entity = entity
  }
}

/// What one store did for a question.
public struct StoreShare: Sendable, Hashable, Codable {
  /// The store's name.
  public var name: String
  /// The name of its type.
  public var type: String
  public var explanation: StoreExplanation

  package init(name: String, type: String, explanation: StoreExplanation) {
    self.name = name
    self.type = type
    self.explanation = explanation
  }
}

/// Why an attached store was not asked.
public struct StoreLeftOut: Sendable, Hashable, Codable {
  public var name: String
  public var reason: String

  package init(name: String, reason: String) {
    self.name = name
    self.reason = reason
  }
}
