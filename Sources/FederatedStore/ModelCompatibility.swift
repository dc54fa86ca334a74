public import FederatedModel
public import Foundation

/// Whether a store's metadata and a model belong together.
///
/// Hashes are compared one by one when this library wrote them, which ``markerKey`` tells. Those of other
/// programs cannot be computed here, so such a store is accepted when it knows every entity that is asked of
/// it by name. With a named configuration, that configuration's entities count and no others.
public struct ModelCompatibility: Sendable {
  private let entities: [Entity]
  private let configuration: String?
  private let identifiers: [String]

  /// The metadata entry that says how the version hashes were computed.
  public static let markerKey = "FederatedDataVersionHashes"
  /// The way in which this version computes them.
  private static let marker = MetadataValue.int(1)

  /// - Throws: `cannotOpen` when the model has no configuration of that name.
  public init(_ model: ManagedObjectModel, _ description: PersistentStoreDescription) throws(StoreError) {
    guard let entities = model.entities(forConfiguration: description.configuration) else {
      let known = model.configurations.map(\.name).sorted().joined(separator: ", ")
      throw StoreError(
        .cannotOpen, store: description.url,
        "the model has no configuration \(description.configuration ?? "nil"); it has: \(known)")
    }
    self.entities = entities
    self.configuration = description.configuration
    self.identifiers = model.versionIdentifiers
  }

  /// The version hash of every entity that the store holds, by name.
  public var versionHashes: [String: Data] {
    Dictionary(self.entities.map { ($0.name, $0.versionHash) }, uniquingKeysWith: { first, _ in first })
  }

  /// Writes the model's hashes into metadata, with the mark of this library, over whatever stands there.
  public func stamp(_ metadata: inout StoreMetadata) {
    metadata.versionHashes = self.versionHashes
    metadata.entries[ModelCompatibility.markerKey] = ModelCompatibility.marker
    metadata.entries["NSStoreModelVersionHashesVersion"] = .int(3)
    metadata.entries["NSStoreModelVersionIdentifiers"] = .array(self.identifiers.map { .string($0) })
    // Digests of the hashes that were there before.
    metadata.entries["NSStoreModelVersionHashesDigest"] = nil
    metadata.entries["NSStoreModelVersionChecksumKey"] = nil
  }

  /// Whether a store can be opened. One without any hashes, as old files are, can.
  public func accepts(_ metadata: StoreMetadata) -> Bool {
    metadata.versionHashes.isEmpty || self.isCompatible(metadata)
  }

  /// Whether the metadata's hashes are those of the model. Metadata without hashes is compatible with none.
  public func isCompatible(_ metadata: StoreMetadata) -> Bool {
    !metadata.versionHashes.isEmpty && self.differences(metadata).isEmpty
  }

  /// The refusal of a store, with every entity that differs.
  public func error(for metadata: StoreMetadata, in url: URL?) -> StoreError {
    let differences = self.differences(metadata).joined(separator: ", ")
    return StoreError(
      .incompatibleModel, store: url,
      "the store was saved with another version of the model (\(differences)); open it with the model that it "
        + "was saved with, or for the configuration that it holds")
  }

  private func differences(_ metadata: StoreMetadata) -> [String] {
    let isOurs = metadata.entries[ModelCompatibility.markerKey] == ModelCompatibility.marker
    var differences: [String] = []
    for entity in self.entities {
      guard let hash = metadata.versionHashes[entity.name] else {
        differences.append("\(entity.name) is new")
        continue
      }
      if isOurs, hash != entity.versionHash { differences.append("\(entity.name) differs") }
    }
    if isOurs, self.configuration == nil {
      let known = Set(self.entities.map(\.name))
      let gone = metadata.versionHashes.keys.filter { !known.contains($0) }.sorted()
      differences += gone.map { "\($0) is gone" }
    }
    return differences
  }
}
