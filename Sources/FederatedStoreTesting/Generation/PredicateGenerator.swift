public import FederatedModel

/// Makes random predicates: comparisons with flags, `AND OR NOT`, `IN`, `BETWEEN`, text operators, nil, key
/// paths through to-ones, `ANY ALL NONE` over to-manys, `@count`; and everything that is calculated for a row.
public struct PredicateGenerator {
  let model: ManagedObjectModel
  var random: SeededGenerator
  /// What the rows hold, to be compared with; empty takes any values.
  let known: [AttributeType: [Value]]
  /// The numbers of the rows of each entity, for comparisons with objects.
  let numbers: [EntityID: [Int]]

  public init(_ model: ManagedObjectModel, seed: UInt64) {
    self.model = model
    self.random = SeededGenerator(seed: seed)
    self.known = [:]
    self.numbers = [:]
  }

  /// Most constants are values that the rows have, and rows are compared with: `$row12` stands for row 12, and is to be
  /// substituted by its identifier. The whole language is spoken, parts that no SQL answers too.
  public init(_ model: ManagedObjectModel, over rows: GeneratedRows, seed: UInt64) {
    self.model = model
    self.random = SeededGenerator(seed: seed)
    self.known = rows.values(in: model)
    self.numbers = Dictionary(grouping: rows.rows) { model.entity(named: $0.entity)?.id ?? EntityID(0) }
      .mapValues { $0.map(\.number) }
  }

  /// A predicate over an entity.
  /// - Parameter depth: how deep connectives nest at most.
  public mutating func predicate(of entity: Entity, depth: Int = 3) -> FetchPredicate {
    if depth > 0, !self.random.once(in: 3) {
      let terms = (0..<2 + self.random.below(2)).map { _ in self.predicate(of: entity, depth: depth - 1) }
      switch self.random.below(3) {
      case 0: return .and(terms)
      case 1: return .or(terms)
      default: return .not(terms[0])
      }
    }
    return self.term(of: entity)
  }

  /// A sort order of no, one or two keys.
  public mutating func order(of entity: Entity) -> [FetchSortDescriptor] {
    let names = entity.attributes.filter { $0.slot != nil }.map(\.name)
    return (0..<self.random.below(3)).map { _ in
      FetchSortDescriptor(self.random.pick(names), ascending: self.random.once(in: 2))
    }
  }

  /// A window: offset, and limit or none.
  public mutating func window() -> (offset: Int, limit: Int?) {
    guard self.random.once(in: 3) else { return (0, nil) }
    return (self.random.below(6), self.random.once(in: 2) ? nil : self.random.below(10))
  }

  // MARK: Terms

  private mutating func term(of entity: Entity) -> FetchPredicate {
    if !self.numbers.isEmpty, self.random.once(in: 3) { return self.rare(of: entity) }
    if self.random.once(in: 3) { return self.computed(of: entity) }
    let toMany = entity.relationships.filter { $0.isToMany && !$0.isTransient }
    if !toMany.isEmpty, self.random.once(in: 4) {
      let relationship = self.random.pick(toMany)
      return self.random.once(in: 2) ? self.count(relationship) : self.quantified(relationship)
    }
    var keys: [String] = []
    var current = entity
    while self.random.once(in: 4), keys.count < 2 {
      let toOne = current.relationships.filter { !$0.isToMany }
      if toOne.isEmpty { break }
      let step = self.random.pick(toOne)
      keys.append(step.name)
      current = self.model[step.destination]
    }
    if !keys.isEmpty, self.random.once(in: 5) {
      return .comparison(
        .init(.keyPath(keys), self.random.pick([.equal, .notEqual]), .constant(.null)))
    }
    let attribute = self.attribute(of: current)
    return self.comparison(.keyPath(keys + [attribute.name]), attribute.type, .direct)
  }

  private mutating func attribute(of entity: Entity) -> Attribute {
    self.random.pick(entity.attributes.filter { $0.slot != nil })
  }

  private mutating func count(_ relationship: Relationship) -> FetchPredicate {
    .comparison(
      .init(
        .keyPath([relationship.name, "@count"]),
        self.random.pick([.equal, .notEqual, .less, .greater, .lessOrEqual, .greaterOrEqual]),
        .constant(.int(Int64(self.random.below(4))))))
  }

  private mutating func quantified(_ relationship: Relationship) -> FetchPredicate {
    let attribute = self.attribute(of: self.model[relationship.destination])
    let modifier = self.random.pick([FetchPredicate.Modifier.any, .all])
    let predicate = self.comparison(.keyPath([relationship.name, attribute.name]), attribute.type, modifier)
    return self.random.once(in: 3) ? .not(predicate) : predicate
  }

