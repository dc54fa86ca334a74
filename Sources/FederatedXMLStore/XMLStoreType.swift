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
  public static let xml = StoreType(
    XMLStoreFormat(),
    mapped: { (description, model) throws(StoreError) in try MappedXMLFormat.open(description, model) })
}
