/// What a prefetch did: how many questions were asked for how many owners, and where it had to ask one by one.
public struct PrefetchReport: Sendable, Hashable, Codable {
  /// One for each property of the path, in its order. A property that several entities declare has several.
  public internal(set) var steps: [Step] = []

  /// One property of the path, of one entity that declares it.
  public struct Step: Sendable, Hashable, Codable {
    public let entity: String
    public let property: String
    /// Objects whose property was not at hand yet.
    public internal(set) var owners = 0
    /// Questions asked; each goes once to every store that it concerns.
    public internal(set) var requests = 0
    /// Distinct keys that were sent along with the questions; owners without a key that equals anything send none.
    public internal(set) var keys = 0
    /// How the stores answered; empty unless the prefetch is explained.
    public internal(set) var questions: [QuestionExplanation] = []
    /// Why the property was read owner by owner; nil when it was read by the set.
    public internal(set) var fallbackReason: String?

    /// How often each store was asked, by name; empty unless the prefetch is explained.
    public var requestsByStore: [String: Int] {
      self.questions.flatMap(\.stores).reduce(into: [:]) { $0[$1.name, default: 0] += 1 }
    }

    init(entity: String, property: String) {
      self.entity = entity
      self.property = property
    }
  }

  /// Objects of all steps whose property was not at hand yet.
  public var owners: Int { self.steps.reduce(0) { $0 + $1.owners } }
  /// Questions of all steps.
  public var requests: Int { self.steps.reduce(0) { $0 + $1.requests } }
  /// Distinct keys that the questions of all steps sent along.
  public var keys: Int { self.steps.reduce(0) { $0 + $1.keys } }
  /// The reasons of all steps that were read owner by owner.
  public var fallbackReasons: [String] { self.steps.compactMap(\.fallbackReason) }
}
