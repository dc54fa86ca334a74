/// An operand seen as one value or as many.
extension PredicateOperand {
  static var null: PredicateOperand { .value(.null) }

  /// The one value that the operand is; an object is its identifier. nil for collections and for objects
  /// without identity.
  var scalar: Value? {
    switch self {
    case .value(.list): nil
    case .value(let value): value
    case .subject(let subject): subject.predicateIdentity.map { .object($0) }
    case .collection: nil
    }
  }

  /// The operand as a value: many values are a list, and an object without identity is nil.
  var value: Value { self.scalar ?? self.collectionElements.map { .list($0.map(\.value)) } ?? .null }

  /// The elements of a collection; nil for anything else.
  var collectionElements: [PredicateOperand]? {
    switch self {
    case .collection(let elements, _): elements
    case .value(.list(let values)): values.map { .value($0) }
    default: nil
    }
  }

  /// As ``collectionElements``, and none for nil.
  var elements: [PredicateOperand]? {
    if case .value(.null) = self { return [] }
    return self.collectionElements
  }

  var isCollection: Bool {
    switch self {
    case .collection, .value(.list): true
    default: false
    }
  }

  var isOrdered: Bool { if case .collection(_, let isOrdered) = self { isOrdered } else { true } }

  var kindName: String {
    switch self {
    case .value(let value): value.kindName
    case .subject: "an object"
    case .collection: "a collection"
    }
  }

  /// Two collections are equal when their elements are, in order unless both have none.
  func equals(_ other: PredicateOperand, _ options: FetchPredicate.Options) throws -> Bool {
    if let a = self.scalar, let b = other.scalar { return try ValueComparison.equal(a, b, options) }
    guard let a = self.collectionElements, var b = other.collectionElements, a.count == b.count else {
      return false
    }
    if self.isOrdered || other.isOrdered {
      return try zip(a, b).allSatisfy { try $0.equals($1, options) }
    }
    for element in a {
      guard let place = try b.firstIndex(where: { try element.equals($0, options) }) else { return false }
      b.remove(at: place)
    }
    return true
  }
}
