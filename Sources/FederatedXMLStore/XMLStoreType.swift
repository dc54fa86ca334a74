internal import FederatedModel
public import FederatedStore

extension StoreType {
  /// One XML file in the layout of the original framework: its files open here, and ours look like its own.
  ///
  /// All rows are read when the store opens. A save writes a new file beside the old and then puts it in its
  /// place; what of the file the save does not change, the new file has byte for byte.
  ///
  /// ```swift
  /// PersistentStoreDescription(.xml, at: folder.appending(path: "contacts.xml"))
  /// ```
  /// With an ``XMLMapping`` in the description, the file is any XML document, and the mapping says where the objects
  /// are. Such a store has no metadata of its own; its identifier is derived from the file's path.
  public static let xml: StoreType = {
    let plain = StoreType(XMLStoreFormat())
    return StoreType(plain.name, readMetadata: plain.readMetadata, destroy: plain.destroy) {
      (description, model) throws(StoreError) in
      guard let mapping = description.mapping else {
        return try WholeFileStore(XMLStoreFormat(), description, model)
      }
      return try MappedXMLFormat.open(mapping, description, model)
    }
  }()
}
