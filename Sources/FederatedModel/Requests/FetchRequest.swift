/// Which rows are wanted, in which order and shape: plain data.
///
/// ```swift
/// var request = try FetchRequest("Invoice", where: "total > %@", 1000, order: [.descending("date")], limit: 10)
/// request.fetchOffset = 10
/// let second = try context.fetch(request)
/// ```
public struct FetchRequest: Hashable, Sendable, Codable {
  /// The entity whose rows are wanted.
  public var entityName: String
  /// Nil asks for every instance.
  public var predicate: FetchPredicate?
  /// The order, each key for the ties of those before it. Without any, rows come in the stores' own order.
  public var sortDescriptors: [FetchSortDescriptor] = []
  /// The form of the results. The method that is called must fit: `fetch`, `count`, `identifiers`, `dictionaries`;
  /// a request for `objects` may be given to any of them.
  public var resultType: ResultType = .objects
  /// The most results wanted; 0 is no limit.
  public var fetchLimit = 0
  /// How many results are left out at the front, after the order is made.
  public var fetchOffset = 0
  /// How many rows are loaded at once; 0 loads all. Never changes what is answered.
  public var fetchBatchSize = 0
  /// Whether unsaved changes of the context take part.
  public var includesPendingChanges = true
  /// Whether rows of the entity's descendants are wanted too.
  public var includesSubentities = true
  /// Whether values are loaded with the rows; false loads identifiers, and values when they are first read.
  public var includesPropertyValues = true
  /// False makes the values of every object readable at once, which costs memory and never changes an answer.
  public var returnsObjectsAsFaults = true
  /// Whether equal dictionaries are answered once; needs ``propertiesToFetch``. Objects are distinct anyhow.
  public var returnsDistinctResults = false
  /// Whether objects that were read before take the stored values over, unsaved edits kept.
  public var shouldRefreshRefetchedObjects = false
  /// Columns of dictionary results; nil asks for every attribute, or for the grouped columns where there are any.
  /// Objects are loaded whole, whatever columns are named.
  public var propertiesToFetch: [FetchColumn]?
  /// What dictionaries are grouped by: properties, paths of to-ones, or names of expression columns without aggregates.
  /// There is one dictionary for each combination of values, and every other column is an aggregate.
  public var propertiesToGroupBy: [String]?
  /// A condition on the dictionaries of groups, over their columns, grouped properties and aggregates:
  /// `headcount > 1`, `count(name) > 1`.
  public var havingPredicate: FetchPredicate?
  /// Relationships that are read by the set with the objects; dots join several steps.
  public var relationshipKeyPathsForPrefetching: [String] = []
  /// The names of the stores to ask; nil asks every store that holds the entity.
  public var affectedStores: [String]?
  /// Conditions through fetched properties, which hold beside ``predicate``; see ``linked(_:)``.
  public var linkedConditions: [LinkedCondition] = []

  /// What the original framework answers a request with; the numbers are those of model files.
  public enum ResultType: Int, Hashable, Sendable, Codable {
    case objects = 0
    case identifiers = 1
    case dictionaries = 2
    case count = 4
  }

  /// Asks for the rows of an entity.
  /// - Parameters:
  ///   - predicate: nil asks for every row.
  ///   - limit: the most results wanted; 0 is no limit.
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
