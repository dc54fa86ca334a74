public import FederatedModel

/// How a store answers a query and, when the query was run, what that took.
///
/// ```swift
/// let (answer, explanation) = try scope.run(explaining: query)
/// print(explanation.statement, explanation.work?.rowsRead ?? 0)
/// ```
public struct StoreExplanation: Sendable, Hashable, Codable {
  /// Where a part of a question is answered.
  public enum Stage: String, Sendable, Hashable, Codable {
    /// By what the store runs: its SQL, its look-up.
    case statement
    /// In memory, inside the store, over the rows that came out of the statement.
    case memory
  }

  /// What the store runs: SQL text, or a sentence such as "scan of 40 rows".
  public var statement: String
  /// What is run after it, with the rows that memory chose among those of the statement; nil for nothing.
  public var following: String?
  /// What the statement's placeholders stand for, in order.
  public var bindings: [Value]
  /// Values that go into tables of the statement's own, because they are too many to bind.
  public var tabledValues = 0
  /// The terms of the predicate that the statement answers, as canonical text.
  public var pushed: [String]
  /// The terms that are finished in memory, inside the store.
  public var inMemory: [String]
  /// Who sorts; nil when no order is asked for, or none that matters.
  public var order: Stage?
  /// Who cuts offset and limit; nil when there are none.
  public var window: Stage?
  /// The index used, if any.
  public var index: String?
  /// How the database goes about it, in its own words; empty for other stores.
  public var plan: [String] = []
  /// What answering took; nil when the query was not run, or the store does not count.
  public var work: StoreWork?

  public init(
    statement: String, bindings: [Value] = [], pushed: [String] = [], inMemory: [String] = [],
    index: String? = nil
  ) {
    self.statement = statement
    self.bindings = bindings
    self.pushed = pushed
    self.inMemory = inMemory
    self.index = index
  }
}

/// What answering one query took.
///
/// A store that can find rows by itself reads no more rows than it returns, and visits no more than it reads.
public struct StoreWork: Sendable, Hashable, Codable {
  /// Statements run, or scans and look-ups in a whole-file store.
  public var statements = 0
  /// Rows that came out of the statements, or that were looked at one by one.
  public var rowsRead = 0
  /// Rows handed over; a count hands over none.
  public var rowsReturned = 0
  /// Rows of the entity's table that the database went through to find those it answered. Nil where that is not
  /// counted.
  public var rowsVisited: Int?
  /// Steps of the database through whole tables, subqueries included; nil for stores that are none.
  public var fullScanSteps: Int?
  /// Sorts that no index spared the database.
  public var sorts: Int?
  /// Rows put into indexes that the database made for this one statement.
  public var automaticIndexRows: Int?

  public init() {}
}
