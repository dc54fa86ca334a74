internal import FederatedModel

/// The names that the original framework gives to tables and columns.
enum CoreDataNames {
  static let metadataTable = "Z_METADATA"
  static let primaryKeyTable = "Z_PRIMARYKEY"
  static let modelCacheTable = "Z_MODELCACHE"
  static let key = "Z_PK"
  static let entity = "Z_ENT"
  static let version = "Z_OPT"

  static func table(_ rootEntity: String) -> String { "Z" + rootEntity.uppercased() }
  static func column(_ property: String) -> String { "Z" + property.uppercased() }
  static func entityColumn(_ property: String, destination id: Int64) -> String {
    "Z\(id)_\(property.uppercased())"
  }
  static func orderColumn(_ property: String) -> String { "Z_FOK_\(property.uppercased())" }

  /// The table of pairs, named after one side's relationship and the entity that declares it.
  static func joinTable(_ relationship: String, declaredBy id: Int64) -> String {
    "Z_\(id)\(relationship.uppercased())"
  }
  /// A column of a table of pairs: keys of that relationship's destination.
  static func joinColumn(_ relationship: String, destination id: Int64) -> String {
    "Z_\(id)\(relationship.uppercased())"
  }
  static func joinOrderColumn(_ relationship: String, declaredBy id: Int64) -> String {
    "Z_FOK_\(id)\(relationship.uppercased())"
  }
  /// The second column of a relationship that is its own inverse.
  static let reflexiveColumn = "REFLEXIVE"

  /// Rows of the framework's history, not of any model.
  static let firstHistoryEntity: Int64 = 16000

  static func declaredType(_ encoding: ColumnEncoding) -> String {
    switch encoding {
    case .int, .bool, .reference: "INTEGER"
    case .double: "FLOAT"
    case .date: "TIMESTAMP"
    case .decimal: "DECIMAL"
    case .text: "VARCHAR"
    case .blob, .uuid, .prefixedBlob: "BLOB"
    }
  }
}

extension AttributeDescription {
  /// How the original framework lays the attribute's values down; nil for what no column can hold.
  var coreDataEncoding: ColumnEncoding? {
    switch self.type.slotKind {
    case .int: .int
    case .bool: .bool
    case .double, .float: .double
    case .date: .date
    case .decimal: .decimal
    case .string, .uri: .text
    case .uuid: .uuid
    case .data:
      self.type == .binary && self.allowsExternalBinaryDataStorage ? .prefixedBlob : .blob
    case .reference, nil: nil
    }
  }
}
