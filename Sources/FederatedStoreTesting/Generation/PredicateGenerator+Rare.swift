import FederatedModel

/// Terms that conditions seldom have: rows compared with rows, indexes, sets, casts of every kind, statistics.
extension PredicateGenerator {
  mutating func rare(of entity: Entity) -> FetchPredicate {
    let source = Source(entity: entity, base: nil)
    switch self.random.below(10) {
    case 0, 1, 2: return self.objects(entity)
    case 3: return self.element(source) ?? self.objects(entity)
    case 4: return self.sets(source) ?? self.objects(entity)
    case 5: return self.members(source) ?? self.objects(entity)
    case 6: return self.casts(source)
    case 7: return self.statistics(source)
    case 8: return self.functions(source)
    default:
      return self.random.once(in: 2) ? .constant(self.random.once(in: 2)) : self.objects(entity)
    }
  }

  private mutating func equality() -> FetchPredicate.Operator {
    self.random.pick([.equal, .equal, .notEqual])
  }

  /// `$row12`: one of an entity's rows, seldom another.
  private mutating func row(of entity: Entity) -> FetchExpression {
    var numbers = entity.family.flatMap { self.numbers[$0] ?? [] }
    if numbers.isEmpty || self.random.once(in: 20) { numbers = self.numbers.values.flatMap(\.self).sorted() }
    return .variable("row\(self.random.pick(numbers))")
  }

  private mutating func rows(of entity: Entity) -> FetchExpression {
    var rows = (0..<1 + self.random.below(5)).map { _ in self.row(of: entity) }
    if self.random.once(in: 4) { rows.append(.constant(.null)) }
    return .aggregate(rows)
  }

  // MARK: Objects

  private mutating func objects(_ entity: Entity) -> FetchPredicate {
    let toOnes = entity.relationships.filter { !$0.isToMany }
    switch self.random.below(7) {
    case 0:
      let key: FetchExpression = self.random.once(in: 2) ? .evaluatedObject : .keyPath(["objectID"])
      return self.random.once(in: 2)
        ? .comparison(.init(key, self.equality(), self.row(of: entity)))
        : .comparison(.init(key, .in, self.rows(of: entity)))
    case 1 where !toOnes.isEmpty, 2 where !toOnes.isEmpty:
      let toOne = self.random.pick(toOnes)
      let destination = self.model[toOne.destination]
      return self.random.once(in: 2)
        ? .comparison(.init(.keyPath([toOne.name]), self.equality(), self.row(of: destination)))
        : .comparison(.init(.keyPath([toOne.name]), .in, self.rows(of: destination)))
    case 3 where !toOnes.isEmpty:
      // An object against another object of the same row.
      let toOne = self.random.pick(toOnes)
      let others = self.model[toOne.destination].relationships.filter { !$0.isToMany }
      if others.isEmpty { break }
      return .comparison(
        .init(.keyPath([toOne.name, self.random.pick(others).name]), self.equality(), .evaluatedObject))
    default: break
    }
    guard let toMany = self.toMany(of: entity) else {
      return .comparison(.init(.evaluatedObject, .in, self.rows(of: entity)))
    }
    let destination = self.model[toMany.destination]
    switch self.random.below(4) {
    case 0: return .comparison(.init(.keyPath([toMany.name]), .contains, self.row(of: destination)))
    case 1: return .comparison(.init(self.row(of: destination), .in, .keyPath([toMany.name])))
    case 2:
      return .comparison(
        .init(
          .keyPath([toMany.name]), .in, self.rows(of: destination), modifier: self.random.pick([.any, .all])))
    default:
      return .comparison(
        .init(
          .keyPath([toMany.name]), self.equality(), self.row(of: destination),
          modifier: self.random.pick([.any, .all])))
    }
  }

  // MARK: Collections

