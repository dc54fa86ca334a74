package import FederatedModel

extension StoreType {
  /// A store in memory, gone when it is closed.
  public static let inMemory = StoreType("InMemory") { (description, model) throws(StoreError) in
    try WholeFileStore(inMemory: description, model)
  }

  /// The store type of a whole-file format.
  /// - Parameter mapped: opens a file made by others through the mapping of its description; nil where the type takes
  ///   none.
  package init(
    _ format: some WholeFileFormat,
    mapped:
      (@Sendable (PersistentStoreDescription, ManagedObjectModel) throws(StoreError) -> any PersistentStore)?
  ) {
    self.init(
      format.typeName,
      readMetadata: { (url) throws(StoreError) in
        var metadata = try format.readMetadata(ByteSource(file: url))
        metadata.type = format.typeName
        return metadata
      },
      destroy: { (url) throws(StoreError) in try WholeFileStore.destroy(url) },
      writeMetadata: { (metadata, url) throws(StoreError) in
        try WholeFileStore.write(metadata, at: url, format)
      },
      replace: { (url, source) throws(StoreError) in try WholeFileStore.replace(url, by: source, format) },
      open: { (description, model) throws(StoreError) in
        if description.mapping == nil { return try WholeFileStore(format, description, model) }
        if let mapped { return try mapped(description, model) }
        throw StoreError(
          .unsupported, store: description.url, "\(format.typeName) stores take no mapping; leave it out")
      })
  }

  /// The store type of a whole-file format.
  public init(_ format: some WholeFileFormat) { self.init(format, mapped: nil) }
}
