public import Foundation

/// What a store says of itself: identifier, type, the version hashes of its entities, and free entries.
public struct StoreMetadata: Sendable, Hashable, Codable {
  public var uuid: UUID
  public var type: String
  /// 32 bytes for each entity, by name.
  public var versionHashes: [String: Data]
  /// All other entries of the store's property list; unknown ones survive a rewrite.
  public var entries: [String: MetadataValue]

  public init(
    uuid: UUID = UUID(), type: String, versionHashes: [String: Data] = [:],
    entries: [String: MetadataValue] = [:]
  ) {
    self.uuid = uuid
    self.type = type
    self.versionHashes = versionHashes
    self.entries = entries
  }
}

/// A property-list value that crosses threads.
public indirect enum MetadataValue: Sendable, Hashable, Codable {
  case string(String)
  case int(Int64)
  case double(Double)
  case bool(Bool)
  case date(Date)
  case data(Data)
  case array([MetadataValue])
  case dictionary([String: MetadataValue])
}
