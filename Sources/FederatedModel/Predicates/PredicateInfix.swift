/// An operator between two operands.
enum PredicateInfix {
  case function(FetchFunction, precedence: Int)
  case set(FetchExpression.SetOperation)

  init?(_ token: PredicateToken.Kind) {
    switch token {
    case .symbol(.bitOr): self = .function(.bitwiseOr, precedence: 1)
    case .symbol(.bitXor): self = .function(.bitwiseXor, precedence: 2)
    case .symbol(.bitAnd): self = .function(.bitwiseAnd, precedence: 3)
    case .symbol(.leftShift): self = .function(.leftShift, precedence: 4)
    case .symbol(.rightShift): self = .function(.rightShift, precedence: 4)
    case .keyword(.union, _): self = .set(.union)
    case .keyword(.intersect, _): self = .set(.intersect)
    case .keyword(.minus, _): self = .set(.minus)
    case .symbol(.plus): self = .function(.add, precedence: 6)
    case .symbol(.minus): self = .function(.subtract, precedence: 6)
    case .symbol(.times): self = .function(.multiply, precedence: 7)
    case .symbol(.divide): self = .function(.divide, precedence: 7)
    case .symbol(.power): self = .function(.power, precedence: 8)
    default: return nil
    }
  }

  /// 1 binds least.
  var precedence: Int {
    switch self {
    case .function(_, let precedence): precedence
    case .set: 5
    }
  }

  func expression(_ left: FetchExpression, _ right: FetchExpression) -> FetchExpression {
    switch self {
    case .function(let function, _): .function(function.rawValue, [left, right])
    case .set(let operation): .setOperation(operation, left, right)
    }
  }
}

extension PredicateToken.Kind {
  var comparisonOperator: FetchPredicate.Operator? {
    switch self {
    case .symbol(.equal), .symbol(.doubleEqual): .equal
    case .symbol(.notEqual), .symbol(.lessGreater): .notEqual
    case .symbol(.less): .less
    case .symbol(.lessOrEqual), .symbol(.equalLess): .lessOrEqual
    case .symbol(.greater): .greater
    case .symbol(.greaterOrEqual), .symbol(.equalGreater): .greaterOrEqual
    case .keyword(.between, _): .between
    case .keyword(.in, _): .in
    case .keyword(.contains, _): .contains
    case .keyword(.beginsWith, _): .beginsWith
    case .keyword(.endsWith, _): .endsWith
    case .keyword(.like, _): .like
    case .keyword(.matches, _): .matches
    default: nil
    }
  }

  /// A word as it was written, keyword or not.
  var spelling: String? {
    switch self {
    case .name(let text), .keyword(_, let text): text
    default: nil
    }
  }
}
