package import FederatedModel

/// How a fetch was answered: by which stores, by which statements, and what was done in memory.
///
/// Printed, it is a text of a few lines for each store; encoded, it is the same as data.
///
/// ```swift
/// let request = try FetchRequest("Invoice", where: "total > %@", 1000, limit: 10)
/// print(try context.explain(request))
/// ```
public struct FetchExplanation: Sendable, Hashable, Codable {
  /// The form of the results.
  public enum Results: String, Sendable, Hashable, Codable {
    case objects, identifiers, dictionaries, count
  }

  /// What was fetched: the request's entity, condition, order and window with all variables replaced.
  public var entity: String
  /// The condition; nil for every object.
  public var predicate: String?
  public var order: [String] = []
  public var offset = 0
  /// Nil is no limit.
  public var limit: Int?
  public var resultType: Results
  /// What the fetch answered: objects, identifiers, dictionaries; the number itself for a count.
  public var results = 0
  /// What was asked before the fetch itself: values of the source, keys to filter by.
  public var before: [ExplanationStep] = []
  /// How the stores answered; nil when none had to be asked.
  public var question: QuestionExplanation?
  /// What unsaved changes did to the stores' answer; nil when they had no part in it.
  public var pending: PendingShare?
  /// What the context did with the lines that the stores answered, for dictionaries: the condition on groups, an order
  /// by something computed, and what can only be done after these.
  public var finished: [String] = []
  /// What was asked behind the fetch: relationships that it prefetches, values that memory needed.
  public var after: [ExplanationStep] = []
  /// How the conditions and sort keys that lead through fetched properties were judged.
  public var links: [LinkShare] = []
  /// The fetched property that was read; nil for requests.
  public var link: LinkExplanation?

  package init(entity: String, resultType: FetchRequest.ResultType) {
    self.entity = entity
    self.resultType =
      switch resultType {
      case .objects: .objects
      case .identifiers: .identifiers
      case .dictionaries: .dictionaries
      case .count: .count
      }
  }
}

/// Something that was asked beside the fetch that is explained.
public struct ExplanationStep: Sendable, Hashable, Codable {
  /// What it was for, as a phrase.
  public var title: String
  /// The keys that it carried from one store to another.
  public var keys = 0
  public var questions: [QuestionExplanation] = []

  package init(_ title: String, keys: Int = 0, questions: [QuestionExplanation] = []) {
    self.title = title
    self.keys = keys
    self.questions = questions
  }
}

/// What unsaved changes of a context did to the answer of the stores.
public struct PendingShare: Sendable, Hashable, Codable {
  /// Objects whose place in the answer was decided by the context, by the values they have now.
  public var judged = 0
  /// Objects that entered the answer.
  public var added = 0
  /// Objects that left it.
  public var removed = 0

  package init(judged: Int = 0, added: Int = 0, removed: Int = 0) {
    self.judged = judged
    self.added = added
    self.removed = removed
  }
}

/// The fetched property whose question was asked.
public struct LinkExplanation: Sendable, Hashable, Codable {
  /// `Customer.recentInvoices`.
  public var property: String
  /// The URI of the object that was asked.
  public var owner: String
  /// The stored condition, its variables not replaced; nil when there is none.
  public var condition: String?
  /// The attributes of the destination that are tied to the owner: `customerNumber == $FETCH_SOURCE.number`.
  public var keys: [String] = []
  /// What else must hold; nil for nothing.
  public var rest: String?
  /// Why the property can only be read owner by owner; nil when it can be read by the set.
  public var unplannedReason: String?
  /// Whether the answer was at hand, so that no store was asked.
  public var wasKept = false

  package init(property: String, owner: String) {
    self.property = property
    self.owner = owner
  }
}
