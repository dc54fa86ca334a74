import FederatedModel

/// Makes random requests of every shape over generated rows.
struct QuestionGenerator {
  private let model: ManagedObjectModel
  private var random: SeededGenerator
  private var predicates: PredicateGenerator

  init(_ model: ManagedObjectModel, over rows: GeneratedRows, seed: UInt64) {
    self.model = model
    self.random = SeededGenerator(seed: seed)
    self.predicates = PredicateGenerator(model, over: rows, seed: seed &+ 1)
  }

  private static let entities = [
    "Record", "Record", "Record", "Note", "Memo", "Folder", "Folder", "Tag", "Tag", "Thing", "Cup",
  ]

  mutating func question() -> GeneratedQuestion {
    guard let entity = self.model.entity(named: self.random.pick(Self.entities)) else {
      preconditionFailure("the entities are those of the model")
    }
    var question = GeneratedQuestion(entity: entity, predicate: .constant(true))
    if self.random.once(in: 40), entity.attribute(named: "title") != nil {
      (question.predicate, question.refusal) = self.refused()
      return question
    }
    if !self.random.once(in: 15) {
      question.predicate = self.predicates.predicate(of: entity, depth: self.random.below(3))
    }
    question.includesSubentities = !self.random.once(in: 5)
    switch self.random.below(10) {
    case 0: question.shape = .count
    case 1: question.shape = .identifiers
    case 2, 3: question.shape = self.columns(of: entity)
    case 4: question.shape = self.groups(of: entity)
    default: question.shape = .objects
    }
    if case .groups(let keys, let aggregates, _) = question.shape {
      // What a codec makes of bytes has no order.
      let names = keys.filter { $0.split(separator: ".").last != "shape" } + aggregates.map(\.name)
      if self.random.once(in: 2) {
        question.sorts = [FetchSortDescriptor(self.random.pick(names), ascending: self.random.once(in: 2))]
      }
    } else {
      question.sorts = self.sorts(of: entity)
    }
    if self.random.once(in: 3) {
      question.offset = self.random.below(8)
      question.limit = self.random.below(12)
    }
    return question
  }

  private mutating func sorts(of entity: Entity) -> [FetchSortDescriptor] {
    (0..<self.random.below(4)).map { _ in
      var keys: [String] = []
      var current = entity
      while self.random.once(in: 4), keys.count < 2 {
        let toOnes = current.relationships.filter { !$0.isToMany }
        if toOnes.isEmpty { break }
        let step = self.random.pick(toOnes)
        keys.append(step.name)
        current = self.model[step.destination]
      }
      // What a codec makes of bytes has no order.
      let attributes = current.attributes.filter { $0.slot != nil && $0.type != .transformable(codec: nil) }
      let attribute = self.random.pick(attributes)
      keys.append(attribute.name)
      return FetchSortDescriptor(
        keys.joined(separator: "."), ascending: self.random.once(in: 2),
        comparison: self.random.pick(FetchSortDescriptor.Comparison.allCases))
    }
  }

  // MARK: Columns and groups

  private mutating func columns(of entity: Entity) -> GeneratedQuestion.Shape {
    var names: [String] = []
    var columns: [FetchColumn] = []
    func add(_ column: FetchColumn) {
      if names.contains(column.name) { return }
      names.append(column.name)
      columns.append(column)
    }
    for _ in 0..<1 + self.random.below(3) {
      switch self.random.below(5) {
      case 0:
        if let toOne = self.toOne(of: entity) {
          add(.property(toOne.name))
          add(.property("\(toOne.name).\(self.attribute(of: self.model[toOne.destination]).name)"))
        }
      case 1:
        add(
          .expression(
            ExpressionDescription(
              "calculated", self.predicates.number(.init(entity: entity, base: nil), depth: 2))))
      case 2: add(.property("objectID"))
      default: add(.property(self.attribute(of: entity).name))
      }
    }
    if columns.isEmpty { add(.property(self.attribute(of: entity).name)) }
    return .columns(columns, isDistinct: self.random.once(in: 2))
  }

  private mutating func groups(of entity: Entity) -> GeneratedQuestion.Shape {
    var keys: [String] = []
    for _ in 0..<self.random.below(3) {
      let name = self.attribute(of: entity).name
      if let toOne = self.toOne(of: entity), self.random.once(in: 3) {
        let path = "\(toOne.name).\(self.attribute(of: self.model[toOne.destination]).name)"
        if !keys.contains(path) { keys.append(path) }
      } else if !keys.contains(name) {
        keys.append(name)
      }
    }
    var aggregates = [ExpressionDescription("rows", .function("count", [.evaluatedObject]))]
    let numbers = entity.attributes.filter {
      $0.slot != nil && PredicateGenerator.numberTypes.contains($0.type)
    }
    for number in 0..<self.random.below(3) where !numbers.isEmpty {
      let function = self.random.pick(["count", "sum", "average", "min", "max", "median", "stddev"])
      aggregates.append(
        ExpressionDescription("a\(number)", .function(function, [.keyPath([self.random.pick(numbers).name])]))
      )
    }
    let having: FetchPredicate? =
      self.random.once(in: 3)
      ? .comparison(
        .init(
          .keyPath(["rows"]), self.random.pick(PredicateGenerator.orders),
          .constant(.int(Int64(1 + self.random.below(3))))))
      : nil
    return .groups(keys: keys, aggregates: aggregates, having: having)
  }

  private mutating func attribute(of entity: Entity) -> Attribute {
    self.random.pick(entity.attributes.filter { $0.slot != nil })
  }

  private mutating func toOne(of entity: Entity) -> Relationship? {
    let toOnes = entity.relationships.filter { !$0.isToMany }
    return toOnes.isEmpty ? nil : self.random.pick(toOnes)
  }

  // MARK: Refusals

  /// Questions about records that no store may answer.
  private mutating func refused() -> (FetchPredicate, String) {
    let (format, code) = self.random.pick([
      ("nothing == 1", FetchPredicateError.Code.unknownKeyPath), ("folder.nothing == 1", .unknownKeyPath),
      ("draft == 'a'", .keyPathNotFetchable), ("tags.label == 'a'", .toManyKeyNeedsModifier),
      ("ANY title == 'a'", .collectionExpected), ("title < 5", .predicateTypeMismatch),
      ("date == 5", .predicateTypeMismatch), ("small BEGINSWITH 'a'", .predicateTypeMismatch),
      ("title MATCHES 'a('", .invalidRegularExpression), ("small BETWEEN {1, 2, 3}", .invalidRange),
      ("small == $nobody", .unboundVariable), ("tags[0] == nil", .predicateTypeMismatch),
      ("small + title == 3", .predicateTypeMismatch), ("uuid < uuid", .predicateTypeMismatch),
    ])
    do { return (try FetchPredicate(format: format), code.rawValue) } catch {
      preconditionFailure("the format is one: \(error)")
    }
  }
}
