public import FederatedModel

// Operators on operands give predicates, so that a condition is written once, with its types checked. Each gives the
// tree that the same words give in a format.

extension AttributeOperand {
  func compared(
    _ operator: FetchPredicate.Operator, _ right: FetchExpression, _ options: FetchPredicate.Options = []
  ) -> FetchPredicate {
    .comparing(self.operand, self.quantifier, `operator`, right, options)
  }

  public static func == (left: Self, value: Content) -> FetchPredicate {
    left.compared(.equal, .constant(value.value))
  }
  public static func != (left: Self, value: Content) -> FetchPredicate {
    left.compared(.notEqual, .constant(value.value))
  }
  public static func < (left: Self, value: Content) -> FetchPredicate {
    left.compared(.less, .constant(value.value))
  }
  public static func <= (left: Self, value: Content) -> FetchPredicate {
    left.compared(.lessOrEqual, .constant(value.value))
  }
  public static func > (left: Self, value: Content) -> FetchPredicate {
    left.compared(.greater, .constant(value.value))
  }
  public static func >= (left: Self, value: Content) -> FetchPredicate {
    left.compared(.greaterOrEqual, .constant(value.value))
  }

  public static func == <Other: AttributeOperand<Content>>(left: Self, right: Other) -> FetchPredicate {
    left.compared(.equal, right.operand)
  }
  public static func != <Other: AttributeOperand<Content>>(left: Self, right: Other) -> FetchPredicate {
    left.compared(.notEqual, right.operand)
  }
  public static func < <Other: AttributeOperand<Content>>(left: Self, right: Other) -> FetchPredicate {
    left.compared(.less, right.operand)
  }
  public static func <= <Other: AttributeOperand<Content>>(left: Self, right: Other) -> FetchPredicate {
    left.compared(.lessOrEqual, right.operand)
  }
  public static func > <Other: AttributeOperand<Content>>(left: Self, right: Other) -> FetchPredicate {
    left.compared(.greater, right.operand)
  }
  public static func >= <Other: AttributeOperand<Content>>(left: Self, right: Other) -> FetchPredicate {
    left.compared(.greaterOrEqual, right.operand)
  }

  /// Whether the value is one of these.
  public func isIn(_ values: [Content]) -> FetchPredicate {
    self.compared(.in, .constant(.list(values.map(\.value))))
  }

  /// Whether the value lies between the bounds, both included.
  public func isBetween(_ low: Content, _ high: Content) -> FetchPredicate {
    self.compared(.between, .aggregate([.constant(low.value), .constant(high.value)]))
  }
}

extension ClosedRange where Bound: AttributeValue {
  /// Whether the value lies between the bounds, both included: `(1...9).contains($0.number)`.
  public func contains(_ operand: some AttributeOperand<Bound>) -> FetchPredicate {
    operand.isBetween(self.lowerBound, self.upperBound)
  }
}

extension Array where Element: AttributeValue {
  /// Whether the value is one of these: `[1, 2, 3].contains($0.number)`.
  public func contains(_ operand: some AttributeOperand<Element>) -> FetchPredicate { operand.isIn(self) }
}

/// Text, or text that may be missing.
public protocol TextValue: AttributeValue {}
extension String: TextValue {}
extension Optional: TextValue where Wrapped == String {}

extension AttributeOperand where Content: TextValue {
  /// Whether the text is equal under the options, as in `name ==[cd] "ada"`.
  public func equals(_ text: String, _ options: FetchPredicate.Options) -> FetchPredicate {
    self.compared(.equal, .constant(.string(text)), options)
  }
  public func contains(_ text: String, _ options: FetchPredicate.Options = []) -> FetchPredicate {
    self.compared(.contains, .constant(.string(text)), options)
  }
  public func begins(with text: String, _ options: FetchPredicate.Options = []) -> FetchPredicate {
    self.compared(.beginsWith, .constant(.string(text)), options)
  }
  public func ends(with text: String, _ options: FetchPredicate.Options = []) -> FetchPredicate {
    self.compared(.endsWith, .constant(.string(text)), options)
  }
  /// `*` stands for any text, `?` for one character.
  public func isLike(_ pattern: String, _ options: FetchPredicate.Options = []) -> FetchPredicate {
    self.compared(.like, .constant(.string(pattern)), options)
  }
  /// Whether the regular expression matches the whole text.
  public func matches(_ pattern: String, _ options: FetchPredicate.Options = []) -> FetchPredicate {
    self.compared(.matches, .constant(.string(pattern)), options)
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
