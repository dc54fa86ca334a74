internal import FederatedModel
internal import FederatedStore
internal import Foundation

/// The row that says what a store is: its identifier, and a property list of everything else.
enum MetadataTable {
  private static let hashesKey = "NSStoreModelVersionHashes"
  private static let typeKey = "NSStoreType"

  static func read(_ connection: Connection) throws(StoreError) -> StoreMetadata {
    var metadata: StoreMetadata?
    try connection.query(
      "SELECT Z_UUID, Z_PLIST FROM \(CoreDataNames.metadataTable.quotedName) ORDER BY Z_VERSION"
    ) { (row) throws(StoreError) in
      guard metadata == nil else { return }
      guard let uuid = row.string(0).flatMap(UUID.init(uuidString:)) else {
        throw StoreError(
          .malformed, store: connection.file,
          place: .cell(table: CoreDataNames.metadataTable, row: 1, column: "Z_UUID"),
          "the store has no identifier")
      }
      var read = StoreMetadata(uuid: uuid, type: StoreTypeName.sqlite)
      // Some files have no property list.
      if let bytes = row.data(1), !bytes.isEmpty { try self.fill(&read, from: bytes, file: connection.file) }
      metadata = read
    }
    guard let metadata else {
      throw StoreError(
        .malformed, store: connection.file,
        place: .cell(table: CoreDataNames.metadataTable, row: nil, column: nil),
        "the store's metadata row is missing")
    }
    return metadata
  }

  static func write(_ metadata: StoreMetadata, _ connection: Connection) throws(StoreError) {
    let bytes = try self.propertyList(of: metadata, file: connection.file)
    let changed = try connection.run(
      "UPDATE \(CoreDataNames.metadataTable.quotedName) SET Z_UUID = ?, Z_PLIST = ?",
      [.text(metadata.uuid.uuidString), .blob(bytes)])
    if changed == 0 {
      try connection.run(
        "INSERT INTO \(CoreDataNames.metadataTable.quotedName) (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?, ?)",
        [.text(metadata.uuid.uuidString), .blob(bytes)])
    }
  }

  private static func fill(_ metadata: inout StoreMetadata, from bytes: Data, file: URL) throws(StoreError) {
    let place = StoreError.Place.cell(table: CoreDataNames.metadataTable, row: 1, column: "Z_PLIST")
    let list: Any
    do {
      list = try PropertyListGuard.propertyList(from: bytes)
    } catch {
      throw StoreError(
        .malformed, store: file, place: place, underlying: error, "the metadata is no property list")
    }
    guard case .dictionary(var entries)? = MetadataValue(propertyList: list) else {
      throw StoreError(.malformed, store: file, place: place, "the metadata is no dictionary")
    }
    if case .string(let type)? = entries.removeValue(forKey: self.typeKey) { metadata.type = type }
    if case .dictionary(let hashes)? = entries.removeValue(forKey: self.hashesKey) {
      for (entity, hash) in hashes {
        if case .data(let hash) = hash { metadata.versionHashes[entity] = hash }
      }
    }
    metadata.entries = entries
  }

  private static func propertyList(of metadata: StoreMetadata, file: URL) throws(StoreError) -> Data {
    var entries = metadata.entries
    entries[self.typeKey] = .string(metadata.type)
    if !metadata.versionHashes.isEmpty {
      entries[self.hashesKey] = .dictionary(metadata.versionHashes.mapValues { .data($0) })
    }
    do {
      return try PropertyListSerialization.data(
        fromPropertyList: MetadataValue.dictionary(entries).propertyList, format: .binary, options: 0)
    } catch {
      throw StoreError(.unstorableValue, store: file, underlying: error, "the metadata cannot be written")
    }
  }
}

/// The name that files and metadata give to this type of store.
enum StoreTypeName {
  static let sqlite = "SQLite"
}

extension MetadataValue {
  /// - Returns: nil for what no property list holds.
  fileprivate init?(propertyList: Any) {
    switch propertyList {
    case let value as Bool where type(of: propertyList) == Bool.self: self = .bool(value)
    case let value as String: self = .string(value)
    case let value as Data: self = .data(value)
    case let value as Date: self = .date(value)
    case let value as NSNumber: self = MetadataValue(number: value)
    case let value as [Any]: self = .array(value.compactMap(MetadataValue.init(propertyList:)))
    case let value as [String: Any]:
      self = .dictionary(value.compactMapValues(MetadataValue.init(propertyList:)))
    default: return nil
    }
  }

  private init(number: NSNumber) {
    let type = unsafe String(cString: number.objCType)
    if type == "d" || type == "f" {
      self = .double(number.doubleValue)
    } else {
      self = .int(number.int64Value)
    }
  }

  fileprivate var propertyList: Any {
    switch self {
    case .string(let value): value
    case .int(let value): value
    case .double(let value): value
    case .bool(let value): value
    case .date(let value): value
    case .data(let value): value
    case .array(let values): values.map(\.propertyList)
    case .dictionary(let values): values.mapValues(\.propertyList)
    }
  }
}
