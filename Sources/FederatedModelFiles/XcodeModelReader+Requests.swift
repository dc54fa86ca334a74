import FederatedModel

extension XcodeModelReader {
  /// The name of every request inside a fetched property.
  static let innerRequestName = "fetchedPropertyFetchRequest"
  /// Under this, a fetched property keeps attributes of the request inside it.
  static let innerAttributePrefix = "fetchRequest."

  func template(_ element: XcodeElement) throws(ModelFileError) -> FetchRequestTemplate {
    var element = element
    let name = try element.required("name")
    let (request, format) = try self.request(&element)
    var template = FetchRequestTemplate(name, request, where: format)
    template.fileAttributes = element.keptAttributes
    return template
  }

  /// A `<fetchRequest>`: the condition stays text, which the model parses when it is frozen.
  ///
  /// Xcode has no place for an order, nor for limits of a fetched property. Two attributes of our own say them;
  /// other programs pass over them:
  ///
  /// - `federated.sort`: keys in order, separated by commas, `-` before a descending one, and after a colon how
  ///   strings compare: `-date,name:caseInsensitive`.
  /// - `federated.offset`: how many results are skipped.
  func request(
    _ element: inout XcodeElement
  ) throws(ModelFileError) -> (request: FetchRequest, format: String?) {
    var request = FetchRequest(try element.required("entity"))
    // The inner request of a fetched property has a constant name.
    _ = element.text("name")
    let format = element.nonEmptyText("predicateString")
    let number = try element.integer("resultType")
    guard let type = FetchRequest.ResultType(rawValue: number) else {
      throw element.invalid("resultType", "\(number)", "Write 0, 1, 2 or 4.")
    }
    request.resultType = type
    request.fetchLimit = try self.count("fetchLimit", &element)
    request.fetchBatchSize = try self.count("fetchBatchSize", &element)
    request.fetchOffset = try self.count("federated.offset", &element)
    request.includesSubentities = try element.flag("includeSubentities", default: true)
    request.includesPropertyValues = try element.flag("includePropertyValues", default: true)
    request.includesPendingChanges = try element.flag("includesPendingChanges", default: true)
    request.returnsObjectsAsFaults = try element.flag("returnObjectsAsFaults", default: true)
    request.returnsDistinctResults = try element.flag("returnDistinctResults")
    if let text = element.nonEmptyText("federated.sort") {
      guard let order = ModelSortText.order(text) else {
        throw element.invalid(
          "federated.sort", text, "Write keys with commas between, \"-\" before a descending one.")
      }
      request.sortDescriptors = order
    }
    return (request, format)
  }

  private func count(_ name: String, _ element: inout XcodeElement) throws(ModelFileError) -> Int {
    let number = try element.integer(name)
    guard number >= 0 else { throw element.invalid(name, "\(number)", "Write a number from 0 up.") }
    return number
  }
}

/// The text of `federated.sort`.
enum ModelSortText {
  static func order(_ text: String) -> [FetchSortDescriptor]? {
    var order: [FetchSortDescriptor] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      var part = part.drop { $0 == " " }
      let ascending = part.first != "-"
      if !ascending { part.removeFirst() }
      let pieces = part.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let key = pieces[0].filter { $0 != " " }
      let comparison =
        pieces.count == 1 ? .scalar : FetchSortDescriptor.Comparison(rawValue: String(pieces[1]))
      guard !key.isEmpty, let comparison else { return nil }
      order.append(FetchSortDescriptor(key, ascending: ascending, comparison: comparison))
    }
    return order
  }

  static func text(_ order: [FetchSortDescriptor]) -> String {
    order.map { sort in
      (sort.ascending ? "" : "-") + sort.key
        + (sort.comparison == .scalar ? "" : ":\(sort.comparison.rawValue)")
    }.joined(separator: ",")
  }
}
