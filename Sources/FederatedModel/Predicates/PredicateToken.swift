/// One word of a predicate's format, and where it begins.
struct PredicateToken: Equatable {
  let kind: Kind
  /// Index among the format's scalars.
  let start: Int

  enum Kind: Equatable {
    /// A name; with a colon in it, a function's long name.
    case name(String)
    case keyword(PredicateKeyword, spelling: String)
    /// `#size`, or `#"any text"`: a key whatever it spells.
    case key(String)
    /// `$name`.
    case variable(String)
    /// `@count`, with the sign.
    case collectionOperator(String)
    case number(Value)
    case string(String)
    case symbol(PredicateSymbol)
    case placeholder(PredicatePlaceholder)
    case end
  }
}

/// Words that are no keys. They are read without regard to case.
enum PredicateKeyword: String, CaseIterable {
  case and = "AND"
  case or = "OR"
  case not = "NOT"
  case `in` = "IN"
  case all = "ALL"
  case any = "ANY"
  case some = "SOME"
  case none = "NONE"
  case like = "LIKE"
  case matches = "MATCHES"
  case contains = "CONTAINS"
  case beginsWith = "BEGINSWITH"
  case endsWith = "ENDSWITH"
  case between = "BETWEEN"
  case caseInsensitive = "CASEINSENSITIVE"
  case ci = "CI"
  case null = "NULL"
  case `nil` = "NIL"
  case itself = "SELF"
  case `true` = "TRUE"
  case yes = "YES"
  case `false` = "FALSE"
  case no = "NO"
  case first = "FIRST"
  case last = "LAST"
  case size = "SIZE"
  case anyKey = "ANYKEY"
  case subquery = "SUBQUERY"
  case fetch = "FETCH"
  case cast = "CAST"
  case truePredicate = "TRUEPREDICATE"
  case falsePredicate = "FALSEPREDICATE"
  case utiConformsTo = "UTI-CONFORMS-TO"
  case utiEquals = "UTI-EQUALS"
  case ternary = "TERNARY"
  case function = "FUNCTION"
  case union = "UNION"
  case intersect = "INTERSECT"
  case minus = "MINUS"

  private static let bySpelling = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

  init?(spelling: String) {
    guard spelling.utf8.count <= 15, let keyword = PredicateKeyword.bySpelling[spelling.uppercased()] else {
      return nil
    }
    self = keyword
  }
}

enum PredicateSymbol: String, CaseIterable {
  case equal = "="
  case doubleEqual = "=="
  case notEqual = "!="
  case lessGreater = "<>"
  case less = "<"
  case lessOrEqual = "<="
  case equalLess = "=<"
  case greater = ">"
  case greaterOrEqual = ">="
  case equalGreater = "=>"
  case not = "!"
  case and = "&&"
  case or = "||"
  case bitAnd = "&"
  case bitOr = "|"
  case bitXor = "^"
  case complement = "~"
  case leftShift = "<<"
  case rightShift = ">>"
  case plus = "+"
  case minus = "-"
  case times = "*"
  case power = "**"
  case divide = "/"
  case open = "("
  case close = ")"
  case openBrace = "{"
  case closeBrace = "}"
  case openBracket = "["
  case closeBracket = "]"
  case comma = ","
  case dot = "."
  case assign = ":="
}

/// What a `%` in a format asks for.
enum PredicatePlaceholder: Equatable {
  /// `%@`: any value.
  case value
  /// `%K`: a key path.
  case keyPath
  /// `%d` and its kin.
  case integer
  /// `%f` and its kin.
  case floating
}
