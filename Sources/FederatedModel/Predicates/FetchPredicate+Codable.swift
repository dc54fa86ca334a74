/// A predicate travels as its tree: `{"and": [{"left": …, "operator": "==", "right": …}, …]}`. A block does not travel:
/// encoding it throws ``FetchPredicateError`` with `unsupportedConstruct`.
extension FetchPredicate: Codable {
  private enum Kind: String, CodingKey {
    case constant, comparison, and, or, not
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Kind.self)
    switch self {
    case .constant(let answer): try container.encode(answer, forKey: .constant)
    case .comparison(let comparison): try container.encode(comparison, forKey: .comparison)
    case .and(let terms): try container.encode(terms, forKey: .and)
    case .or(let terms): try container.encode(terms, forKey: .or)
    case .not(let negated): try container.encode(negated, forKey: .not)
    case .block(let block):
      throw FetchPredicateError(
        .unsupportedConstruct, subject: block.description,
        "a block is code and cannot be encoded; say the condition in the language")
    }
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Kind.self)
    switch try container.onlyKey() {
    case .constant: self = .constant(try container.decode(Bool.self, forKey: .constant))
    case .comparison: self = .comparison(try container.decode(Comparison.self, forKey: .comparison))
    case .and: self = .and(try container.decode([FetchPredicate].self, forKey: .and))
    case .or: self = .or(try container.decode([FetchPredicate].self, forKey: .or))
    case .not: self = .not(try container.decode(FetchPredicate.self, forKey: .not))
    }
  }
}

extension FetchExpression: Codable {
  private enum Kind: String, CodingKey {
    case constant, evaluatedObject, variable, keyPath, path, index, function, aggregate, subquery, conditional
    case setOperation
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Kind.self)
    switch self {
    case .constant(let value): try container.encode(value, forKey: .constant)
    case .evaluatedObject: try container.encode(true, forKey: .evaluatedObject)
    case .variable(let name): try container.encode(name, forKey: .variable)
    case .keyPath(let keys): try container.encode(keys, forKey: .keyPath)
    case .path(let base, let keys): try container.encode(Path(base: base, keys: keys), forKey: .path)
    case .index(let base, let index): try container.encode(Element(base: base, index: index), forKey: .index)
    case .function(let name, let operands):
      try container.encode(Call(name: name, operands: operands), forKey: .function)
    case .aggregate(let elements): try container.encode(elements, forKey: .aggregate)
    case .subquery(let source, let variable, let predicate):
      try container.encode(
        Subquery(source: source, variable: variable, predicate: predicate), forKey: .subquery)
    case .conditional(let predicate, let first, let second):
      try container.encode(
        Conditional(predicate: predicate, first: first, second: second), forKey: .conditional)
    case .setOperation(let operation, let left, let right):
      try container.encode(SetCall(operation: operation, left: left, right: right), forKey: .setOperation)
    }
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Kind.self)
    let kind = try container.onlyKey()
    switch kind {
    case .constant: self = .constant(try container.decode(Value.self, forKey: kind))
    case .evaluatedObject: self = .evaluatedObject
    case .variable: self = .variable(try container.decode(String.self, forKey: kind))
    case .keyPath: self = .keyPath(try container.decode([String].self, forKey: kind))
    case .path:
      let path = try container.decode(Path.self, forKey: kind)
      self = .path(path.base, path.keys)
    case .index:
      let element = try container.decode(Element.self, forKey: kind)
      self = .index(element.base, element.index)
    case .function:
      let call = try container.decode(Call.self, forKey: kind)
      self = .function(call.name, call.operands)
    case .aggregate: self = .aggregate(try container.decode([FetchExpression].self, forKey: kind))
    case .subquery:
      let subquery = try container.decode(Subquery.self, forKey: kind)
      self = .subquery(subquery.source, variable: subquery.variable, subquery.predicate)
    case .conditional:
      let conditional = try container.decode(Conditional.self, forKey: kind)
      self = .conditional(conditional.predicate, conditional.first, conditional.second)
    case .setOperation:
      let call = try container.decode(SetCall.self, forKey: kind)
      self = .setOperation(call.operation, call.left, call.right)
    }
  }

  private struct Path: Codable { let base: FetchExpression, keys: [String] }
  private struct Element: Codable { let base: FetchExpression, index: Index }
  private struct Call: Codable { let name: String, operands: [FetchExpression] }
  private struct Subquery: Codable {
    let source: FetchExpression, variable: String, predicate: FetchPredicate
  }
  private struct Conditional: Codable {
    let predicate: FetchPredicate, first: FetchExpression, second: FetchExpression
  }
  private struct SetCall: Codable {
    let operation: SetOperation, left: FetchExpression, right: FetchExpression
  }
}

extension FetchExpression.Index: Codable {
  private enum Kind: String, CodingKey {
    case at, first, last, size
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Kind.self)
    switch self {
    case .at(let expression): try container.encode(expression, forKey: .at)
    case .first: try container.encode(true, forKey: .first)
    case .last: try container.encode(true, forKey: .last)
    case .size: try container.encode(true, forKey: .size)
    }
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Kind.self)
    switch try container.onlyKey() {
    case .at: self = .at(try container.decode(FetchExpression.self, forKey: .at))
    case .first: self = .first
    case .last: self = .last
    case .size: self = .size
    }
  }
}

extension KeyedDecodingContainer {
  /// The kind that an element of a tree names; there is exactly one.
  fileprivate func onlyKey() throws -> Key {
    guard let key = self.allKeys.first, self.allKeys.count == 1 else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: self.codingPath, debugDescription: "an element of a predicate has exactly one kind")
      )
    }
    return key
  }
}
