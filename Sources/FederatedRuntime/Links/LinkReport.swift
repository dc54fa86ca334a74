/// How the conditions and sort keys of a request that lead through fetched properties were judged.
public struct LinkReport: Sendable, Hashable, CustomStringConvertible {
  /// One for each link, in the order in which they were followed. A link of a link comes before what it is part of.
  public internal(set) var steps: [Step] = []

  /// One link.
  public struct Step: Sendable, Hashable, CustomStringConvertible {
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

    public var description: String {
      let moved = "\(self.keys) keys in \(self.requests) requests"
      return "\(self.entity).\(self.property): \(self.direction.rawValue), \(moved)"
        + (self.reason.map { "; \($0)" } ?? "")
    }
  }

  /// Which side of a link was asked first.
  public enum Direction: String, Sendable, Hashable, CaseIterable {
    /// The linked side said which keys it has; rows with these keys were asked for.
    case linkedFirst = "linked rows first"
    /// The rows of the request said which keys they have; linked rows with these keys were asked for.
    case sourcesFirst = "sources first"
    /// Both sides were asked without the other, and each pair was judged in memory.
    case everyPair = "every pair in memory"
    /// Nothing had to be asked.
    case unasked = "not asked"
  }

  public var description: String { self.steps.map(\.description).joined(separator: "\n") }
}

/// Collects the steps of one request.
final class LinkRecorder {
  var report = LinkReport()

  func add(_ step: LinkReport.Step) { self.report.steps.append(step) }
}
