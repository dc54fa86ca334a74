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
  public static let xml = StoreType(XMLStoreFormat())
}
