/// A stored question: a weak, one-way, computed link to rows of any store, as drafted.
///
/// The request is bound to the reading object through `$FETCH_SOURCE`, and to this description through
/// `$FETCHED_PROPERTY`. Nothing of it is ever written to a store.
public struct FetchedPropertyDescription: PropertyDescription, Hashable {
  public var name: String
  /// The question. ``FetchRequest/predicate`` stands only when ``predicateFormat`` is nil.
  public var request: FetchRequest?
  /// The question's condition as text, parsed when the model is frozen, where an error can name the property.
  public var predicateFormat: String?
  public var isOptional = true
  public var isTransient = true
  public var userInfo: [String: String] = [:]
  public var renamingIdentifier: String?
  public var versionHashModifier: String?
  public var fileAttributes: [String: String] = [:]
  /// Elements of the model file that have no meaning here, kept for a rewrite.
  public var fileElements: [ModelFileElement] = []

  /// - Parameters:
  ///   - entity: the destination entity; it may live in any store.
  ///   - format: a predicate over the destination; nil means all of its rows.
  public init(
    _ name: String, of entity: String, where format: String? = nil, order: FetchSortDescriptor...,
    limit: Int = 0, userInfo: [String: String] = [:]
  ) {
    self.name = name
    self.request = FetchRequest(entity, order: order, limit: limit)
    self.predicateFormat = format
    self.userInfo = userInfo
  }

  /// Takes the question as a whole request.
  public init(_ name: String, _ request: FetchRequest?, userInfo: [String: String] = [:]) {
    self.name = name
    self.request = request
    self.userInfo = userInfo
  }
}
