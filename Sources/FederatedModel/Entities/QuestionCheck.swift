/// Checks one stored request against the draft: its entity, its settings, and every key it names.
struct QuestionCheck {
  let index: DraftIndex
  /// Where breaches are said to be: the declaring entity and the property.
  let entity: String?
  let property: String?
  let kind: Kind
  private(set) var breaches: [ModelError.Breach] = []
  /// What each subquery variable stands for; nil when it cannot be known.
  private var elements: [String: Place] = [:]

  enum Kind: Equatable {
    case fetchedProperty
    case template(String)
    case index(String)
    /// Of a value of that type: `SELF` is the value, every other key one of the object that has it.
    case condition(AttributeType)
  }

  /// Where a key path has arrived.
  enum Place: Equatable {
    case object(String, isMany: Bool)
    case value(AttributeType, isMany: Bool)
    case unknown

    var isMany: Bool {
      switch self {
      case .object(_, let isMany), .value(_, let isMany): isMany
      case .unknown: false
      }
    }
  }

  init(_ index: DraftIndex, entity: String?, property: String?, kind: Kind) {
    self.index = index
    self.entity = entity
    self.property = property
    self.kind = kind
  }

  /// The request with its condition parsed, and all breaches.
  mutating func question(_ request: FetchRequest, format: String?) -> StoredQuestion {
    var request = request
    if let format {
      do { request.predicate = try StoredQuestion.parse(format) } catch {
        self.report(.invalidPredicate, "The condition cannot be read: \(error)")
      }
    }
    if self.index.entity(request.entityName) == nil {
      self.report(
        self.kind == .fetchedProperty ? .unknownFetchedEntity : .invalidTemplate,
        "The question is about entity \"\(request.entityName)\", which is not in the model."
          + self.index.entityHint(for: request.entityName))
    } else {
      self.checkKeys(of: request)
    }
    if request.followsLinks {
      self.report(
        self.kind == .fetchedProperty ? .invalidFetchedProperty : .invalidTemplate,
        "A stored question leads through no fetched property. Add linked conditions and orders to the request "
          + "that is fetched.")
    }
    if self.kind == .fetchedProperty { self.checkSettings(of: request) }
    return StoredQuestion(request: request, breaches: self.breaches)
  }

  /// What is wrong with a condition of a value.
  mutating func breaches(of condition: ValidationCondition) -> [ModelError.Breach] {
    do {
      if let predicate = try StoredQuestion.parse(condition.format), let entity = self.entity {
        self.check(predicate, from: .object(entity, isMany: false))
      }
    } catch {
      self.report(.invalidPredicate, "The condition cannot be read: \(error)")
    }
    return self.breaches
  }

  private mutating func checkSettings(of request: FetchRequest) {
    if request.resultType != .objects {
      self.report(
        .invalidFetchedProperty,
        "A fetched property answers objects, and its request asks for \(request.resultType). Ask for objects."
      )
    }
    if request.propertiesToGroupBy?.isEmpty == false || request.havingPredicate != nil {
      self.report(
        .invalidFetchedProperty,
        "A fetched property answers objects, and its request groups. Take the groups away.")
    }
    if request.fetchLimit < 0 || request.fetchOffset < 0 || request.fetchBatchSize < 0 {
      self.report(.invalidFetchedProperty, "Limit, offset and batch size are at least 0.")
    }
  }

  private mutating func checkKeys(of request: FetchRequest) {
    let start = Place.object(request.entityName, isMany: false)
    if let predicate = request.predicate { self.check(predicate, from: start) }
    for sort in request.sortDescriptors where sort.link == nil {
      let keys = sort.key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      let place = self.walk(keys, from: start, subject: sort.key)
      if place.isMany {
        self.reportToMany(sort.key, "An order needs one value for each row.")
      } else if case .object = place, keys.last.map(Self.namesIdentity) != true {
        self.report(
          .unknownKeyPath, "The order \"\(sort.key)\" ends in a relationship. End it in an attribute.")
      }
    }
    self.checkColumns(of: request, from: start)
    for path in request.relationshipKeyPathsForPrefetching {
      if self.index.property(named: path, of: request.entityName)?.property is FetchedPropertyDescription {
        self.report(
          .keyPathNotFetchable,
          "The prefetched \"\(path)\" is a fetched property, not a relationship. "
            + "Take it out, and fill it for many sources with the context's prefetch(_:for:).")
        continue
      }
      let place = self.walk(path.split(separator: ".").map(String.init), from: start, subject: path)
      guard case .value = place else { continue }
      self.report(
        .unknownKeyPath, "The prefetched path \"\(path)\" ends in an attribute. Name relationships alone.")
    }
  }

