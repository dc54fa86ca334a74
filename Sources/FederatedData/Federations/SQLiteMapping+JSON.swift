import FederatedModel
import FederatedSQLiteStore
import FederatedStore

/// The mapping of a SQLite store in a federation file.
extension SQLiteMapping {
  init(_ node: FederationNode) throws(FederationFileError) {
    let members = try node.members(allowing: ["zone", "entities"])
    let zone = try FormatNode.zone(members["zone"], inherited: .required)
    var entities: [String: SQLiteEntityMapping] = [:]
    for (name, entity) in try members.required("entities").allMembers() {
      entities[name] = try SQLiteEntityMapping(entity, zone: zone)
    }
    self.init(entities: entities, zone: zone)
  }
}

extension SQLiteEntityMapping {
  fileprivate init(_ node: FederationNode, zone: ZonePolicy) throws(FederationFileError) {
    let members = try node.members(allowing: ["table", "key", "discriminator", "attributes", "relationships"])
    var attributes: [String: SQLiteAttributeMapping] = [:]
    for (name, attribute) in try members["attributes"]?.allMembers() ?? [] {
      attributes[name] = try SQLiteAttributeMapping(attribute, zone: zone)
    }
    var relationships: [String: SQLiteRelationshipMapping] = [:]
    for (name, relationship) in try members["relationships"]?.allMembers() ?? [] {
      relationships[name] = try SQLiteRelationshipMapping(relationship)
    }
    self.init(
      table: try members["table"]?.string() ?? "", key: try members["key"]?.oneOrMoreStrings() ?? [],
      discriminator: try members["discriminator"].map { (node) throws(FederationFileError) in
        try SQLiteDiscriminator(node)
      },
      attributes: attributes, relationships: relationships)
  }
}

extension SQLiteDiscriminator {
  fileprivate init(_ node: FederationNode) throws(FederationFileError) {
    let members = try node.members(allowing: ["column", "value"])
    let value = try members.required("value")
    let column = try members.required("column").string()
    if let number = try value.wholeNumber() {
      self.init(column, .number(number))
    } else {
      self.init(column, .text(try value.string()))
    }
  }
}

extension SQLiteAttributeMapping {
  /// The name of a column, or an object with its format.
  fileprivate init(_ node: FederationNode, zone: ZonePolicy) throws(FederationFileError) {
    guard node.isObject else {
      self.init(try node.string())
      return
    }
    let members = try node.members(allowing: ["column", "format", "zone", "unfit"])
    let own = try FormatNode.zone(members["zone"], inherited: zone)
    var format = try FormatNode.format(members["format"], zone: own)
    // The zone stands in the format; without one a date is ISO 8601 text.
    if format == .standard, members["zone"] != nil { format = .iso8601(own) }
    self.init(
      try members.required("column").string(), format: format, unfit: try FormatNode.unfit(members["unfit"]))
  }
}

extension SQLiteRelationshipMapping {
  fileprivate init(_ node: FederationNode) throws(FederationFileError) {
    let members = try node.members(
      allowing: ["column", "columns", "inverse", "table", "owner", "destination", "order"])
    func refuse(_ keys: [String], beside key: String) throws(FederationFileError) {
      for other in keys where members[other] != nil {
        throw node.error(.invalidMapping, "\"\(other)\" does not go with \"\(key)\"; keep one way")
      }
    }
    if let column = members["column"] ?? members["columns"] {
      try refuse(["inverse", "table", "owner", "destination", "order"], beside: "column")
      self = .columns(try column.oneOrMoreStrings())
    } else if let inverse = members["inverse"] {
      try refuse(["table", "owner", "destination"], beside: "inverse")
      _ = try inverse.string()
      self = .inverse(order: try members["order"]?.string())
    } else {
      self = .pairs(
        SQLitePairTable(
          try members.required("table").string(), owner: try members.required("owner").oneOrMoreStrings(),
          destination: try members.required("destination").oneOrMoreStrings(),
          order: try members["order"]?.string()))
    }
  }
}
