import FederatedStore
import FederatedXMLStore
import Foundation

extension XMLMapping {
  /// Reads the mapping of an XML store; whether it fits the model is checked when the model is known.
  init(_ node: FederationNode) throws(FederationFileError) {
    let members = try node.members(allowing: ["loading", "namespaces", "zone", "entities"])
    let zone = try FormatNode.zone(members["zone"], inherited: .required)
    var namespaces: [String: String] = [:]
    for (prefix, uri) in try members["namespaces"]?.allMembers() ?? [] {
      namespaces[prefix] = try uri.string()
    }
    var entities: [String: XMLEntityMapping] = [:]
    for (name, entity) in try members.required("entities").allMembers() {
      entities[name] = try XMLEntityMapping(entity, zone: zone)
    }
    self.init(
      entities: entities, namespaces: namespaces, zone: zone,
      loading: try XMLMapping.choice(members["loading"], of: "loading") ?? .resident)
  }
}

extension XMLMapping {
  /// One of a few words.
  fileprivate static func choice<Choice: CaseIterable & RawRepresentable<String>>(
    _ node: FederationNode?, of key: String
  ) throws(FederationFileError) -> Choice? {
    guard let node else { return nil }
    let word = try node.string()
    guard let choice = Choice(rawValue: word) else {
      let words = Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
      throw node.error(.invalidMapping, "'\(word)' is no way of \"\(key)\"; use one of \(words)")
    }
    return choice
  }
}

extension XMLEntityMapping {
  fileprivate init(_ node: FederationNode, zone: ZonePolicy) throws(FederationFileError) {
    let members = try node.members(allowing: ["records", "key", "attributes", "relationships"])
    var attributes: [String: XMLAttributeMapping] = [:]
    for (name, attribute) in try members["attributes"]?.allMembers() ?? [] {
      attributes[name] = try XMLAttributeMapping(attribute, zone: zone)
    }
    var relationships: [String: XMLRelationshipMapping] = [:]
    for (name, relationship) in try members["relationships"]?.allMembers() ?? [] {
      relationships[name] = try XMLRelationshipMapping(relationship)
    }
    self.init(
      records: try members["records"]?.oneOrMoreStrings() ?? [],
      key: try members["key"]?.oneOrMoreStrings() ?? [],
      attributes: attributes, relationships: relationships)
  }
}

extension XMLAttributeMapping {
  /// A path alone, or an object with more about it.
  fileprivate init(_ node: FederationNode, zone: ZonePolicy) throws(FederationFileError) {
    guard node.isObject else {
      self.init(try node.string())
      return
    }
    let members = try node.members(allowing: ["path", "format", "zone", "unfit", "repeated"])
    let own = try FormatNode.zone(members["zone"], inherited: zone)
    var format = try FormatNode.format(members["format"], zone: own)
    // The zone stands in the format; without one a date is ISO 8601 text.
    if format == .standard, members["zone"] != nil { format = .iso8601(own) }
    self.init(
      try members.required("path").string(), format: format, unfit: try FormatNode.unfit(members["unfit"]),
      repeated: try XMLMapping.choice(members["repeated"], of: "repeated") ?? .refuse)
  }
}

extension XMLRelationshipMapping {
  fileprivate init(_ node: FederationNode) throws(FederationFileError) {
    let members = try node.members(allowing: ["records", "path", "paths"])
    let given = ["records", "path", "paths"].filter { members[$0] != nil }
    guard given.count == 1 else {
      throw node.error(
        .invalidMapping,
        "must have one of \"records\" (records inside this one), \"path\" (a key of the destination) and "
          + "\"paths\" (a key of several parts), and has \(given.isEmpty ? "none" : given.joined(separator: ", "))"
      )
    }
    if let records = members["records"] {
      self = .records(try records.string())
    } else if let path = members["path"] {
      self = .reference(try path.string())
    } else {
      self = .references(try members.required("paths").oneOrMoreStrings())
    }
  }
}
