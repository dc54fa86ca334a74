internal import FederatedModel

/// Terms over what is calculated for a row: arithmetic, functions, casts, conditions, subqueries, statistics over
/// to-manys. None of them is refused for a row.
extension PredicateGenerator {
  mutating func computed(of entity: Entity) -> FetchPredicate {
    let source = Source(entity: entity, base: nil)
    switch self.random.below(8) {
    case 0, 1: return self.numbers(source)
    case 2: return self.texts(source)
    case 3: return self.dates(source)
    case 4, 5: return self.subquery(of: source, depth: 2) ?? self.numbers(source)
    case 6: return self.twoHops(from: source) ?? self.numbers(source)
    default: return self.unlike(source)
    }
  }

  /// Where keys start: at the object that is asked, or at a variable.
  struct Source {
    var entity: Entity
    var base: String?

    func path(_ keys: [String]) -> FetchExpression {
      self.base.map { .path(.variable($0), keys) } ?? .keyPath(keys)
    }
  }

  static let orders: [FetchPredicate.Operator] = [
    .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
  ]

  // MARK: Comparisons

  private mutating func numbers(_ source: Source) -> FetchPredicate {
    let left = self.number(source, depth: 2)
    switch self.random.below(6) {
    case 0:
      let list = (0..<3).map { _ in self.random.once(in: 6) ? Value.null : self.numberConstant() }
      return .comparison(.init(left, .in, .constant(.list(list))))
    case 1:
      return .comparison(
        .init(left, .between, .aggregate([self.number(source, depth: 1), self.number(source, depth: 0)])))
    case 2: return .comparison(.init(left, self.random.pick([.equal, .notEqual]), .constant(.null)))
    default: return .comparison(.init(left, self.random.pick(Self.orders), self.number(source, depth: 1)))
    }
  }

  private mutating func texts(_ source: Source) -> FetchPredicate {
    let left = self.text(source, depth: 2)
    let options = self.random.pick(
      [FetchPredicate.Options(), [], .caseInsensitive, [.caseInsensitive, .diacriticInsensitive]])
    if self.random.once(in: 3) {
      let list = (0..<3).map { _ in
        self.random.once(in: 6) ? Value.null : .string(self.textConstant())
      }
      return .comparison(.init(left, .in, .constant(.list(list)), modifier: .direct, options: options))
    }
    let comparator = self.random.pick(Self.orders + [.contains, .beginsWith, .endsWith, .in])
    return .comparison(
      .init(left, comparator, self.text(source, depth: 1), modifier: .direct, options: options))
  }

  private mutating func dates(_ source: Source) -> FetchPredicate {
    .comparison(
      .init(
        self.date(source, depth: 2), self.random.pick(Self.orders), self.date(source, depth: 1)))
  }

  /// Any two attributes for equality; values of unlike kinds are equal when both are nil.
  private mutating func unlike(_ source: Source) -> FetchPredicate {
    let (a, b) = (self.attribute(source), self.attribute(source))
    func isNumber(_ type: AttributeType) -> Bool { Self.numberTypes.contains(type) }
    if (a.type == .date && isNumber(b.type)) || (b.type == .date && isNumber(a.type)) {
      return self.numbers(source)
    }
    return .comparison(
      .init(source.path([a.name]), self.random.pick([.equal, .notEqual]), source.path([b.name])))
  }

  // MARK: Operands

  static let numberTypes: [AttributeType] = [
    .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean,
  ]
  static let wholeTypes: [AttributeType] = [.integer16, .integer32, .integer64, .boolean]

  private mutating func attribute(_ source: Source) -> Attribute {
    self.random.pick(source.entity.attributes.filter { $0.slot != nil })
  }

  mutating func key(_ source: Source, _ types: [AttributeType]) -> FetchExpression? {
    let names = source.entity.attributes.filter { $0.slot != nil && types.contains($0.type) }.map(\.name)
    return names.isEmpty ? nil : source.path([self.random.pick(names)])
  }