  /// `pinned[FIRST].title`, `pinned[1]`, `pinned[SIZE]`.
  private mutating func element(_ source: Source) -> FetchPredicate? {
    let ordered = source.entity.relationships.filter { $0.isToMany && $0.isOrdered }
    if ordered.isEmpty { return nil }
    let toMany = self.random.pick(ordered)
    let destination = self.model[toMany.destination]
    let index = self.random.pick([
      FetchExpression.Index.first, .last, .at(.constant(.int(Int64(self.random.below(4))))), .size,
    ])
    let element = FetchExpression.index(source.path([toMany.name]), index)
    if index == .size {
      return .comparison(
        .init(element, self.random.pick(Self.orders), .constant(.int(Int64(self.random.below(4))))))
    }
    if self.random.once(in: 3) {
      return .comparison(.init(element, self.equality(), self.row(of: destination)))
    }
    let attribute = self.random.pick(destination.attributes.filter { $0.slot != nil })
    let right: Value = self.random.once(in: 4) ? .null : self.value(attribute.type)
    return .comparison(.init(.path(element, [attribute.name]), self.equality(), .constant(right)))
  }

  /// `a UNION b`, of objects or of values.
  private mutating func sets(_ source: Source) -> FetchPredicate? {
    let operation = self.random.pick(FetchExpression.SetOperation.allCases)
    let toManys = source.entity.relationships.filter(\.isToMany)
    guard self.random.once(in: 2), let first = toManys.first,
      let second = toManys.last(where: { $0.destination == first.destination && $0 !== first })
    else {
      let left = FetchExpression.aggregate((0..<3).map { _ in self.number(source, depth: 0) })
      let right = FetchExpression.aggregate((0..<2).map { _ in self.number(source, depth: 0) })
      if self.random.once(in: 2) {
        return .comparison(
          .init(self.number(source, depth: 0), .in, .setOperation(operation, left, right)))
      }
      return .comparison(
        .init(
          .path(.setOperation(operation, left, right), ["@count"]), self.random.pick(Self.orders),
          .constant(.int(Int64(self.random.below(5))))))
    }
    let both = FetchExpression.setOperation(operation, source.path([first.name]), source.path([second.name]))
    let destination = self.model[first.destination]
    switch self.random.below(3) {
    case 0: return .comparison(.init(self.row(of: destination), .in, both))
    case 1:
      let attribute = self.random.pick(destination.attributes.filter { $0.slot != nil })
      return .comparison(
        .init(
          .path(both, [attribute.name]), self.equality(), .constant(self.value(attribute.type)),
          modifier: self.random.pick([.any, .all])))
    default:
      return .comparison(
        .init(
          .path(both, ["@count"]), self.random.pick(Self.orders),
          .constant(.int(Int64(self.random.below(4))))))
    }
  }

  /// `'a' IN tags.label`, `tags.@distinctUnionOfObjects.label CONTAINS 'a'`.
  private mutating func members(_ source: Source) -> FetchPredicate? {
    guard let toMany = self.toMany(of: source.entity) else { return nil }
    let attribute = self.random.pick(self.model[toMany.destination].attributes.filter { $0.slot != nil })
    let constant: Value = self.random.once(in: 5) ? .null : self.value(attribute.type)
    switch self.random.below(5) {
    case 0: return .comparison(.init(.constant(constant), .in, source.path([toMany.name, attribute.name])))
    case 1:
      return .comparison(.init(source.path([toMany.name, attribute.name]), .contains, .constant(constant)))
    case 2:
      return .comparison(
        .init(
          source.path([toMany.name, "@distinctUnionOfObjects", attribute.name]), .contains,
          .constant(constant)))
    case 3:
      return .comparison(
        .init(.constant(constant), .in, source.path([toMany.name, "@unionOfObjects", attribute.name])))
    default:
      return .comparison(
        .init(
          .path(.path(.keyPath([toMany.name]), ["@distinctUnionOfObjects", attribute.name]), ["@count"]),
          self.random.pick(Self.orders), .constant(.int(Int64(self.random.below(3))))))
    }
  }

