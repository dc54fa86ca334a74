extension FetchRequest {
  /// A request whose condition is given as text with arguments.
  ///
  /// ```swift
  /// try FetchRequest("Customer", where: "number > %@ AND name == nil", 100)
  /// ```
  /// - Throws: ``PredicateFormatError`` with the column and what was expected there.
  public init(
    _ entityName: String, where format: String, _ arguments: any PredicateArgument...,
    order: [FetchSortDescriptor] = [], limit: Int = 0
  ) throws(PredicateFormatError) {
    self.init(
      entityName, where: try FetchPredicate(format: format, arguments: arguments), order: order, limit: limit)
  }
}
