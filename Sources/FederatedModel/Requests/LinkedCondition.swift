/// A condition on what a fetched property of a row finds: a filter that leads through a link, into any store.
///
/// ```swift
/// let large = LinkedCondition("invoices", where: try FetchPredicate(format: "total > 1000"))
/// let rows = try context.fetch(FetchRequest("Customer").linked(large))
/// ```
///
/// It means: for each row, ask the fetched property, with its own condition, order and limit, and test the objects
/// that it finds. Plain data, kept with the request.
public struct LinkedCondition: Hashable, Sendable, Codable {
  /// A fetched property of the requested entity.
  public var property: String
  /// How many of the linked objects must pass.
  public var test: Test
  /// What a linked object passes with; nil is passed by every one.
  public var predicate: FetchPredicate?
  /// What else a linked object passes with: conditions through fetched properties of its own.
  public var conditions: [LinkedCondition]

  /// How many of the linked objects must pass.
  public enum Test: Hashable, Sendable, Codable {
    /// At least one.
    case any
    /// Every one, which holds where nothing is linked.
    case all
    /// Not one, which holds where nothing is linked.
    case none
    /// A number of them.
    case count(Comparison, Int)
  }

  /// How a number of objects is compared.
  public enum Comparison: String, Hashable, Sendable, CaseIterable, Codable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    /// Whether the comparison holds.
    public func holds(_ left: Int, _ right: Int) -> Bool {
      switch self {
      case .equal: left == right
      case .notEqual: left != right
      case .less: left < right
      case .lessOrEqual: left <= right
      case .greater: left > right
      case .greaterOrEqual: left >= right
      }
    }
  }

  public init(
    _ property: String, _ test: Test = .any, where predicate: FetchPredicate? = nil,
    linked conditions: [LinkedCondition] = []
  ) {
    self.property = property
    self.test = test
    self.predicate = predicate
    self.conditions = conditions
  }

  /// Adds a condition through a fetched property of the linked object: a link of a link.
  public func linked(_ condition: LinkedCondition) -> LinkedCondition {
    var copy = self
    copy.conditions.append(condition)
    return copy
  }
}

extension KeyedDecodingContainer {
  /// Conditions through links are younger than requests: one that was written without them has none. Decoders that the
  /// compiler makes for the types of this module call it in place of the general one.
  func decode(_ type: [LinkedCondition].Type, forKey key: Key) throws -> [LinkedCondition] {
    try self.decodeIfPresent(type, forKey: key) ?? []
  }
}
