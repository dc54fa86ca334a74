public import Foundation

extension StoreType {
  /// Replaces a store's metadata without opening the store.
  ///
  /// The file is written at once. A store of it that is attached somewhere knows nothing of it until it is attached
  /// again. With an identifier of its own the store becomes another one for everybody who knew it.
  ///
  /// ```swift
  /// var metadata = try StoreType.xml.metadata(ofStoreAt: file)
  /// metadata.entries["importedBy"] = .string("nightly")
  /// try StoreType.xml.setMetadata(metadata, ofStoreAt: file)
  /// ```
  /// - Parameter metadata: all of it; the type stays the store's own.
  /// - Throws: `unsupported` when stores of this type cannot, `recoveryPending` while a save over several stores waits
  ///   for this one, `missingFile`, `typeMismatch`, `malformed`, or why the file cannot be written.
  public func setMetadata(_ metadata: StoreMetadata, ofStoreAt url: URL) throws(StoreError) {
    guard let write = self.writeMetadata else { throw self.unsupported("have their metadata set", url) }
    try StoreType.checkNothingIsPending(url)
    try write(metadata, url)
  }

  /// Reads a store's metadata without opening the store.
  public func metadata(ofStoreAt url: URL) throws(StoreError) -> StoreMetadata {
    guard let read = self.readMetadata else { throw self.unsupported("have their metadata read", url) }
    return try read(url)
  }

  /// Makes the store at one place what the store at another one is, identifier included.
  ///
  /// Where no file is, one is made. Saves of others wait meanwhile, and what they have saved is copied, whatever file
  /// it lies in.
  /// - Throws: `unsupported` when stores of this type cannot, `recoveryPending` while a save over several stores waits
  ///   for one of the two, `missingFile` for the source, `typeMismatch` when either is no store of this type, or why
  ///   the file cannot be written. The store is then as before.
  public func replaceStore(at url: URL, from source: URL) throws(StoreError) {
    guard let replace = self.replace else { throw self.unsupported("be replaced", url) }
    for file in [url, source] { try StoreType.checkNothingIsPending(file) }
    guard FileStamp(source) != nil else {
      throw StoreError(.missingFile, store: source, "there is no such file to copy")
    }
    try replace(url, source)
  }

  private func unsupported(_ what: String, _ url: URL) -> StoreError {
    StoreError(.unsupported, store: url, "stores of type \(self.name) cannot \(what) without being opened")
  }

  /// A store that goes or becomes another one takes its part of a pending save with it, and the others would wait for
  /// it for ever.
  static func checkNothingIsPending(_ url: URL) throws(StoreError) {
    let files = SideFiles(of: url)
    guard let entry = try JournalPointer(beside: files).entries.first(where: { !$0.isDone }),
      entry.foundJournal(from: files) != nil
    else { return }
    throw StoreError(
      .recoveryPending, store: url, place: .path(entry.journal),
      "a save over several stores waits to be finished in this store; open it once, or run federate recover, and "
        + "repeat this then")
  }
}
