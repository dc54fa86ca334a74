import FederatedModel

extension CompiledModelReader {
  mutating func template(
    _ object: ArchivedValue, named name: String
  ) throws(ModelFileError) -> FetchRequestTemplate {
    let (request, problems) = try self.request(object, nil, .invalidTemplate, nil, nil)
    var template = FetchRequestTemplate(name, request)
    template.problems = problems.map { problem in
      ModelError.Breach(
        problem.rule, "Fetch request template \"\(name)\" cannot be used: \(problem.detail)")
    }
    return template
  }

  /// A request, and what of it cannot be asked.
  ///
  /// A question of which a part is missing would answer too much, so it is not asked at all.
  /// - Parameter destination: the entity that the property names beside the request.
  mutating func request(
    _ object: ArchivedValue, _ destination: String?, _ rule: ModelError.Rule, _ entity: String?,
    _ property: String?
  ) throws(ModelFileError) -> (request: FetchRequest, problems: [ModelError.Breach]) {
    let described = try object.field("NSEntity")?.text("NSEntityName")
    guard let name = described ?? destination else {
      throw object.error(.malformedArchive, "The request names no entity. Compile the model again.")
    }
    var request = FetchRequest(name)
    var problems: [ModelError.Breach] = []
    do throws(ModelFileError) {
      request.predicate = try object.field("NSPredicate")?.predicate()
      request.havingPredicate = try object.field("NSHavingPredicate")?.predicate()
      for sort in try object.field("NSSortDescriptors")?.elements() ?? [] {
        request.sortDescriptors.append(try sort.sortDescriptor())
      }
      if let columns = try object.field("NSValuesToFetch") {
        request.propertiesToFetch = []
        for column in try columns.elements() { request.propertiesToFetch?.append(try column.column()) }
      }
    } catch {
      guard error.code == .unsupportedObject else { throw error }
      problems.append(
        ModelError.Breach(
          rule, entity: entity, property: property,
          "\(error.detail) (object \(error.object ?? object.number))"))
    }
    if let groups = try object.field("NSValuesToGroupBy") {
      request.propertiesToGroupBy = []
      for group in try groups.elements() { request.propertiesToGroupBy?.append(try group.propertyName()) }
    }
    for path in try object.field("NSRelationshipKeyPathsForPrefetching")?.elements() ?? [] {
      request.relationshipKeyPathsForPrefetching.append(try path.text())
    }
    let type = try object.integer("NSResultType") ?? 0
    guard let result = Int(exactly: type).flatMap(FetchRequest.ResultType.init) else {
      throw object.error(.unsupportedObject, "\(type) is no result type of a request.")
    }
    request.resultType = result
    request.fetchLimit = try self.count("NSFetchLimit", of: object)
    request.fetchOffset = try self.count("NSFetchOffset", of: object)
    request.fetchBatchSize = try self.count("NSBatchSize", of: object)
    if try object.flag("NSHasFetchRequestFlags"), let flags = try object.integer("NSFetchRequestFlags") {
      request.returnsDistinctResults = flags & 1 != 0
      request.includesSubentities = flags & 2 != 0
      request.includesPropertyValues = flags & 4 != 0
      request.returnsObjectsAsFaults = flags & 8 != 0
      request.includesPendingChanges = flags & 16 != 0
    }
    return (request, problems)
  }

  private func count(_ key: String, of object: ArchivedValue) throws(ModelFileError) -> Int {
    let number = try object.integer(key) ?? 0
    guard let count = Int(exactly: number), count >= 0 else {
      throw object.error(.malformedArchive, "\(number) is no \"\(key)\".")
    }
    return count
  }
}

extension ArchivedValue {
  /// The selectors by which texts are put in order.
  private static let comparisons: [String: FetchSortDescriptor.Comparison] = [
    "compare:": .scalar, "caseInsensitiveCompare:": .caseInsensitive, "localizedCompare:": .localized,
    "localizedCaseInsensitiveCompare:": .localizedCaseInsensitive,
    "localizedStandardCompare:": .localizedStandard,
  ]

  fileprivate func sortDescriptor() throws(ModelFileError) -> FetchSortDescriptor {
    let selector = try self.nonEmptyText("NSSelector") ?? "compare:"
    guard let comparison = Self.comparisons[selector] else {
      throw self.error(.unsupportedObject, "An order by \"\(selector)\" is not answered here.")
    }
    guard try !self.flag("NSReverseNullOrder") else {
      throw self.error(.unsupportedObject, "An order with nil at the other end is not answered here.")
    }
    return FetchSortDescriptor(
      try self.required("NSKey").text(), ascending: try self.flag("NSAscending"), comparison: comparison)
  }

  /// The name of a property, which stands alone or in the property's description.
  fileprivate func propertyName() throws(ModelFileError) -> String {
    if try self.isKind(of: "NSPropertyDescription") { return try self.required("NSPropertyName").text() }
    return try self.text()
  }

  fileprivate func column() throws(ModelFileError) -> FetchColumn {
    guard try self.isKind(of: "NSExpressionDescription") else { return .property(try self.propertyName()) }
    let expression = try self.required("NSExpression").expression()
    return .expression(ExpressionDescription(try self.required("NSPropertyName").text(), expression))
  }
}
