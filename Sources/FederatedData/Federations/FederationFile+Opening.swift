public import FederatedModel
import FederatedModelFiles
public import FederatedStore

extension FederationFile {
  /// Reads the model that the file names.
  public func loadModel() throws -> ManagedObjectModel { try ModelFile.load(at: self.model) }

  /// The stores as descriptions, with types told from content where the file says `auto`.
  /// - Parameters:
  ///   - model: what the stores hold; configurations are checked against it.
  ///   - readOnly: opens every store for reading only, whatever the file says.
  /// - Throws: ``FederationFileError`` for a configuration that the model lacks, or a file whose type cannot be told.
  public func storeDescriptions(
    for model: ManagedObjectModel, readOnly: Bool = false
  ) throws(FederationFileError) -> [PersistentStoreDescription] {
    var descriptions: [PersistentStoreDescription] = []
    for store in self.stores {
      try self.checkConfiguration(of: store, in: model)
      descriptions.append(
        PersistentStoreDescription(
          try self.type(of: store), at: store.url, name: store.name, configuration: store.configuration,
          readOnly: readOnly || store.isReadOnly))
    }
    return descriptions
  }

  func checkConfiguration(
    of store: Store, in model: ManagedObjectModel
  ) throws(FederationFileError) {
    guard model.entities(forConfiguration: store.configuration) == nil, let name = store.configuration else {
      return
    }
    let names = model.configurations.map(\.name)
    throw FederationFileError(
      .unknownConfiguration, file: self.url, place: store.configurationPlace,
      "the model has no configuration '\(name)'\(NearestName.suggestion(for: name, among: names)); "
        + (names.isEmpty ? "it has none: leave the key out" : "it has \(names.joined(separator: ", "))"))
  }

  private func type(of store: Store) throws(FederationFileError) -> StoreType {
    do { return try BuiltInStoreTypes.type(named: store.type, forFileAt: store.url) } catch {
      throw FederationFileError(.unrecognisedContent, file: self.url, place: store.typePlace, "\(error)")
    }
  }
}
