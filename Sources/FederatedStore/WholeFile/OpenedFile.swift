internal import FederatedModel
package import Foundation

/// What opening a whole-file store found or made.
struct OpenedFile {
  var table: RowTable
  var metadata: StoreMetadata
  var repairs: [InverseRepair] = []
  var diagnostics: [StoreDiagnostic] = []
  /// The metadata that the next save writes, where the model's hashes replace other ones.
  var refreshedMetadata: StoreMetadata?
  var stamp: FileStamp?
  /// What the file held; nil when the format did not read it to the end.
  var digest: ContentDigest?

  init(table: RowTable, metadata: StoreMetadata, stamp: FileStamp?, digest: ContentDigest?) {
    self.table = table
    self.metadata = metadata
    self.stamp = stamp
    self.digest = digest
  }

  init(
    inMemory description: PersistentStoreDescription, _ model: ManagedObjectModel, store: StoreID
  ) throws(StoreError) {
    var contents = RowTableContents(model: model, store: store)
    contents.keepsFileOrder = false
    self.table = RowTable(contents)
    self.metadata = StoreMetadata(
      uuid: description.newStoreIdentifier ?? UUID(), type: description.type.name)
    self.metadata.versionHashes = try ModelCompatibility(model, description).versionHashes
  }

  init(
    _ url: URL, _ format: some WholeFileFormat, _ description: PersistentStoreDescription,
    _ model: ManagedObjectModel, store: StoreID
  ) throws(StoreError) {
    let stamp = FileStamp(url)
    if let stamp, stamp.size > 0 {
      try self.init(reading: url, format, description, model, store: store)
      self.stamp = stamp
      return
    }
    guard !description.isReadOnly else {
      throw stamp == nil
        ? StoreError(.missingFile, store: url, "there is no such file, and a read-only store makes none")
        : StoreError(.cannotOpen, store: url, "the file is empty, and a read-only store fills none")
    }
    try self.init(making: url, format, description, model, store: store)
  }

  /// Reads a file again that was open already.
  /// - Throws: `changedUnderneath` when it is gone.
  init(
    rereading url: URL, _ format: some WholeFileFormat, _ description: PersistentStoreDescription,
    _ model: ManagedObjectModel, store: StoreID
  ) throws(StoreError) {
    guard let stamp = FileStamp(url), stamp.size > 0 else { throw FileLock.changed(url) }
    try self.init(reading: url, format, description, model, store: store)
    self.stamp = stamp
  }

  private init(
    making url: URL, _ format: some WholeFileFormat, _ description: PersistentStoreDescription,
    _ model: ManagedObjectModel, store: StoreID
  ) throws(StoreError) {
    var contents = RowTableContents(model: model, store: store)
    contents.highestReference = format.firstReference - 1
    let table = RowTable(contents)
    var metadata = StoreMetadata(
      uuid: description.newStoreIdentifier ?? UUID(), type: format.typeName)
    try ModelCompatibility(model, description).stamp(&metadata)
    let file = try AtomicFileWrite(replacing: url) { (sink) throws(StoreError) in
      try format.write(table, metadata: metadata, changes: ChangeSet(), over: nil, to: &sink)
    }
    try file.commit()
    self.table = table
    self.metadata = metadata
    self.stamp = FileStamp(url)
    self.digest = file.content.digest
  }

  private init(
    reading url: URL, _ format: some WholeFileFormat, _ description: PersistentStoreDescription,
    _ model: ManagedObjectModel, store: StoreID
  ) throws(StoreError) {
    let compatibility = try ModelCompatibility(model, description)
    var sink = RowSink(model: model, store: store)
    sink.rowLimit = description.limits.rows
    let digest = DigestBox()
    try format.read(ByteSource(file: url, description, digest: digest), into: &sink)
    self.digest = digest.digest
    var metadata = sink.metadata ?? StoreMetadata(type: format.typeName)
    metadata.type = format.typeName
    if !compatibility.accepts(metadata) {
      guard description.ignoresModelVersion else { throw compatibility.error(for: metadata, in: url) }
      self.refreshedMetadata = metadata
      compatibility.stamp(&self.refreshedMetadata!)
    }
    self.diagnostics = sink.diagnostics.map { diagnostic in
      var diagnostic = diagnostic
      diagnostic.store = description.name
      return diagnostic
    }
    let read = sink.finish()
    self.table = read.table
    self.repairs = read.repairs
    self.metadata = metadata
  }
}

extension StoreError {
  /// The same error with the store's file, if it does not name one.
  package func located(in url: URL?) -> StoreError {
    if self.store != nil || url == nil { return self }
    return StoreError(
      self.code, store: url, place: self.place, rows: self.rows, duplicates: self.duplicates,
      underlying: self.underlying, self.detail)
  }
}