  private mutating func comparison(
    _ left: FetchExpression, _ type: AttributeType, _ modifier: FetchPredicate.Modifier
  ) -> FetchPredicate {
    if self.random.once(in: 8) {
      let comparison = self.random.pick([FetchPredicate.Operator.equal, .notEqual])
      return .comparison(.init(left, comparison, .constant(.null), modifier: modifier))
    }
    switch type {
    case .string: return self.text(left, modifier)
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean, .date:
      return self.ordered(left, type, modifier)
    default: return self.equality(left, type, modifier)
    }
  }

  private mutating func equality(
    _ left: FetchExpression, _ type: AttributeType, _ modifier: FetchPredicate.Modifier
  ) -> FetchPredicate {
    let values = (0..<3).map { _ in self.value(type) }
    if self.random.once(in: 4) {
      return .comparison(.init(left, .in, .constant(.list(values)), modifier: modifier))
    }
    let comparison = self.random.pick([FetchPredicate.Operator.equal, .notEqual])
    return .comparison(.init(left, comparison, .constant(values[0]), modifier: modifier))
  }

  private mutating func ordered(
    _ left: FetchExpression, _ type: AttributeType, _ modifier: FetchPredicate.Modifier
  ) -> FetchPredicate {
    let values = (0..<3).map { _ in
      type == .date || self.random.once(in: 2)
        ? self.value(type) : self.numberConstant()
    }
    switch self.random.below(8) {
    case 0:
      let list = self.random.once(in: 4) ? values + [.null] : values
      return .comparison(.init(left, .in, .constant(.list(list)), modifier: modifier))
    case 1:
      return .comparison(.init(left, .between, .constant(.list(Array(values.prefix(2)))), modifier: modifier))
    default:
      let comparison = self.random.pick(
        [FetchPredicate.Operator.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual])
      if modifier == .direct, self.random.once(in: 5) {
        return .comparison(.init(.constant(values[0]), comparison, left))
      }
      return .comparison(.init(left, comparison, .constant(values[0]), modifier: modifier))
    }
  }

  private mutating func text(
    _ left: FetchExpression, _ modifier: FetchPredicate.Modifier
  ) -> FetchPredicate {
    var options = self.random.pick(
      [
        FetchPredicate.Options(), [], .caseInsensitive, .diacriticInsensitive,
        [.caseInsensitive, .diacriticInsensitive],
      ])
    if !self.numbers.isEmpty, self.random.once(in: 8) {
      options.insert(self.random.pick([.normalized, .localeSensitive]))
    }
    let comparison = self.random.pick(
      [
        FetchPredicate.Operator.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .in,
        .between,
        .contains, .beginsWith, .endsWith, .like, .matches,
      ])
    let text = self.textConstant()
    let right: Value =
      switch comparison {
      case .in: .list((0..<3).map { _ in .string(self.textConstant()) })
      case .between: .list([.string(text), .string(self.textConstant())])
      case .contains, .beginsWith, .endsWith: .string(self.piece(of: text))
      case .like: .string(self.glob(text))
      case .matches:
        .string(self.random.pick(["a.*", ".*", "[a-z]+", "caf.", "\\d+", "(?s).*b.*", "", "A|ab"]))
      default: .string(text)
      }
    return .comparison(.init(left, comparison, .constant(right), modifier: modifier, options: options))
  }

  private mutating func piece(of text: String) -> String {
    let scalars = Array(text.unicodeScalars)
    if scalars.isEmpty { return "" }
    let start = self.random.below(scalars.count)
    let end = start + 1 + self.random.below(scalars.count - start)
    var piece = String.UnicodeScalarView()
    piece.append(contentsOf: scalars[start..<end])
    return String(piece)
  }

  private mutating func glob(_ text: String) -> String {
    switch self.random.below(5) {
    case 0: "*" + self.piece(of: text) + "*"
    case 1: self.piece(of: text) + "*"
    case 2: String(repeating: "?", count: text.unicodeScalars.count)
    case 3: "*\\*" + self.piece(of: text)
    default: text
    }
  }
}

/// Constants.
extension PredicateGenerator {
  /// A value of an attribute's type, most often one that a row has.
  mutating func value(_ type: AttributeType) -> Value {
    if let known = self.known[type], !self.random.once(in: 4) { return self.random.pick(known) }
    return ValuePool.value(type, &self.random)
  }

  mutating func numberConstant() -> Value {
    if !self.known.isEmpty, !self.random.once(in: 3) {
      return self.value(
        self.random.pick([.integer16, .integer32, .integer64, .double, .float, .decimal, .boolean]))
    }
    return ValuePool.number(&self.random)
  }

  mutating func textConstant() -> String {
    if case .string(let text)? = self.known[.string].map({ self.random.pick($0) }), !self.random.once(in: 3) {
      return text
    }
    if !self.known.isEmpty, self.random.once(in: 20) { return self.random.pick(ValuePool.unwritable) }
    return self.random.pick(ValuePool.texts)
  }
}
