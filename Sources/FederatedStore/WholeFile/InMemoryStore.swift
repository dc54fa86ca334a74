extension StoreType {
  /// A store in memory, gone when it is closed.
  public static let inMemory = StoreType("InMemory") { (description, model) throws(StoreError) in
    try WholeFileStore(inMemory: description, model)
  }

  /// The store type of a whole-file format.
  public init(_ format: some WholeFileFormat) {
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
      open: { (description, model) throws(StoreError) in try WholeFileStore(format, description, model) })
  }
}
