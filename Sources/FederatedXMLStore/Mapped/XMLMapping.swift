public import FederatedStore

/// How entities lie in an XML document that somebody else made.
///
/// ```swift
/// var trek = PersistentStoreDescription(.xml, at: URL(filePath: "trek.gpx"), readOnly: true)
/// trek.mapping = XMLMapping(
///   entities: [
///     "Waypoint": XMLEntityMapping(
///       records: "/g:gpx/g:wpt", key: ["name"],
///       attributes: ["latitude": "@lat", "longitude": "@lon", "name": "g:name"])
///   ],
///   namespaces: ["g": "http://www.topografix.com/GPX/1/0"])
/// ```
/// A name in a path without a prefix is in no namespace, unless ``namespaces`` has one for the empty prefix. Which
/// prefixes the document uses never matters. The mapping is checked whole against the model when the store is opened.
public struct XMLMapping: StoreMapping, Hashable {
  /// By the name of the entity. Every entity of the store's configuration that has objects of its own is here.
  public var entities: [String: XMLEntityMapping]
  /// Namespaces by the prefixes that the paths of this mapping use; the empty prefix is for elements without one.
  public var namespaces: [String: String]
  /// What a date that stands without a zone means, where an attribute's format says nothing else.
  public var zone: ZonePolicy
  /// Whether the records are held in memory.
  public var loading: XMLLoading

  public init(
    entities: [String: XMLEntityMapping], namespaces: [String: String] = [:], zone: ZonePolicy = .required,
    loading: XMLLoading = .resident
  ) {
    self.entities = entities
    self.namespaces = namespaces
    self.zone = zone
    self.loading = loading
  }
}

/// How the records of a document are loaded.
public enum XMLLoading: String, Sendable, Hashable, CaseIterable {
  /// All of them when the store is opened: indexed, and writable.
  case resident
  /// Anew for each question, without holding the document: for reading alone.
  case streamed
}

/// The elements of one entity: each of them is an object.
public struct XMLEntityMapping: Sendable, Hashable {
  /// Absolute paths of the record elements; empty for an entity whose records stand inside those of another.
  public var records: [String]
  /// The attributes that tell records apart. Without them a record is known by its place in the file: such records
  /// come and go with the places, so they can be changed but neither added nor deleted.
  public var key: [String]
  /// By the name of the attribute. What is missing must be optional, and is nil in every object.
  public var attributes: [String: XMLAttributeMapping]
  /// By the name of the relationship. One whose inverse has a place needs none.
  public var relationships: [String: XMLRelationshipMapping]

  public init(
    records: [String], key: [String] = [], attributes: [String: XMLAttributeMapping] = [:],
    relationships: [String: XMLRelationshipMapping] = [:]
  ) {
    self.records = records
    self.key = key
    self.attributes = attributes
    self.relationships = relationships
  }

  public init(
    records: String, key: [String] = [], attributes: [String: XMLAttributeMapping] = [:],
    relationships: [String: XMLRelationshipMapping] = [:]
  ) {
    self.init(records: [records], key: key, attributes: attributes, relationships: relationships)
  }
}

/// Where the value of an attribute stands in its record, and how it is written there.
public struct XMLAttributeMapping: Sendable, Hashable, ExpressibleByStringLiteral {
  /// Relative to the record: `@lat`, `g:name`, `g:extensions/x:fix/@kind`, or `.` for the record's own text.
  public var path: String
  public var format: ValueFormat
  /// What becomes of a text that does not fit the attribute.
  public var unfit: UnfitPolicy
  /// What becomes of a record that has the path more than once.
  public var repeated: XMLRepeatedPolicy

  public init(
    _ path: String, format: ValueFormat = .standard, unfit: UnfitPolicy = .refuse,
    repeated: XMLRepeatedPolicy = .refuse
  ) {
    self.path = path
    self.format = format
    self.unfit = unfit
    self.repeated = repeated
  }

  public init(stringLiteral path: String) { self.init(path) }
}

/// What becomes of a record in which the path of one value occurs more than once.
public enum XMLRepeatedPolicy: String, Sendable, Hashable, CaseIterable {
  /// Reading it throws, with the record and the line.
  case refuse = "error"
  case first, last
}

/// Where a relationship is kept.
public enum XMLRelationshipMapping: Sendable, Hashable {
  /// The destinations are records inside this one, at a path relative to it.
  case records(String)
  /// The destination's key stands at this path: once for a to-one, repeated for a to-many.
  case reference(String)
  /// The parts of the destination's key, in the order of its key; for a to-one.
  case references([String])
}
