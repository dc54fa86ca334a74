extension ManagedObjectModel {
  /// The template of that name with its variables unresolved; nil for an unknown name.
  public func fetchRequestTemplate(named name: String) -> FetchRequestTemplate? {
    self.templates.first { $0.name == name }
  }

  /// A request made from a template, its variables replaced; nil for an unknown name. The template stays.
  ///
  /// ```swift
  /// let request = try model.fetchRequest(fromTemplate: "since", variables: ["DATE": .date(start)])
  /// ```
  /// - Parameter variables: a value for every variable, ``Value/null`` for nil. Names that the template does
  ///   not have are ignored. `$FETCH_SOURCE` is a variable like any other here.
  /// - Throws: ``FetchTemplateError``.
  public func fetchRequest(
    fromTemplate name: String, variables: [String: Value] = [:]
  ) throws(FetchTemplateError) -> FetchRequest? {
    guard let stored = self.storedTemplates.first(where: { $0.template.name == name }) else { return nil }
    guard stored.breaches.isEmpty else {
      throw .unusable(template: name, breaches: stored.breaches)
    }
    var request = stored.template.request
    var needed = (request.predicate?.freeVariables ?? []).union(request.havingPredicate?.freeVariables ?? [])
    for case .expression(let column) in request.propertiesToFetch ?? [] {
      needed.formUnion(column.expression.freeVariables)
    }
    let missing = needed.subtracting(variables.keys).sorted()
    guard missing.isEmpty else { throw .missingVariables(template: name, names: missing) }
    request.predicate = request.predicate?.substituting(variables)
    request.havingPredicate = request.havingPredicate?.substituting(variables)
    request.propertiesToFetch = request.propertiesToFetch?.map { column in
      guard case .expression(var description) = column else { return column }
      description.expression = description.expression.substituting(variables)
      return .expression(description)
    }
    return request
  }
}

/// Why no request can be made from a template.
public enum FetchTemplateError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Variables that were given no value.
  case missingVariables(template: String, names: [String])
  /// The template stands in a model that was read from a file, and its question cannot be asked.
  case unusable(template: String, breaches: [ModelError.Breach])

  public var description: String {
    switch self {
    case .missingVariables(let template, let names):
      "Fetch request template \"\(template)\" needs a value for "
        + names.map { "$\($0)" }.joined(separator: ", ") + ". Give .null for nil."
    case .unusable(let template, let breaches):
      "Fetch request template \"\(template)\" cannot be used: "
        + breaches.map(\.description).joined(separator: " ")
    }
  }
}
