/// Which rows are wanted, in which order and shape: plain data.
public struct FetchRequest: Hashable, Sendable, Codable {
  public var entityName: String
  /// Nil asks for every instance.
  public var predicate: FetchPredicate?
  public var sortDescriptors: [FetchSortDescriptor] = []
  public var resultType: ResultType = .objects
  /// The most results wanted; 0 is no limit.
  public var fetchLimit = 0
  public var fetchOffset = 0
  /// How many rows are loaded at once; 0 loads all. Never changes what is answered.
  public var fetchBatchSize = 0
  public var includesPendingChanges = true
  public var includesSubentities = true
  public var includesPropertyValues = true
  public var returnsObjectsAsFaults = true
  public var returnsDistinctResults = false
  public var shouldRefreshRefetchedObjects = false
  /// Columns of dictionary results, by name.
  public var propertiesToFetch: [String]?
  public var propertiesToGroupBy: [String]?
  public var havingPredicate: FetchPredicate?
  public var relationshipKeyPathsForPrefetching: [String] = []
  /// The names of the stores to ask; nil asks every store that holds the entity.
  public var affectedStores: [String]?

  public enum ResultType: Int, Hashable, Sendable, Codable {
    case objects = 0
    case identifiers = 1
    case dictionaries = 2
    case count = 4
  }

  public init(
    _ entityName: String, where predicate: FetchPredicate? = nil,
    order: [FetchSortDescriptor] = [], limit: Int = 0
  ) {
    self.entityName = entityName
    self.predicate = predicate
    self.sortDescriptors = order
    self.fetchLimit = limit
  }
}