  mutating func number(_ source: Source, depth: Int) -> FetchExpression {
    guard depth > 0 else {
      let constant = self.numberConstant()
      return self.random.once(in: 3)
        ? .constant(constant) : self.key(source, Self.numberTypes) ?? .constant(constant)
    }
    switch self.random.below(10) {
    case 0, 1, 2:
      let function = self.random.pick(
        [FetchFunction.add, .subtract, .multiply, .divide, .modulus, .add, .multiply, .power])
      let right: FetchExpression =
        function == .power
        ? .constant(.int(Int64(self.random.below(5)))) : self.number(source, depth: depth - 1)
      return .function(function.rawValue, [self.number(source, depth: depth - 1), right])
    case 3:
      let function = self.random.pick([FetchFunction.abs, .ceiling, .floor, .trunc, .sqrt, .ln])
      return .function(function.rawValue, [self.number(source, depth: depth - 1)])
    case 4:
      guard let whole = self.key(source, Self.wholeTypes) else { return self.number(source, depth: 0) }
      let function = self.random.pick(
        [FetchFunction.bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift, .rightShift])
      return .function(function.rawValue, [whole, .constant(.int(self.random.pick([0, 1, 3, 8, 65, -2])))])
    case 5:
      return .conditional(
        self.numbers(source, .less), self.number(source, depth: depth - 1), self.number(source, depth: 0))
    case 6: return .function("length", [self.text(source, depth: 0)])
    case 7:
      let function = self.random.pick([FetchFunction.max, .min, .sum, .average])
      return .function(
        function.rawValue, [self.number(source, depth: 0), self.number(source, depth: 0)])
    default: return self.statistic(source) ?? self.number(source, depth: 0)
    }
  }

  private mutating func numbers(_ source: Source, _ comparator: FetchPredicate.Operator) -> FetchPredicate {
    .comparison(.init(self.number(source, depth: 0), comparator, self.number(source, depth: 0)))
  }

  /// `records.@sum.price`.
  private mutating func statistic(_ source: Source) -> FetchExpression? {
    guard let toMany = self.toMany(of: source.entity) else { return nil }
    let destination = self.model[toMany.destination]
    let names = destination.attributes.filter { $0.slot != nil && Self.numberTypes.contains($0.type) }
    guard !names.isEmpty, !self.random.once(in: 4) else { return source.path([toMany.name, "@count"]) }
    let statistic = self.random.pick(["@sum", "@avg", "@min", "@max"])
    return source.path([toMany.name, statistic, self.random.pick(names).name])
  }

  mutating func text(_ source: Source, depth: Int) -> FetchExpression {
    let constant = FetchExpression.constant(.string(self.textConstant()))
    guard depth > 0 else {
      return self.random.once(in: 3) ? constant : self.key(source, [.string, .uri]) ?? constant
    }
    switch self.random.below(5) {
    case 0, 1:
      let function = self.random.pick([FetchFunction.uppercase, .lowercase, .canonical])
      return .function(function.rawValue, [self.text(source, depth: depth - 1)])
    case 2:
      return .conditional(
        .comparison(.init(self.text(source, depth: 0), .notEqual, .constant(.null))),
        self.text(source, depth: depth - 1), self.text(source, depth: 0))
    case 3:
      guard let whole = self.key(source, Self.wholeTypes) else { return constant }
      return .function(FetchFunction.cast.rawValue, [whole, .constant(.string("NSString"))])
    default: return self.text(source, depth: 0)
    }
  }

  mutating func date(_ source: Source, depth: Int) -> FetchExpression {
    let constant = FetchExpression.constant(self.value(.date))
    guard depth > 0 else {
      return self.random.once(in: 3) ? constant : self.key(source, [.date]) ?? constant
    }
    switch self.random.below(4) {
    case 0:
      return .function(
        FetchFunction.function.rawValue,
        [
          self.date(source, depth: depth - 1),
          .constant(.string(FetchFunction.Selector.dateByAddingTimeInterval.rawValue)),
          self.number(source, depth: 1),
        ])
    case 1:
      guard let whole = self.key(source, [.integer16, .integer32, .integer64, .double]) else {
        return constant
      }
      return .function(FetchFunction.cast.rawValue, [whole, .constant(.string("NSDate"))])
    default: return self.date(source, depth: 0)
    }
  }

