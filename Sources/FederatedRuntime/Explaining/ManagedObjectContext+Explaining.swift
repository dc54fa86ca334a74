public import FederatedModel
internal import FederatedStore

extension ManagedObjectContext {
  /// Runs a request, and tells how it was answered instead of what was found: by which stores, with which
  /// statements, which clauses ran in them and which in memory, and how many rows were read for those that were
  /// answered.
  ///
  /// The request runs as its ``FetchRequest/resultType`` says. A SQLite store answers it once, by a statement that also
  /// counts the rows it visits; the explanation shows the plain one.
  ///
  /// ```swift
  /// let explanation = try context.explain(FetchRequest("Invoice", where: "total > %@", 1000))
  /// for store in explanation.question?.stores ?? [] { print(store.name, store.explanation.pushed) }
  /// ```
  /// - Throws: what the fetch itself throws.
  public func explain(_ request: FetchRequest) throws -> FetchExplanation {
    var rows = request.withoutLinks
    // Columns may be sorted by, which rows do not have.
    if request.resultType == .dictionaries { rows.sortDescriptors = [] }
    let fetch = try ResolvedFetch(rows, in: self)
    let recorder = ReadRecorder()
    let results = try self.explaining(recorder) {
      switch request.resultType {
      case .objects: try self.fetch(request).count
      case .identifiers: try self.identifiers(for: request).count
      case .dictionaries: try self.dictionaries(for: request).count
      case .count: try self.count(for: request)
      }
    }
    var explanation = FetchExplanation(fetch, results: results, recorder)
    if request.resultType == .dictionaries {
      explanation.order = request.sortDescriptors.map(\.summary)
      explanation.finished = try ColumnPlan(request, fetch.entity, in: self.model).steps(of: request)
    }
    return explanation
  }

  /// Runs a typed request, and tells how it was answered; see ``explain(_:)-(FetchRequest)``.
  public func explain<Object>(_ fetch: Fetch<Object>) throws -> FetchExplanation {
    try self.explain(fetch.request)
  }

  /// Notes every question that `body` asks of the stores.
  func explaining<Result>(_ recorder: ReadRecorder, _ body: () throws -> Result) throws -> Result {
    try self.withReadScope {
      let outer = self.scope.recorder
      self.scope.recorder = recorder
      self.scope.read?.recorder = recorder
      defer {
        self.scope.recorder = outer
        self.scope.read?.recorder = outer
      }
      return try body()
    }
  }

  /// Does a part of a fetch that asks stores before the fetch does: an explanation tells it as one step.
  ///
  /// ```swift
  /// let keys = try self.step("keys of Book.title", keys: \.count) { try self.keys(of: link) }
  /// ```
  /// - Parameters:
  ///   - title: what it is for, as a phrase.
  ///   - keys: how many keys of the result travel to another store.
  func step<Result>(
    _ title: @autoclosure () -> String, keys: (Result) -> Int = { _ in 0 }, _ body: () throws -> Result
  ) rethrows -> Result {
    guard let recorder = self.scope.recorder else { return try body() }
    return try recorder.step(title(), keys: keys, body)
  }
}

extension FetchExplanation {
  /// What a recorder noted of a fetch: its own question is the first one that is no part of a step and asks for more
  /// than values that were not at hand.
  init(_ fetch: ResolvedFetch, results: Int, _ recorder: ReadRecorder) {
    self.init(entity: fetch.entity.name, resultType: fetch.request.resultType)
    self.predicate = fetch.predicate.map { "\($0)" }
    self.order = fetch.order.map { "\($0)" }
    self.offset = fetch.request.fetchOffset
    self.limit = fetch.request.fetchLimit == 0 ? nil : fetch.request.fetchLimit
    self.results = results
    self.links = recorder.links
    self.pending = recorder.pending?.share
    for entry in recorder.entries {
      switch entry {
      case .question(let question):
        if self.question == nil, question.purpose.isFetch {
          self.question = question
        } else {
          self.add(ExplanationStep(question.title, questions: [question]))
        }
      case .step(let step): self.add(step)
      }
    }
  }

  private mutating func add(_ step: ExplanationStep) {
    if self.question == nil { self.before.append(step) } else { self.after.append(step) }
  }
}

extension ColumnPlan {
  /// What is done with the lines of all stores, in words.
  fileprivate func steps(of request: FetchRequest) -> [String] {
    if self.grouping == nil, self.storeOrder != nil { return [] }
    let having = request.havingPredicate.map { ["having \($0)"] } ?? []
    let order = request.sortDescriptors.isEmpty ? [] : ["order"]
    let window = request.fetchLimit > 0 || request.fetchOffset > 0 ? ["window"] : []
    return having + order + (self.isDistinct ? ["distinct lines"] : []) + window
  }
}

extension FetchSortDescriptor {
  /// The key as the sort keys of objects are printed: `total descending`.
  fileprivate var summary: String {
    let comparison =
      self.comparator.map { " [\($0)]" }
      ?? (self.comparison == .scalar ? "" : " [\(self.comparison.rawValue)]")
    return "\(self.key) \(self.ascending ? "ascending" : "descending")\(comparison)"
  }
}

extension QuestionExplanation.Purpose {
  fileprivate var isFetch: Bool {
    switch self {
    case .rows, .identifiers, .count, .columns, .groups: true
    case .values, .destinations: false
    }
  }
}

extension QuestionExplanation {
  /// What a question beside the fetch was for.
  fileprivate var title: String {
    switch self.purpose {
    case .rows, .identifiers, .count, .columns, .groups: "another fetch of \(self.entity)"
    case .values: "values of \(self.entity) that were not at hand"
    case .destinations: "links to \(self.entity)"
    }
  }
}
