/// How a condition or a sort key that leads through a fetched property was judged.
public struct LinkShare: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The entity that has the fetched property.
  public let entity: String
  public let property: String
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

  init(entity: String, property: String) {
    self.entity = entity
    self.property = property
    self.direction = .unasked
  }

  public var description: String {
    let moved =
      "\(ExplanationText.count(self.keys, "key")) in \(ExplanationText.count(self.requests, "question"))"
    return "\(self.entity).\(self.property): \(self.direction.rawValue), \(moved)"
      + (self.reason.map { "; \($0)" } ?? "")
  }
}
