import FederatedModel

/// The names that model files give to attribute types, both ways.
enum XcodeAttributeNames {
  /// Types whose name says all. A transformable adds a transformer, a composite its name; no name is undefined.
  private static let simple: [(name: String, type: AttributeType)] = [
    ("Integer 16", .integer16), ("Integer 32", .integer32), ("Integer 64", .integer64), ("Decimal", .decimal),
    ("Double", .double), ("Float", .float), ("String", .string), ("Boolean", .boolean), ("Date", .date),
    ("Binary", .binary), ("UUID", .uuid), ("URI", .uri),
  ]

  static let transformable = "Transformable"
  static let composite = "Composite"

  /// Every name, for error texts.
  static let all = simple.map(\.name) + [transformable, composite]

  static func type(named name: String) -> AttributeType? { self.simple.first { $0.name == name }?.type }

  /// Nil for an undefined type, which a file writes by leaving the name out.
  static func name(of type: AttributeType) -> String? {
    switch type {
    case .transformable: self.transformable
    case .composite: self.composite
    default: self.simple.first { $0.type == type }?.name
    }
  }
}

/// The names that model files give to delete rules.
extension RelationshipDescription.DeleteRule {
  var xcodeName: String {
    switch self {
    case .noAction: "No Action"
    case .nullify: "Nullify"
    case .cascade: "Cascade"
    case .deny: "Deny"
    }
  }

  init?(xcodeName: String) {
    guard let rule = Self.allCases.first(where: { $0.xcodeName == xcodeName }) else { return nil }
    self = rule
  }
}