  // MARK: Collections

  mutating func toMany(of entity: Entity) -> Relationship? {
    let toMany = entity.relationships.filter { $0.isToMany && !$0.isTransient }
    return toMany.isEmpty ? nil : self.random.pick(toMany)
  }

  /// `SUBQUERY(records, $v2, …).@count > 1`, or a quantifier over its elements.
  private mutating func subquery(of source: Source, depth: Int) -> FetchPredicate? {
    guard let toMany = self.toMany(of: source.entity) else { return nil }
    let variable = "v\(depth)"
    let inner = Source(entity: self.model[toMany.destination], base: variable)
    var terms: [FetchPredicate] = []
    for _ in 0..<1 + self.random.below(2) {
      switch self.random.below(5) {
      case 0 where depth > 0: terms += [self.subquery(of: inner, depth: depth - 1) ?? self.numbers(inner)]
      case 1: terms += [self.texts(inner)]
      // The element against the object around it.
      case 2:
        terms += [
          .comparison(
            .init(
              self.number(inner, depth: 1), self.random.pick(Self.orders), self.number(source, depth: 0)))
        ]
      case 3: terms += [self.dates(inner)]
      default: terms += [self.numbers(inner)]
      }
    }
    let elements = FetchExpression.subquery(
      source.path([toMany.name]), variable: variable, terms.count == 1 ? terms[0] : .and(terms))
    guard self.random.once(in: 3), let name = inner.entity.attributes.first(where: { $0.slot != nil })?.name
    else {
      return .comparison(
        .init(
          .path(elements, ["@count"]), self.random.pick(Self.orders),
          .constant(.int(Int64(self.random.below(3))))))
    }
    return .comparison(
      .init(
        .path(elements, [name]), self.random.pick([.equal, .notEqual]), .constant(.null),
        modifier: self.random.pick([.any, .all]), options: []))
  }

  /// A to-many behind a to-many, perhaps with a to-one between them.
  private mutating func twoHops(from source: Source) -> FetchPredicate? {
    guard let first = self.toMany(of: source.entity) else { return nil }
    var keys = [first.name]
    var entity = self.model[first.destination]
    let toOnes = entity.relationships.filter { !$0.isToMany && !$0.isTransient }
    if !toOnes.isEmpty, self.random.once(in: 2) {
      let toOne = self.random.pick(toOnes)
      keys.append(toOne.name)
      entity = self.model[toOne.destination]
    }
    guard let second = self.toMany(of: entity) else { return nil }
    keys.append(second.name)
    entity = self.model[second.destination]
    switch self.random.below(3) {
    case 0:
      return .comparison(
        .init(
          .keyPath(keys + ["@count"]), self.random.pick(Self.orders),
          .constant(.int(Int64(self.random.below(4))))))
    case 1:
      let text = FetchExpression.constant(.string(self.textConstant()))
      let names = entity.attributes.filter { $0.slot != nil && $0.type == .string }.map(\.name)
      if names.isEmpty { return nil }
      let left = self.random.once(in: 2) ? text : self.key(source, [.string]) ?? text
      return .comparison(.init(left, .in, .keyPath(keys + [self.random.pick(names)])))
    default:
      let attribute = self.random.pick(entity.attributes.filter { $0.slot != nil })
      let value: Value =
        self.random.once(in: 3) ? .null : self.value(attribute.type)
      return .comparison(
        .init(
          .keyPath(keys + [attribute.name]), self.random.pick([.equal, .notEqual]), .constant(value),
          modifier: self.random.pick([.any, .all]), options: []))
    }
  }
}
