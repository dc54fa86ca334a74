extension FetchRequest {
  /// Adds a condition through a fetched property. All conditions must hold, and the predicate beside them.
  public func linked(_ condition: LinkedCondition) -> FetchRequest {
    var request = self
    request.linkedConditions.append(condition)
    return request
  }

  /// Adds a condition through a fetched property: how many of the objects that it finds pass the predicate.
  ///
  /// ```swift
  /// FetchRequest("Customer").linked("invoices", .count(.greater, 3))
  /// ```
  /// - Parameter predicate: nil is passed by every linked object.
  public func linked(
    _ property: String, _ test: LinkedCondition.Test = .any, where predicate: FetchPredicate? = nil
  ) -> FetchRequest {
    self.linked(LinkedCondition(property, test, where: predicate))
  }

  /// Adds a condition through a fetched property, given as text with arguments.
  ///
  /// ```swift
  /// try FetchRequest("Customer").linked("invoices", .none, where: "total > %@", 1000)
  /// ```
  /// - Throws: ``PredicateFormatError`` with the column and what was expected there.
  public func linked(
    _ property: String, _ test: LinkedCondition.Test = .any, where format: String,
    _ arguments: any PredicateArgument...
  ) throws(PredicateFormatError) -> FetchRequest {
    self.linked(property, test, where: try FetchPredicate(format: format, arguments: arguments))
  }

  /// Adds a sort key of the first object that a fetched property finds, in the property's own order. Rows for which it
  /// finds none are sorted as nil.
  ///
  /// ```swift
  /// FetchRequest("Favourite").sorted(through: "book", by: .ascending("title"))
  /// ```
  public func sorted(through property: String, by sort: FetchSortDescriptor) -> FetchRequest {
    var request = self
    request.sortDescriptors.append(sort.through(property))
    return request
  }

  /// Whether a condition or a sort key leads through a fetched property.
  public var followsLinks: Bool {
    !self.linkedConditions.isEmpty || self.sortDescriptors.contains { $0.link != nil }
  }
}
