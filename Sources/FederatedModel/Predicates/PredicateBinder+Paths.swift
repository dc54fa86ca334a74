/// Key paths, resolved step by step.
extension PredicateBinder {
  /// The steps for keys that start at an operand of the type given, and what they arrive at.
  ///
  /// A key behind a collection is asked of each element, and what the elements answer is one flat collection.
  func steps(
    _ keys: [String], from start: OperandType
  ) throws(FetchPredicateError) -> (steps: [BoundStep], type: OperandType) {
    var steps: [BoundStep] = []
    var type = start
    var isOrdered: Bool?
    if case .collection(let element, let ordered) = start { (type, isOrdered) = (element, ordered) }
    for (index, key) in keys.enumerated() {
      if key.first == "@" {
        let source = isOrdered.map { OperandType.collection(type, isOrdered: $0) } ?? type
        let rest = try self.operatorSteps(keys, at: index, over: source)
        return (steps + rest.steps, rest.type)
      }
      let (step, next) = try self.step(key, from: type, path: keys)
      steps.append(step)
      if case .collection(let element, let ordered) = next {
        (type, isOrdered) = (element, (isOrdered ?? true) && ordered)
      } else {
        type = next
      }
    }
    return (steps, isOrdered.map { .collection(type, isOrdered: $0) } ?? type)
  }

  private func step(
    _ key: String, from type: OperandType, path: [String]
  ) throws(FetchPredicateError) -> (BoundStep, OperandType) {
    switch type {
    case .object(let id?):
      guard let entity = self.model?[id] else { return (.key(key), .unknown) }
      return try self.step(key, of: entity, path: path)
    case .text where key == "length": return (.length, .number)
    case .unknown, .null, .object(nil):
      if self.entity == nil { return (key == "SELF" ? .identity : .key(key), .unknown) }
      throw self.error(
        .unsupportedConstruct, path.joined(separator: "."), "\(key) is asked of an operand of unknown kind")
    default:
      throw self.error(.unknownKeyPath, path.joined(separator: "."), "\(type.name) has no key \(key)")
    }
  }

  private func step(
    _ key: String, of entity: Entity, path: [String]
  ) throws(FetchPredicateError) -> (BoundStep, OperandType) {
    switch entity.property(named: key) {
    case .attribute(let attribute):
      guard let slot = attribute.slot else {
        throw self.notFetchable(
          path, "\(entity.name).\(key) is transient or has no type, so no store holds it")
      }
      return (
        .attribute(BoundAttribute(name: attribute.name, entity: entity.id, slot: slot, type: attribute.type)),
        OperandType(attribute.type)
      )
    case .relationship(let relationship):
      guard !relationship.isTransient else {
        throw self.notFetchable(path, "\(entity.name).\(key) is transient, so no store holds it")
      }
      let bound = BoundRelationship(
        name: relationship.name, entity: entity.id, slot: relationship.slot ?? -1, index: relationship.index,
        destination: relationship.destination, isOrdered: relationship.isOrdered)
      let destination = OperandType.object(relationship.destination)
      return relationship.isToMany
        ? (.toMany(bound), .collection(destination, isOrdered: relationship.isOrdered))
        : (.toOne(bound), destination)
    case .fetched:
      throw self.notFetchable(
        path,
        "\(entity.name).\(key) is a fetched property: filter by FetchRequest.linked(\"\(key)\", …), sort by sorted(through: \"\(key)\", …)"
      )
    case nil:
      if key == "objectID" || key == "SELF" || key == "self" { return (.identity, .object(entity.id)) }
      throw self.error(
        .unknownKeyPath, path.joined(separator: "."),
        "\(entity.name) has no property \(key)" + entity.suggestion(for: key))
    }
  }

  private func notFetchable(_ path: [String], _ detail: String) -> FetchPredicateError {
    self.error(.keyPathNotFetchable, path.joined(separator: "."), detail)
  }

  // MARK: Collection operators

  private func operatorSteps(
    _ keys: [String], at index: Int, over source: OperandType
  ) throws(FetchPredicateError) -> (steps: [BoundStep], type: OperandType) {
    let path = keys.joined(separator: ".")
    guard let collectionOperator = CollectionOperator(rawValue: keys[index]) else {
      let known = CollectionOperator.allCases.map(\.rawValue).joined(separator: ", ")
      throw self.error(.unsupportedConstruct, path, "\(keys[index]) is none of \(known)")
    }
    guard let element = source.element else {
      throw self.error(.collectionExpected, path, "\(keys[index]) is asked of \(source.name)")
    }
    let rest = Array(keys[(index + 1)...])
    if collectionOperator == .count {
      guard rest.isEmpty else {
        throw self.error(.unknownKeyPath, path, "@count is a number and has no keys")
      }
      return ([.collectionOperator(.count)], .number)
    }
    let (steps, type) = try self.steps(rest, from: element)
    let value = type.isCollection ? type.element ?? .unknown : type
    let result: OperandType
    switch collectionOperator {
    case .count, .sum, .average:
      guard value.mayBe(.number) else {
        throw self.error(.predicateTypeMismatch, path, "\(keys[index]) adds numbers, not \(value.name)")
      }
      result = .number
    case .minimum, .maximum:
      guard value.mayBe(.number, .text, .date) else {
        throw self.error(
          .predicateTypeMismatch, path, "\(keys[index]) orders values; \(value.name) has no order")
      }
      result = value
    case .unionOfObjects, .distinctUnionOfObjects, .unionOfArrays, .distinctUnionOfArrays,
      .distinctUnionOfSets:
      result = .collection(value, isOrdered: false)
    }
    return ([.collectionOperator(collectionOperator)] + steps, result)
  }
}

extension Entity {
  /// `; did you mean name?`, when a property is spelled nearly so.
  fileprivate func suggestion(for key: String) -> String {
    self.propertyName(near: key).map { "; did you mean \($0)?" } ?? ""
  }
}