  private mutating func checkColumns(of request: FetchRequest, from start: Place) {
    let columns = request.propertiesToFetch ?? []
    for column in columns {
      switch column {
      case .property(let path): self.checkColumn(path, from: start)
      case .expression(let description): _ = self.visit(description.expression, from: start)
      }
    }
    for path in request.propertiesToGroupBy ?? [] where !columns.contains(where: { $0.name == path }) {
      self.checkColumn(path, from: start)
    }
  }

  private mutating func checkColumn(_ path: String, from start: Place) {
    let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    _ = self.walk(keys, from: start, subject: path)
  }

  mutating func report(_ rule: ModelError.Rule, _ detail: String) {
    let place =
      switch self.kind {
      case .fetchedProperty: ""
      case .template(let name): "Fetch request template \"\(name)\": "
      case .index(let name): "Condition of index \"\(name)\": "
      case .condition: "Condition of the value: "
      }
    let breach = ModelError.Breach(rule, entity: self.entity, property: self.property, place + detail)
    if !self.breaches.contains(breach) { self.breaches.append(breach) }
  }

  private mutating func reportToMany(_ subject: String, _ why: String) {
    self.report(.toManyKeyNeedsModifier, "\"\(subject)\" leads to many values. \(why)")
  }

  // MARK: Predicates

  private mutating func check(_ predicate: FetchPredicate, from start: Place) {
    switch predicate {
    case .constant: break
    case .and(let terms), .or(let terms): for term in terms { self.check(term, from: start) }
    case .not(let term): self.check(term, from: start)
    case .block(let block): for operand in block.operands { _ = self.visit(operand, from: start) }
    case .comparison(let comparison):
      let left = self.visit(comparison.left, from: start)
      let right = self.visit(comparison.right, from: start)
      let needed = "Put ANY, ALL or NONE before the comparison, or count with @count."
      if left.isMany, comparison.modifier == .direct, comparison.operator != .contains {
        self.reportToMany(Self.text(of: comparison.left), needed)
      }
      if right.isMany, comparison.operator != .in {
        self.reportToMany(Self.text(of: comparison.right), "Compare with IN.")
      }
    }
  }

  private mutating func visit(_ expression: FetchExpression, from start: Place) -> Place {
    switch expression {
    case .constant: return .unknown
    case .evaluatedObject:
      if case .condition(let type) = self.kind { return .value(type, isMany: false) }
      return start
    case .variable(let name): return self.place(of: name)
    case .keyPath(let keys): return self.walk(keys, from: start, subject: keys.joined(separator: "."))
    case .path(let base, let keys):
      let place = self.visit(base, from: start)
      return self.walk(keys, from: place, subject: Self.text(of: expression))
    case .index(let base, let index):
      let place = self.visit(base, from: start)
      if case .at(let position) = index { _ = self.visit(position, from: start) }
      switch (index, place) {
      case (.size, _), (_, .unknown): return .unknown
      case (_, .object(let entity, _)): return .object(entity, isMany: false)
      case (_, .value(let type, _)): return .value(type, isMany: false)
      }
    case .function(_, let arguments), .aggregate(let arguments):
      for argument in arguments { _ = self.visit(argument, from: start) }
      return .unknown
    case .subquery(let collection, let variable, let predicate):
      let element: Place =
        switch self.visit(collection, from: start) {
        case .object(let entity, _): .object(entity, isMany: false)
        case .value(let type, _): .value(type, isMany: false)
        case .unknown: .unknown
        }
      let outer = self.elements.updateValue(element, forKey: variable)
      self.check(predicate, from: start)
      self.elements[variable] = outer
      return .unknown
    case .conditional(let predicate, let first, let second):
      self.check(predicate, from: start)
      _ = self.visit(first, from: start)
      _ = self.visit(second, from: start)
      return .unknown
    case .setOperation(_, let first, let second):
      _ = self.visit(first, from: start)
      _ = self.visit(second, from: start)
      return .unknown
    }
  }

  private mutating func place(of variable: String) -> Place {
    if let element = self.elements[variable] { return element }
    switch self.kind {
    case .template: break
    case .fetchedProperty where variable == "FETCH_SOURCE" || variable == "FETCHED_PROPERTY": break
    default:
      self.report(
        .unboundVariable,
        self.kind == .fetchedProperty
          ? "Nothing binds $\(variable) when the property is read. Use $FETCH_SOURCE or $FETCHED_PROPERTY."
          : "Nothing binds $\(variable).")
    }
    return .unknown
  }
}
