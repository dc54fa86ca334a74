internal import FederatedModel
internal import FederatedStore
internal import Foundation
internal import XMLStream

/// One reading of a streamed document, from its begin to its end or to where the question is answered.
struct XMLPass {
  let store: StreamedXMLStore
  /// The file as the scope found it.
  let stamp: FileStamp
  let projection: XMLProjection
  let plan: XMLMappingPlan
  let identities: XMLRecordIdentities

  init(_ store: StreamedXMLStore, _ stamp: FileStamp, _ projection: XMLProjection) {
    self.store = store
    self.stamp = stamp
    self.projection = projection
    self.plan = store.plan.projecting(projection)
    self.identities = XMLRecordIdentities(self.plan, store.names, url: store.file)
  }

  var collector: XMLRowCollector { XMLRowCollector(self.plan, self.store.names, url: self.store.file) }

  /// Hands over the rows in batches.
  /// - Parameter consume: takes a batch and answers whether to go on.
  /// - Returns: how many rows were looked at.
  /// - Throws: what is wrong with the document, what `consume` throws, and `changedUnderneath`.
  func run(_ consume: @escaping (XMLScanBatch) throws -> Bool) throws -> Int {
    let receiver = XMLScanReceiver(
      self.plan, self.projection, self.identities, url: self.store.file, consume)
    let handler = XMLRecordReader(self.plan, receiver, url: self.store.file)
    do throws(StoreError) {
      try self.read(handler)
    } catch {
      if let failure = receiver.failure { throw failure }
      guard receiver.hasStopped else { throw error }
      return receiver.rowsRead
    }
    do { try receiver.finish() } catch is XMLScanEnd {
      if let failure = receiver.failure { throw failure }
    }
    self.notice(handler)
    return receiver.rowsRead
  }

  /// Reads every record into a table, for questions that go from row to row.
  func table() throws(StoreError) -> RowTable {
    let receiver = XMLRowReceiver(
      RowSink.trial(self.store.model, store: self.store.id), self.plan, url: self.store.file)
    let handler = XMLRecordReader(self.plan, receiver, url: self.store.file)
    try self.read(handler)
    self.notice(handler)
    return receiver.rows.table()
  }

  private func read(_ handler: XMLRecordReader<some XMLRecordReceiver>) throws(StoreError) {
    try self.checkUnchanged()
    let source = self.store.source
    let reader = XMLStreamReader(handler, limits: XMLLimits(source.limits), encoding: source.encoding)
    handler.position = { [unowned reader] in reader.position }
    let outcome: Result<Void, StoreError>
    do throws(StoreError) {
      try XMLStoreFormat.feed(source, to: reader)
      outcome = .success(())
    } catch { outcome = .failure(error) }
    // A file that is written while it is read may look damaged.
    try self.checkUnchanged()
    try outcome.get()
  }

  private func checkUnchanged() throws(StoreError) {
    if FileStamp(self.store.file) == self.stamp { return }
    throw StoreError(
      .changedUnderneath, store: self.store.file,
      "the file was changed while it was read, and a streamed document is read anew for each question; ask again"
    )
  }

  /// Keeps what a whole pass says of the records that were asked for.
  private func notice(_ handler: XMLRecordReader<some XMLRecordReceiver>) {
    let missed = XMLMissedRecords(self.plan, handler.counts, root: handler.root).diagnostics
    let unfit = MappedXMLFormat.unfitValues(handler.unfitValues, self.plan)
    for record in self.plan.records where self.projection.answered.contains(record.entity.id) {
      let name = record.entity.name
      self.store.notice((missed + unfit).filter { $0.entity == name }, of: name)
    }
  }
}
