internal import FederatedModel

/// SQL text and its bindings, never apart: a `?` for each binding, in order.
struct SQLFragment: Hashable, Sendable {
  var text: String
  var bindings: [SQLValue]

  init(_ text: String, _ bindings: [SQLValue] = []) {
    self.text = text
    self.bindings = bindings
  }

  static func + (left: SQLFragment, right: SQLFragment) -> SQLFragment {
    SQLFragment(left.text + right.text, left.bindings + right.bindings)
  }
  static func + (left: SQLFragment, right: String) -> SQLFragment {
    SQLFragment(left.text + right, left.bindings)
  }
  static func + (left: String, right: SQLFragment) -> SQLFragment {
    SQLFragment(left + right.text, right.bindings)
  }

  /// Joins terms by an operator in a balanced tree: SQLite refuses expressions that nest 1,000 deep, and a
  /// plain chain nests once for every term.
  static func balanced(_ terms: ArraySlice<SQLFragment>, by operator: String) -> SQLFragment {
    precondition(!terms.isEmpty, "no terms")
    if terms.count == 1 { return terms.first! }
    if terms.count <= 8 {
      return SQLFragment(
        "(" + terms.map(\.text).joined(separator: " \(`operator`) ") + ")", terms.flatMap(\.bindings))
    }
    let middle = terms.startIndex + terms.count / 2
    return "(" + self.balanced(terms[..<middle], by: `operator`) + " \(`operator`) "
      + self.balanced(terms[middle...], by: `operator`) + ")"
  }
}

/// What a predicate, or part of one, becomes: true exactly where the predicate is, and false or null elsewhere.
enum SQLCondition: Hashable, Sendable {
  case always
  case never
  case test(SQLFragment)

  /// True exactly where the condition is false or null.
  var negated: SQLCondition {
    switch self {
    case .always: .never
    case .never: .always
    case .test(let fragment): .test("(" + fragment + ") IS NOT TRUE")
    }
  }

  static func all(_ conditions: [SQLCondition]) -> SQLCondition {
    var terms: [SQLFragment] = []
    for condition in conditions {
      switch condition {
      case .always: continue
      case .never: return .never
      case .test(let fragment): terms.append(fragment)
      }
    }
    return terms.isEmpty ? .always : .test(.balanced(terms[...], by: "AND"))
  }

  static func any(_ conditions: [SQLCondition]) -> SQLCondition {
    var terms: [SQLFragment] = []
    for condition in conditions {
      switch condition {
      case .always: return .always
      case .never: continue
      case .test(let fragment): terms.append(fragment)
      }
    }
    return terms.isEmpty ? .never : .test(.balanced(terms[...], by: "OR"))
  }
}

extension SQLCondition {
  /// Whether SQLite takes the condition as part of a statement.
  var fits: Bool {
    guard case .test(let fragment) = self else { return true }
    let (depth, joins) = fragment.size
    return depth <= SQLFragment.deepest && joins <= SQLScope.mostJoins
  }
}

extension SQLFragment {
  /// SQLite's parser keeps a hundred symbols, and a level of parentheses may take three.
  fileprivate static let deepest = 28

  /// How deep parentheses nest, and how many tables are joined. Every term of every question is measured, so the
  /// text is looked at once, as bytes.
  fileprivate var size: (depth: Int, joins: Int) {
    var text = self.text
    return text.withUTF8 { bytes in
      var (depth, deepest, joins) = (0, 0, 0)
      for index in bytes.indices {
        switch unsafe bytes[index] {
        case UInt8(ascii: "("):
          depth += 1
          deepest = max(deepest, depth)
        case UInt8(ascii: ")"): depth -= 1
        case UInt8(ascii: "J") where unsafe bytes[index...].starts(with: " JOIN ".utf8.dropFirst()):
          joins += 1
        default: continue
        }
      }
      return (deepest, joins)
    }
  }
}
