/// One sort key of a request.
public struct FetchSortDescriptor: Hashable, Sendable {
  /// A key, or a path through to-one relationships: `author.name`.
  public var key: String
  public var ascending: Bool
  public var comparison: Comparison
  /// The fetched property whose first object has the key; nil where the row itself has it.
  public var link: String?
  /// An order of one's own, in place of ``comparison``.
  public var comparator: SortComparator?

  /// How two strings are put in order. Other values have one order only.
  public enum Comparison: String, Hashable, Sendable, CaseIterable, Codable {
    /// By Unicode scalar, the same in every store.
    case scalar
    case caseInsensitive
    case localized
    case localizedCaseInsensitive
    case localizedStandard
  }

  public init(_ key: String, ascending: Bool = true, comparison: Comparison = .scalar) {
    self.key = key
    self.ascending = ascending
    self.comparison = comparison
  }

  /// The same key, of the first object that a fetched property finds; see ``FetchRequest/sorted(through:by:)``.
  public func through(_ property: String) -> FetchSortDescriptor {
    var copy = self
    copy.link = property
    return copy
  }

  /// Sorts by an order of one's own, in memory and before offset and limit; see ``SortComparator``.
  public init(_ key: String, ascending: Bool = true, by comparator: SortComparator) {
    self.init(key, ascending: ascending)
    self.comparator = comparator
  }

  public static func ascending(_ key: String) -> FetchSortDescriptor { FetchSortDescriptor(key) }
  public static func descending(_ key: String) -> FetchSortDescriptor {
    FetchSortDescriptor(key, ascending: false)
  }
}
