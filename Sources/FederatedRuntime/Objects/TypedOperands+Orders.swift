public import FederatedModel

extension SortOperand {
  /// An order by this attribute, the least first; nil comes before all.
  public var ascending: FetchSortDescriptor { .ascending(self.sortKey) }
  /// An order by this attribute, the greatest first; nil comes last.
  public var descending: FetchSortDescriptor { .descending(self.sortKey) }
}

extension SortOperand where Content: TextValue {
  /// Upper and lower case are put together: `\.name.caseInsensitive.ascending`.
  public var caseInsensitive: TextOrder { TextOrder(key: self.sortKey, comparison: .caseInsensitive) }
  /// The order of the user's language.
  public var localized: TextOrder { TextOrder(key: self.sortKey, comparison: .localized) }
  /// The order of the user's language, upper and lower case put together.
  public var localizedCaseInsensitive: TextOrder {
    TextOrder(key: self.sortKey, comparison: .localizedCaseInsensitive)
  }
  /// The order in which files are listed: numbers by what they are worth.
  public var localizedStandard: TextOrder { TextOrder(key: self.sortKey, comparison: .localizedStandard) }
}

/// Text, and how it is put in order.
public struct TextOrder: Sendable {
  let key: String
  let comparison: FetchSortDescriptor.Comparison

  /// The least first; nil comes before all.
  public var ascending: FetchSortDescriptor {
    FetchSortDescriptor(self.key, ascending: true, comparison: self.comparison)
  }
  /// The greatest first; nil comes last.
  public var descending: FetchSortDescriptor {
    FetchSortDescriptor(self.key, ascending: false, comparison: self.comparison)
  }
}
