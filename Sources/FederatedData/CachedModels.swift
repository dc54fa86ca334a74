public import FederatedModel
public import FederatedModelFiles
import FederatedSQLiteStore
import FederatedStore
public import Foundation

extension ModelFile {
  /// Reads the copy of its model that a Core Data SQLite store keeps, fetched properties included.
  ///
  /// ```swift
  /// let model = try ModelFile.load(cachedIn: URL(filePath: "Library.sqlite"))
  /// ```
  /// The file is only read. Stores that were made here, by re-implementations, or before about 2012 have no copy.
  /// - Parameters:
  ///   - store: the SQLite file.
  ///   - codecs: by the name of the value transformer that the copy gives.
  ///   - limits: how much the copy may hold when it is unpacked.
  /// - Throws: ``ModelFileError`` with `noModelCache` where there is no copy, with `foreignModelCache` where the copy
  ///   lacks an entity that the store holds; a ``StoreError`` when the file is no such store.
  public static func load(
    cachedIn store: URL, codecs: [TransformableCodec] = [], limits: ReadingLimits = .standard
  ) throws -> ManagedObjectModel {
    let cache = try SQLiteModelCache(of: store)
    return try self.load(
      cache: cache.content, in: store, holding: cache.entities, codecs: codecs, limits: limits)
  }
}

/// The models that stores keep copies of, made one, and what each store holds of it.
struct CachedModels {
  let model: ManagedObjectModel
  let stores: [PersistentStoreDescription]

  /// - Throws: ``ModelFileError`` with `noModelCache` when no copy has the entities of a store.
  init(_ stores: [PersistentStoreDescription], codecs: [TransformableCodec]) throws {
    var models: [ManagedObjectModel] = []
    var held: [[String]] = []
    for store in stores {
      guard let url = store.url, let readMetadata = store.type.readMetadata else {
        throw ModelFileError(
          .noModelCache, file: store.url ?? URL(filePath: store.name),
          "A store of type \(store.type) keeps no copy of its model. Name its model.")
      }
      if store.type.name == StoreType.sqlite.name {
        let cache = try SQLiteModelCache(of: url)
        models.append(
          try ModelFile.load(
            cache: cache.content, in: url, holding: cache.entities, codecs: codecs, limits: store.limits))
        held.append(cache.entities)
      } else {
        held.append(try readMetadata(url).versionHashes.keys.sorted())
      }
    }
    let merged = try models.count == 1 ? models[0] : ManagedObjectModel(merging: models)
    var draft = merged.draft
    var descriptions = stores
    for place in stores.indices where stores[place].configuration == nil {
      let names = held[place]
      let unknown = names.filter { merged.entity(named: $0) == nil }
      guard unknown.isEmpty, !names.isEmpty else {
        throw ModelFileError(
          .noModelCache, file: stores[place].url ?? URL(filePath: stores[place].name),
          names.isEmpty
            ? "The store does not say which entities it holds. Name its model."
            : "The store holds \(unknown.joined(separator: ", ")), of which no store here keeps the model. Name its model."
        )
      }
      // A store holds its own entities only, whatever the others bring.
      if names.count == merged.entities.count { continue }
      let name = Self.name(for: stores[place], among: draft.configurations)
      draft.configurations.append(ModelConfiguration(name, entities: names))
      descriptions[place].configuration = name
    }
    self.model = try ManagedObjectModel(draft, deferringQuestions: true)
    self.stores = descriptions
  }

  private static func name(
    for store: PersistentStoreDescription, among others: [ModelConfiguration]
  ) -> String {
    var name = store.name
    while others.contains(where: { $0.name == name }) { name += "'" }
    return name
  }
}