  // MARK: Values

  private mutating func casts(_ source: Source) -> FetchPredicate {
    func cast(_ operand: FetchExpression, _ type: String) -> FetchExpression {
      .function(FetchFunction.cast.rawValue, [operand, .constant(.string(type))])
    }
    switch self.random.below(5) {
    case 0:
      return .comparison(
        .init(
          cast(self.text(source, depth: 0), "NSNumber"), self.random.pick(Self.orders),
          .constant(self.numberConstant())))
    case 1:
      return .comparison(
        .init(
          cast(self.date(source, depth: 0), "NSNumber"), self.random.pick(Self.orders),
          self.number(source, depth: 0)))
    case 2:
      let attribute = self.random.pick(source.entity.attributes.filter { $0.slot != nil })
      return .comparison(
        .init(
          cast(source.path([attribute.name]), "NSString"),
          self.random.pick([.equal, .notEqual, .beginsWith, .contains]), self.text(source, depth: 0)))
    case 3:
      return .comparison(
        .init(
          cast(self.text(source, depth: 0), "NSDecimalNumber"), self.random.pick(Self.orders),
          self.number(source, depth: 0)))
    default:
      return .comparison(
        .init(
          cast(self.number(source, depth: 1), "NSDate"), self.random.pick(Self.orders),
          self.date(source, depth: 0)))
    }
  }

  private mutating func statistics(_ source: Source) -> FetchPredicate {
    let function = self.random.pick(
      [FetchFunction.sum, .average, .median, .stddev, .min, .max, .count, .mode])
    var operands = (0..<2 + self.random.below(3)).map { _ in self.number(source, depth: 0) }
    if let toMany = self.toMany(of: source.entity), self.random.once(in: 2) {
      let numbers = self.model[toMany.destination].attributes.filter {
        $0.slot != nil && Self.numberTypes.contains($0.type)
      }
      if !numbers.isEmpty { operands = [source.path([toMany.name, self.random.pick(numbers).name])] }
    }
    let call = FetchExpression.function(function.rawValue, operands)
    if function == .mode { return .comparison(.init(self.number(source, depth: 0), .in, call)) }
    return .comparison(.init(call, self.random.pick(Self.orders), self.number(source, depth: 0)))
  }

  private mutating func functions(_ source: Source) -> FetchPredicate {
    func send(_ operand: FetchExpression, _ selector: FetchFunction.Selector) -> FetchExpression {
      .function(FetchFunction.function.rawValue, [operand, .constant(.string(selector.rawValue))])
    }
    switch self.random.below(6) {
    case 0:
      return .comparison(
        .init(
          send(self.text(source, depth: 0), .length), self.random.pick(Self.orders),
          .constant(.int(Int64(self.random.below(6))))))
    case 1:
      let selector = self.random.pick([FetchFunction.Selector.uppercaseString, .lowercaseString])
      return .comparison(
        .init(
          send(self.text(source, depth: 0), selector), self.random.pick([.equal, .contains, .like]),
          self.text(source, depth: 1)))
    case 2:
      return .comparison(
        .init(
          .function("noindex", [self.text(source, depth: 0)]), self.random.pick(Self.orders),
          self.text(source, depth: 0)))
    case 3:
      return .comparison(
        .init(self.date(source, depth: 1), self.random.pick([.less, .greater]), .function("now", [])))
    case 4:
      let function = self.random.pick([FetchFunction.exp, .log, .ln, .sqrt, .trunc])
      return .comparison(
        .init(
          .function(function.rawValue, [self.number(source, depth: 1)]), self.random.pick(Self.orders),
          self.number(source, depth: 0)))
    default:
      guard let whole = self.key(source, Self.wholeTypes) else { return .constant(true) }
      return .comparison(
        .init(
          .function(FetchFunction.onesComplement.rawValue, [whole]), self.random.pick(Self.orders),
          self.number(source, depth: 0)))
    }
  }
}
