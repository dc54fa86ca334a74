import FederatedModel

/// A random request, in which rows are named by number: `$row12`.
struct GeneratedQuestion {
  enum Shape {
    case objects, identifiers, count
    /// Lines of these columns.
    case columns([FetchColumn], isDistinct: Bool)
    /// One line for each combination of the keys.
    case groups(keys: [String], aggregates: [ExpressionDescription], having: FetchPredicate?)

    var isOfRows: Bool {
      switch self {
      case .objects, .identifiers, .count: true
      case .columns, .groups: false
      }
    }
  }

  var entity: Entity
  var predicate: FetchPredicate
  var sorts: [FetchSortDescriptor] = []
  var offset = 0
  /// 0 is no limit.
  var limit = 0
  var includesSubentities = true
  var shape = Shape.objects
  /// The code of the error that must come instead of an answer.
  var refusal: String?

  /// The request, with rows named by their identifiers.
  func request(_ identifiers: [String: Value]) -> FetchRequest {
    var request = FetchRequest(
      self.entity.name, where: self.predicate.substituting(identifiers), order: self.sorts, limit: self.limit)
    request.fetchOffset = self.offset
    request.includesSubentities = self.includesSubentities
    switch self.shape {
    case .objects, .identifiers, .count: break
    case .columns(let columns, let isDistinct):
      request.resultType = .dictionaries
      request.propertiesToFetch = columns
      request.returnsDistinctResults = isDistinct
    case .groups(let keys, let aggregates, let having):
      request.resultType = .dictionaries
      request.propertiesToGroupBy = keys
      request.propertiesToFetch = keys.map { .property($0) } + aggregates.map { .expression($0) }
      request.havingPredicate = having
    }
    return request
  }
}

extension GeneratedQuestion: CustomStringConvertible {
  /// Swift that asks the question again.
  var description: String {
    let order = self.sorts.map { sort in
      "FetchSortDescriptor(\"\(sort.key)\", ascending: \(sort.ascending), comparison: .\(sort.comparison))"
    }
    var lines = [
      "var request = FetchRequest(\"\(self.entity.name)\", where: try FetchPredicate(format: #\"\(self.predicate)\"#), "
        + "order: [\(order.joined(separator: ", "))], limit: \(self.limit))"
    ]
    if self.offset != 0 { lines.append("request.fetchOffset = \(self.offset)") }
    if !self.includesSubentities { lines.append("request.includesSubentities = false") }
    switch self.shape {
    case .objects: lines.append("context.fetch(request)")
    case .identifiers: lines.append("context.identifiers(for: request)")
    case .count: lines.append("context.count(for: request)")
    case .columns(let columns, let isDistinct):
      lines.append("request.propertiesToFetch = [\(columns.map(Self.text).joined(separator: ", "))]")
      if isDistinct { lines.append("request.returnsDistinctResults = true") }
      lines.append("context.dictionaries(for: request)")
    case .groups(let keys, let aggregates, let having):
      lines.append("request.propertiesToGroupBy = \(keys)")
      lines.append(
        "request.propertiesToFetch = [\((keys.map { "\"\($0)\"" } + aggregates.map(Self.text)).joined(separator: ", "))]"
      )
      if let having { lines.append("request.havingPredicate = try FetchPredicate(format: #\"\(having)\"#)") }
      lines.append("context.dictionaries(for: request)")
    }
    return lines.map { "  " + $0 }.joined(separator: "\n")
  }

  private static func text(_ column: FetchColumn) -> String {
    switch column {
    case .property(let name): "\"\(name)\""
    case .expression(let expression): ".expression(\(self.text(expression)))"
    }
  }

  private static func text(_ expression: ExpressionDescription) -> String {
    "try ExpressionDescription(\"\(expression.name)\", \"\(expression.expression)\")"
  }
}
