import FederatedModel

/// How a condition or a sort key that leads through a fetched property was judged.
public struct LinkShare: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The entity that has the fetched property.
  public let entity: String
  public let property: String
  /// What was asked through it: `any where total > 1000`, `order by name descending`.
  public let clause: String
  public internal(set) var direction: Direction
  /// The keys that were moved from the side that was asked first to the other one.
  public internal(set) var keys = 0
  /// Questions that were asked of the linked side; each goes once to every store that it concerns.
  public internal(set) var requests = 0
  /// Why the linked side was not asked first; nil when it was.
  public internal(set) var reason: String?

  /// Which side of a link was asked first.
  public enum Direction: String, Sendable, Hashable, CaseIterable, Codable {
    /// The linked side said which keys it has; rows with these keys were asked for.
    case linkedFirst = "linked rows first"
    /// The rows of the request said which keys they have; linked rows with these keys were asked for.
    case sourcesFirst = "sources first"
    /// Both sides were asked without the other, and each pair was judged in memory.
    case everyPair = "every pair in memory"
    /// Nothing had to be asked.
    case unasked = "not asked"
  }

  init(entity: String, property: String, clause: String) {
    self.entity = entity
    self.property = property
    self.clause = clause
    self.direction = .unasked
  }

  public var description: String {
    let moved =
      "\(ExplanationText.count(self.keys, "key")) in \(ExplanationText.count(self.requests, "question"))"
    return
      "\(self.entity).\(self.property) (\(ExplanationText.short(self.clause, to: 200))): \(self.direction.rawValue), \(moved)"
      + (self.reason.map { "; \($0)" } ?? "")
  }
}

extension LinkedCondition {
  /// The condition in words, less the property.
  var clause: String {
    let test =
      switch self.test {
      case .any: "any"
      case .all: "all"
      case .none: "none"
      case .count(let comparison, let count): "count \(comparison.rawValue) \(count)"
      }
    let own = self.predicate.map { " where \($0)" } ?? ""
    return test + own + self.conditions.map { " and linked \($0.property) (\($0.clause))" }.joined()
  }
}
