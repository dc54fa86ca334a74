import FederatedModelFiles
import FederatedStore
public import Foundation

extension FederationSuggestion {
  /// The names of the files that ``write(to:)`` makes.
  static let modelName = "Model.xcdatamodeld"
  static let federationName = "federation.json"

  /// Writes the model and the federation file into a folder, which is made where there is none.
  /// - Returns: the federation file.
  /// - Throws: ``FileInspectionError`` when one of the two is there already; what writing throws.
  @discardableResult public func write(to folder: URL) throws -> URL {
    let model = folder.appending(path: Self.modelName)
    let federation = folder.appending(path: Self.federationName)
    for file in [model, federation]
    where FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) {
      throw FileInspectionError(file: file, "is there already; name another folder")
    }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try ModelFile.save(self.draft, at: model)
    try self.federationFile(in: folder).write(to: federation, options: .atomic)
    return federation
  }

  /// The federation file as JSON, for the folder that it will stand in.
  public func federationFile(in folder: URL) throws -> Data {
    let file = SuggestedFederation(
      model: Self.modelName,
      stores: self.stores.map { store in
        SuggestedFederation.Store(
          name: store.name, type: store.type, path: Self.path(of: store.url, from: folder),
          configuration: store.name,
          mapping: store.ownEntities == nil ? SuggestedFederation.Mapping(store) : nil)
      })
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(file) + Data("\n".utf8)
  }

  /// The way from a folder to a file.
  private static func path(of file: URL, from folder: URL) -> String {
    let target = file.standardizedFileURL.resolvingSymlinksInPath().pathComponents
    let base = folder.standardizedFileURL.resolvingSymlinksInPath().pathComponents
    let shared = zip(target, base).prefix { $0 == $1 }.count
    // Files of another part of the system are better told from the root.
    if shared <= 1 { return file.standardizedFileURL.path(percentEncoded: false) }
    return (Array(repeating: "..", count: base.count - shared) + target.dropFirst(shared)).joined(
      separator: "/")
  }
}

/// A federation file, as it is written.
private struct SuggestedFederation: Encodable {
  let model: String
  let stores: [Store]

  struct Store: Encodable {
    let name: String
    let type: String
    let path: String
    let configuration: String
    let readOnly = true
    let mapping: Mapping?
  }

  struct Mapping: Encodable {
    let entities: [String: Entity]
    let namespaces: [String: String]?

    init(_ store: SuggestedStore) {
      let isXML = store.type == "xml"
      self.namespaces = store.namespaces.isEmpty ? nil : store.namespaces
      self.entities = Dictionary(
        uniqueKeysWithValues: store.entities.map { ($0.name, Entity($0, isXML: isXML)) })
    }
  }

  struct Entity: Encodable {
    let table: String?
    let records: String?
    let key: [String]?
    let attributes: [String: Attribute]?
    let relationships: [String: Relationship]?

    init(_ entity: SuggestedEntity, isXML: Bool) {
      self.table = isXML ? nil : entity.place
      self.records = isXML && !entity.isNested ? entity.place : nil
      self.key = entity.key.isEmpty ? nil : entity.key
      let attributes = entity.attributes.map { ($0.name, Attribute($0, isXML: isXML)) }
      self.attributes = attributes.isEmpty ? nil : Dictionary(uniqueKeysWithValues: attributes)
      let relationships = entity.relationships.compactMap { relationship in
        Relationship(relationship).map { (relationship.name, $0) }
      }
      self.relationships = relationships.isEmpty ? nil : Dictionary(uniqueKeysWithValues: relationships)
    }
  }

  /// A place alone, or with how its values are written.
  struct Attribute: Encodable {
    private let attribute: SuggestedAttribute
    private let isXML: Bool

    init(_ attribute: SuggestedAttribute, isXML: Bool) {
      self.attribute = attribute
      self.isXML = isXML
    }

    private enum Keys: String, CodingKey { case column, path, format, zone, unfit }

    func encode(to encoder: any Encoder) throws {
      let format = FormatText(self.attribute.proposal.format)
      guard format.name != nil || format.pattern != nil || self.attribute.readsUnfitAsNil else {
        var single = encoder.singleValueContainer()
        return try single.encode(self.attribute.place)
      }
      var object = encoder.container(keyedBy: Keys.self)
      try object.encode(self.attribute.place, forKey: self.isXML ? .path : .column)
      try object.encodeIfPresent(format.name, forKey: .format)
      try object.encodeIfPresent(format.pattern, forKey: .format)
      try object.encodeIfPresent(format.zone, forKey: .zone)
      if self.attribute.readsUnfitAsNil { try object.encode("nil", forKey: .unfit) }
    }
  }

  /// Only what no other side says.
  struct Relationship: Encodable {
    var columns: [String]?
    var table: String?
    var owner: [String]?
    var destination: [String]?
    var records: String?

    init?(_ relationship: SuggestedRelationship) {
      switch relationship.place {
      case .inverse: return nil
      case .columns(let columns): self.columns = columns
      case .records(let path): self.records = path
      case .pairs(let table, let owner, let destination):
        (self.table, self.owner, self.destination) = (table, owner, destination)
      }
    }
  }
}

/// A format of values as a federation file writes it; nothing for the standard one.
struct FormatText {
  private(set) var name: String?
  private(set) var pattern: [String: String]?
  private(set) var zone: String?

  /// In words; nil for the standard format.
  var phrase: String? {
    let name = self.name ?? self.pattern.map { $0.values.sorted().joined(separator: " or ") }
    return name.map { $0 + (self.zone.map { " in \($0)" } ?? "") }
  }

  init(_ format: ValueFormat) {
    switch format {
    case .standard: break
    case .iso8601(let zone):
      self.name = "iso8601"
      if case .assumed(let zone) = zone { self.zone = zone == .gmt ? "UTC" : zone.identifier }
    case .datePattern(let text, let zone):
      self.pattern = ["pattern": text]
      if case .assumed(let zone) = zone { self.zone = zone == .gmt ? "UTC" : zone.identifier }
    case .booleanWords(let yes, let no): self.pattern = ["true": yes, "false": no]
    case .unixSeconds: self.name = "unixSeconds"
    case .unixMilliseconds: self.name = "unixMilliseconds"
    case .julianDay: self.name = "julianDay"
    case .referenceSeconds: self.name = "referenceSeconds"
    case .decimalText: self.name = "decimalText"
    case .uuidText: self.name = "uuidText"
    case .uuidBytes: self.name = "uuidBytes"
    case .base64: self.name = "base64"
    case .hex: self.name = "hex"
    }
  }
}
