public import FederatedStore

/// How entities lie in the tables and views of a SQLite file that somebody else made.
///
/// ```swift
/// var chinook = PersistentStoreDescription(.sqlite, at: URL(filePath: "Chinook.sqlite"))
/// chinook.mapping = SQLiteMapping(entities: [
///   "Artist": SQLiteEntityMapping(table: "Artist", attributes: ["name": "Name"]),
///   "Album": SQLiteEntityMapping(
///     table: "Album", attributes: ["title": "Title"], relationships: ["artist": .columns(["ArtistId"])]),
/// ])
/// ```
/// The file gets no table, column or trigger of this library. The mapping is checked whole against file and model
/// when the store is opened; a ``MappingError`` has every fault.
public struct SQLiteMapping: StoreMapping, Hashable {
  /// By the name of the entity. Every entity of the store's configuration that has objects of its own is here.
  public var entities: [String: SQLiteEntityMapping]
  /// What a date that stands as text without a zone means, where an attribute's format says nothing else.
  public var zone: ZonePolicy

  public init(entities: [String: SQLiteEntityMapping], zone: ZonePolicy = .required) {
    self.entities = entities
    self.zone = zone
  }
}

/// The table or view of one entity: each row is an object.
public struct SQLiteEntityMapping: Sendable, Hashable {
  /// A table, or a view, whose rows can only be read. Empty takes what the entity inherits from has.
  public var table: String
  /// The columns that tell rows apart; `rowid` names the number that SQLite gives each row of most tables. Empty means
  /// the declared primary key. A view, and a table without one, need it; values are unique and never null.
  public var key: [String]
  /// What tells the rows of this entity from those of others in the same table; nil where every row is one of it.
  public var discriminator: SQLiteDiscriminator?
  /// By the name of the attribute. What the mapping of an ancestor says holds as well. What is missing must be optional, and is nil in every object.
  public var attributes: [String: SQLiteAttributeMapping]
  /// By the name of the relationship. A to-many whose inverse has a place needs none.
  public var relationships: [String: SQLiteRelationshipMapping]

  public init(
    table: String, key: [String] = [], discriminator: SQLiteDiscriminator? = nil,
    attributes: [String: SQLiteAttributeMapping] = [:],
    relationships: [String: SQLiteRelationshipMapping] = [:]
  ) {
    self.table = table
    self.key = key
    self.discriminator = discriminator
    self.attributes = attributes
    self.relationships = relationships
  }
}

/// A column that tells which of several entities a row is.
///
/// Rows with a value that no entity has are no objects.
public struct SQLiteDiscriminator: Sendable, Hashable {
  public var column: String
  public var value: DiscriminatorValue

  public init(_ column: String, _ value: DiscriminatorValue) {
    self.column = column
    self.value = value
  }
}

/// What a discriminator column holds for one entity.
public enum DiscriminatorValue: Sendable, Hashable {
  case text(String)
  case number(Int64)
}

/// The column of an attribute, and how its values are written there.
public struct SQLiteAttributeMapping: Sendable, Hashable, ExpressibleByStringLiteral {
  public var column: String
  public var format: ValueFormat
  /// What becomes of a cell that does not fit the attribute.
  public var unfit: UnfitPolicy

  public init(_ column: String, format: ValueFormat = .standard, unfit: UnfitPolicy = .refuse) {
    self.column = column
    self.format = format
    self.unfit = unfit
  }

  public init(stringLiteral column: String) { self.init(column) }
}

/// Where a relationship is kept.
public enum SQLiteRelationshipMapping: Sendable, Hashable {
  /// A to-one: the columns that hold the key of its destination, in the order of the destination's key.
  case columns([String])
  /// A to-many: the rows of the destination that point back by their own to-one. An ordered one needs the column of
  /// the destination that gives its rows their order.
  case inverse(order: String? = nil)
  /// A many-to-many: a row of another table for each pair.
  case pairs(SQLitePairTable)
}

/// A table whose rows pair the keys of two others.
public struct SQLitePairTable: Sendable, Hashable {
  public var table: String
  /// The columns that hold the key of the object that has the relationship.
  public var owner: [String]
  /// The columns that hold the key of its destination.
  public var destination: [String]
  /// The column of an ordered relationship that gives the destinations their order.
  public var order: String?

  public init(_ table: String, owner: [String], destination: [String], order: String? = nil) {
    self.table = table
    self.owner = owner
    self.destination = destination
    self.order = order
  }
}
