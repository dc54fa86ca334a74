/// What a format's `%@` and its kin may stand for.
///
/// Strings, numbers, booleans, dates, data, UUIDs, URLs, decimals, identifiers of objects, ``Value``, arrays
/// and sets of them, and optionals, whose nil is the value nil.
public protocol PredicateArgument {
  var predicateArgument: Value { get }
}

extension Substring: PredicateArgument {
  public var predicateArgument: Value { .string(String(self)) }
}

extension Optional: PredicateArgument where Wrapped: PredicateArgument {
  public var predicateArgument: Value { self?.predicateArgument ?? .null }
}

extension Array: PredicateArgument where Element: PredicateArgument {
  public var predicateArgument: Value { .list(self.map(\.predicateArgument)) }
}

extension Set: PredicateArgument where Element: PredicateArgument {
  public var predicateArgument: Value { .list(self.map(\.predicateArgument)) }
}
