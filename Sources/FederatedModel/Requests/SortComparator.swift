public import Foundation

/// An order in Swift, for what no ``FetchSortDescriptor/Comparison`` says.
///
/// ```swift
/// let bySize = SortComparator("bySize") { a, b in
///   let order = ["S", "M", "L"]
///   return order.place(of: a) < order.place(of: b) ? .orderedAscending : …
/// }
/// let request = FetchRequest("Shirt", order: [FetchSortDescriptor("size", by: bySize)], limit: 5)
/// ```
/// No SQL runs it: a store reads the rows that the condition chooses, and sorts them in memory before offset and limit,
/// so that every store answers the same first rows. nil comes before everything, as in any order, and the comparator is
/// never asked about it. It is equal to its own copies alone, and cannot be encoded or written into a model file.
///
/// It must be an order: of three values, where the first comes before the second and that before the third, the first
/// comes before the third.
public struct SortComparator: Sendable {
  /// What messages call the order.
  public let name: String
  private let body: Body

  /// By reference: a comparator is known by its identity.
  private final class Body: Sendable {
    let compare: @Sendable (Value, Value) -> ComparisonResult

    init(_ compare: @escaping @Sendable (Value, Value) -> ComparisonResult) { self.compare = compare }
  }

  public init(_ name: String, _ compare: @escaping @Sendable (Value, Value) -> ComparisonResult) {
    self.name = name
    self.body = Body(compare)
  }

  /// Below 0 when the first comes before the second.
  func compare(_ a: Value, _ b: Value) -> Int { self.body.compare(a, b).rawValue }
}

extension SortComparator: Hashable, CustomStringConvertible {
  public static func == (left: SortComparator, right: SortComparator) -> Bool {
    left.body === right.body && left.name == right.name
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self.body)) }

  public var description: String { "COMPARATOR(\(self.name))" }
}

/// A sort key travels as its key, direction and comparison. A comparator does not travel: encoding it throws
/// ``FetchPredicateError`` with `unsupportedConstruct`.
extension FetchSortDescriptor: Codable {
  private enum CodingKeys: String, CodingKey { case key, ascending, comparison, link }

  public func encode(to encoder: any Encoder) throws {
    if let comparator = self.comparator {
      throw FetchPredicateError(
        .unsupportedConstruct, subject: comparator.description,
        "an order that is code cannot be encoded; sort by one of the comparisons")
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(self.key, forKey: .key)
    try container.encode(self.ascending, forKey: .ascending)
    try container.encode(self.comparison, forKey: .comparison)
    try container.encodeIfPresent(self.link, forKey: .link)
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try container.decode(String.self, forKey: .key),
      ascending: try container.decode(Bool.self, forKey: .ascending),
      comparison: try container.decode(Comparison.self, forKey: .comparison))
    self.link = try container.decodeIfPresent(String.self, forKey: .link)
  }
}
