public import FederatedModel

// Operators on keys give predicates, so that a condition is written once, with its types checked.

private func compare(
  _ name: String, _ operator: FetchPredicate.Operator, _ right: FetchExpression,
  _ options: FetchPredicate.Options = []
) -> FetchPredicate {
  .comparison(.init(.keyPath([name]), `operator`, right, options: options))
}

extension AttributeKey {
  public static func == (key: Self, value: Content) -> FetchPredicate {
    compare(key.name, .equal, .constant(value.value))
  }
  public static func != (key: Self, value: Content) -> FetchPredicate {
    compare(key.name, .notEqual, .constant(value.value))
  }
  public static func < (key: Self, value: Content) -> FetchPredicate {
    compare(key.name, .less, .constant(value.value))
  }
  public static func <= (key: Self, value: Content) -> FetchPredicate {
    compare(key.name, .lessOrEqual, .constant(value.value))
  }
  public static func > (key: Self, value: Content) -> FetchPredicate {
    compare(key.name, .greater, .constant(value.value))
  }
  public static func >= (key: Self, value: Content) -> FetchPredicate {
    compare(key.name, .greaterOrEqual, .constant(value.value))
  }

  public static func == (key: Self, other: Self) -> FetchPredicate {
    compare(key.name, .equal, .keyPath([other.name]))
  }
  public static func != (key: Self, other: Self) -> FetchPredicate {
    compare(key.name, .notEqual, .keyPath([other.name]))
  }

  public static func == (key: Self, source: SourceKey<Content>) -> FetchPredicate {
    compare(key.name, .equal, source.expression)
  }
  public static func != (key: Self, source: SourceKey<Content>) -> FetchPredicate {
    compare(key.name, .notEqual, source.expression)
  }
  public static func < (key: Self, source: SourceKey<Content>) -> FetchPredicate {
    compare(key.name, .less, source.expression)
  }
  public static func <= (key: Self, source: SourceKey<Content>) -> FetchPredicate {
    compare(key.name, .lessOrEqual, source.expression)
  }
  public static func > (key: Self, source: SourceKey<Content>) -> FetchPredicate {
    compare(key.name, .greater, source.expression)
  }
  public static func >= (key: Self, source: SourceKey<Content>) -> FetchPredicate {
    compare(key.name, .greaterOrEqual, source.expression)
  }

  /// Whether the value is one of these.
  public func isIn(_ values: [Content]) -> FetchPredicate {
    compare(self.name, .in, .constant(.list(values.map(\.value))))
  }

  /// Whether the value lies between the bounds, both included.
  public func isBetween(_ low: Content, _ high: Content) -> FetchPredicate {
    compare(self.name, .between, .aggregate([.constant(low.value), .constant(high.value)]))
  }
}

/// Text, or text that may be missing.
public protocol TextValue: AttributeValue {}
extension String: TextValue {}
extension Optional: TextValue where Wrapped == String {}

extension AttributeKey where Content: TextValue {
  public func contains(_ text: String, _ options: FetchPredicate.Options = []) -> FetchPredicate {
    compare(self.name, .contains, .constant(.string(text)), options)
  }
  public func begins(with text: String, _ options: FetchPredicate.Options = []) -> FetchPredicate {
    compare(self.name, .beginsWith, .constant(.string(text)), options)
  }
  public func ends(with text: String, _ options: FetchPredicate.Options = []) -> FetchPredicate {
    compare(self.name, .endsWith, .constant(.string(text)), options)
  }
  /// `*` stands for any text, `?` for one character.
  public func isLike(_ pattern: String, _ options: FetchPredicate.Options = []) -> FetchPredicate {
    compare(self.name, .like, .constant(.string(pattern)), options)
  }
  /// Whether the regular expression matches the whole text.
  public func matches(_ pattern: String, _ options: FetchPredicate.Options = []) -> FetchPredicate {
    compare(self.name, .matches, .constant(.string(pattern)), options)
  }
}

extension ToOneKey {
  public static func == (key: Self, object: Destination?) -> FetchPredicate {
    compare(key.name, .equal, .constant(object.map { .object($0.objectID) } ?? .null))
  }
  public static func != (key: Self, object: Destination?) -> FetchPredicate {
    compare(key.name, .notEqual, .constant(object.map { .object($0.objectID) } ?? .null))
  }
}

extension FetchPredicate {
  public static func && (left: FetchPredicate, right: FetchPredicate) -> FetchPredicate {
    if case .and(let terms) = left { return .and(terms + [right]) }
    return .and([left, right])
  }
  public static func || (left: FetchPredicate, right: FetchPredicate) -> FetchPredicate {
    if case .or(let terms) = left { return .or(terms + [right]) }
    return .or([left, right])
  }
  public static prefix func ! (term: FetchPredicate) -> FetchPredicate { .not(term) }
}
