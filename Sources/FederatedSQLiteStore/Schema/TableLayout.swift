internal import FederatedModel
internal import FederatedStore
internal import Foundation

/// Which table and columns every entity, attribute and relationship has in one file: a value.
///
/// Statements are compiled, rows read and rows written from this alone; who made the file is known only to
/// whoever made the layout.
struct TableLayout: Sendable {
  var tables: [Table]
  /// By ``EntityID``; nil for an entity that the file does not hold.
  var entities: [EntityPlace?]

  subscript(entity: EntityID) -> EntityPlace? {
    self.entities.indices.contains(entity.index) ? self.entities[entity.index] : nil
  }

  func table(of entity: EntityID) -> Table? { self[entity].map { self.tables[$0.table] } }
}

/// One table of rows: an entity with all that inherit from it.
struct Table: Sendable {
  var name: String
  /// What tells the rows apart, and what their references are made of.
  var key: KeyPlace
  /// The optimistic-lock counter; nil when the table has none.
  var version: String?
  /// The column that tells the concrete entity; nil when all rows are of one.
  var discriminator: Discriminator?
  /// The entity of every row when there is no discriminator.
  var onlyEntity: EntityID?
  /// Whether rows can only be read, as those of a view.
  var isView = false

  struct Discriminator: Sendable {
    var column: String
    /// Concrete entities by what the column holds, or by the number that stands for that.
    var entities: [Int64: EntityID]
    /// What the column of a file of others holds for each number; nil where it holds the numbers.
    var words: [Int64: DiscriminatorValue]?
  }

  /// A condition that a row is of one of the table's entities; nil where every row is.
  func ownRows(_ alias: String) -> String? {
    self.discriminator.flatMap { $0.words == nil ? nil : $0.condition(alias, Array($0.entities.keys)) }
  }

  /// The error of a row that nothing tells apart from others.
  func missingKey(in file: URL) -> StoreError {
    StoreError(
      .unreadableValue, store: file, place: .cell(table: self.name, row: nil, column: self.key.title),
      "a row has nothing in its key; give it one in the file, or name another key in the mapping")
  }
}

/// Where the rows of one concrete entity stand.
struct EntityPlace: Sendable {
  var entity: EntityID
  /// Index in ``TableLayout/tables``.
  var table: Int
  /// What the discriminator column holds for this entity.
  var discriminatorValue: Int64?
  /// The concrete entities of the family that the file holds.
  var family: [EntityID]
  /// Whether the family is all that the table holds, so that no condition tells it apart.
  var familyFillsTable: Bool
  /// Whether the file holds rows of this very entity.
  var holdsRows: Bool
  /// Columns in the order of the row layout; derived ones included.
  var columns: [ColumnPlace]
  /// By relationship index.
  var relationships: [RelationshipPlace]

  func column(slot: Int) -> ColumnPlace? { self.columns.first { $0.slot == slot } }
}

/// The column of an attribute or to-one.
struct ColumnPlace: Sendable {
  var property: String
  var slot: Int
  /// For a to-one with several columns, the first of them.
  var column: String
  var encoding: ColumnEncoding
  /// How values lie in the cells of a file made by others; nil where they lie as the encoding says.
  var mapped: MappedCell?
  /// For a to-one.
  var reference: ReferencePlace?
  /// Kept true by the database itself: read, never written.
  var isDerived = false
}

/// What a to-one has besides the column of its destination's key.
struct ReferencePlace: Sendable {
  /// As declared.
  var destination: EntityID
  /// The columns that hold the destination's key.
  var key: KeyPlace
  /// Holds the destination's discriminator, where the destination has subentities.
  var entityColumn: String?
  /// The row's place in the list of its owner, where the inverse is ordered.
  var orderColumn: String?
}

/// How a value lies in a cell.
enum ColumnEncoding: Sendable, Hashable {
  case int, bool, double
  /// Seconds since 2001-01-01 UTC, as integer or real.
  case date
  /// An integer or real where that gives the digits back, else the digits as a blob.
  case decimal
  case text, blob, uuid
  /// A blob behind one byte: 1 when the data follow, 2 when they stand in a file that is named.
  case prefixedBlob
  /// The destination's key.
  case reference
}

/// How a relationship is stored.
enum RelationshipPlace: Sendable {
  /// Not in the file.
  case none
  /// A column of the owner's row, by slot.
  case column(slot: Int)
  /// The destination's rows point back.
  case inverse(destination: EntityID, key: KeyPlace, orderColumn: String?)
  case join(JoinPlace)
}

/// One side of a table of pairs.
struct JoinPlace: Sendable, Hashable {
  var table: String
  /// The columns that hold the owner's key.
  var owner: KeyPlace
  /// The columns that hold the destination's key.
  var member: KeyPlace
  /// The destination's place in the owner's list.
  var orderColumn: String?
  var destination: EntityID
  /// A relationship that is its own inverse keeps each pair in both directions.
  var isReflexive = false
}
