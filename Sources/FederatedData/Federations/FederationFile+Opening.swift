public import FederatedModel
import FederatedModelFiles
public import FederatedStore

extension FederationFile {
  /// Reads the model that the file names.
  public func loadModel() throws -> ManagedObjectModel {
    try ModelFile.load(at: self.model, limits: self.limits)
  }

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
      var description = PersistentStoreDescription(
        try self.type(of: store), at: store.url, name: store.name, configuration: store.configuration,
        readOnly: readOnly || store.isReadOnly)
      description.mapping = store.mapping
      description.limits = store.limits
      description.encoding = store.encoding
      descriptions.append(description)
    }
    return descriptions
  }

  /// The faults of a store's mapping with their places in this file; any other error as it is.
  func placed(_ error: StoreError) -> any Error {
    guard let mapping = error.underlying as? MappingError,
      let store = self.stores.first(where: { $0.url == error.store }), let place = store.mappingPlace
    else { return error }
    guard case .path(let path) = place, let first = mapping.faults.first else { return error }
    func full(_ fault: MappingFault) -> String { fault.path.isEmpty ? path : "\(path).\(fault.path)" }
    // The first fault gives the error its place; the others follow with theirs.
    let others = mapping.faults.dropFirst().map { "\n\(full($0).dropFirst(2)): \($0.message)" }
    return FederationFileError(
      .invalidMapping, file: self.url, place: .path(full(first)), first.message + others.joined())
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
