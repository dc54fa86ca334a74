/// What of a fetched property's stored question is a key to look up, and what is left over.
///
/// Made once, when the model is frozen. Reading for one source, filling for many, explaining and checking
/// links all follow it.
public struct FetchedPropertyPlan: Hashable, Sendable {
  /// The equalities of the top-level AND that tie an attribute of the destination to a path from
  /// `$FETCH_SOURCE`. Never empty.
  public let keys: [Key]
  /// The other terms of the AND; nil when there are none. May mention `$FETCHED_PROPERTY`, never
  /// `$FETCH_SOURCE`: with such a term there is no plan.
  public let residual: FetchPredicate?

  public struct Key: Hashable, Sendable {
    /// An attribute of the destination.
    public let attribute: String
    /// A path of to-one steps from the source that ends in an attribute.
    public let sourcePath: [String]

    public init(attribute: String, sourcePath: [String]) {
      self.attribute = attribute
      self.sourcePath = sourcePath
    }
  }

  public init(keys: [Key], residual: FetchPredicate?) {
    self.keys = keys
    self.residual = residual
  }
}
