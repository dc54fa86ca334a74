internal import FederatedModel
internal import FederatedStore
internal import Foundation

/// What a file keeps besides rows: metadata, and the highest key of each table.
enum Bookkeeping: Sendable {
  /// In tables of the original framework's layout.
  case own(CoreDataBookkeeping)
  /// Nowhere: a file that somebody else made gets no table of this library.
  case mapped(MappedBookkeeping)

  func readMetadata(_ connection: Connection) throws(StoreError) -> StoreMetadata {
    switch self {
    case .own(let tables): try tables.readMetadata(connection)
    case .mapped(let mapped): mapped.metadata
    }
  }

  func write(_ metadata: StoreMetadata, _ connection: Connection) throws(StoreError) {
    if case .own(let tables) = self { try tables.write(metadata, connection) }
  }

  func highestReference(inTable index: Int, _ connection: Connection) throws(StoreError) -> Int64 {
    switch self {
    case .own(let tables): try tables.highestReference(inTable: index, connection)
    case .mapped(let mapped): try mapped.highestReference(inTable: index, connection)
    }
  }

  func raiseHighestReference(inTable index: Int, to reference: Int64, _ connection: Connection)
    throws(StoreError)
  {
    if case .own(let tables) = self {
      try tables.raiseHighestReference(inTable: index, to: reference, connection)
    }
  }

  /// Whether the file has a place for metadata.
  var keepsMetadata: Bool { if case .own = self { true } else { false } }
}

/// What is known of a file that somebody else made without asking it.
struct MappedBookkeeping: Sendable {
  let metadata: StoreMetadata
  let tables: [Table]

  /// The highest number that a row has for its key. A table that numbers its rows for ever (AUTOINCREMENT) also says
  /// which it has given away.
  func highestReference(inTable index: Int, _ connection: Connection) throws(StoreError) -> Int64 {
    let table = self.tables[index]
    let column = table.key.columns[0].quotedName
    let used = try connection.number("SELECT MAX(\(column)) FROM \(table.name.quotedName)") ?? 0
    guard try connection.number("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'") != nil else {
      return used
    }
    let given =
      try connection.number("SELECT seq FROM sqlite_sequence WHERE name = ?", [.text(table.name)]) ?? 0
    return max(used, given)
  }
}
