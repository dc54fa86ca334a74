internal import FederatedModel
internal import FederatedStore
internal import Foundation
internal import XMLStream

/// A document of others as a store, through a mapping.
struct MappedXMLFormat: WholeFileFormat {
  let plan: XMLMappingPlan

  var typeName: String { XMLStoreInfo.typeName }
  var keepsMetadata: Bool { false }

  /// Opens the document of a description through its mapping.
  static func open(
    _ description: PersistentStoreDescription, _ model: ManagedObjectModel
  ) throws(StoreError) -> any PersistentStore {
    guard let mapping = description.mapping as? XMLMapping else {
      throw StoreError(
        .unsupported, store: description.url,
        "an XML store takes an XMLMapping, and the description has another one")
    }
    do {
      let plan = try XMLMappingPlan(mapping, model, configuration: description.configuration)
      if mapping.loading == .streamed { return try StreamedXMLStore(plan, description, model) }
      return try WholeFileStore(MappedXMLFormat(plan: plan), description, model)
    } catch let error as MappingError {
      throw StoreError(
        .cannotOpen, store: description.url, place: error.faults.first.map { .path("mapping.\($0.path)") },
        underlying: error, "the mapping does not fit the model; mend each of these:\n\(error)")
    } catch let error as StoreError {
      throw error
    } catch { throw StoreError(error, url: description.url) }
  }

  func read(_ source: ByteSource, into sink: inout RowSink) throws(StoreError) {
    let receiver = XMLRowReceiver(sink, self.plan, url: source.url)
    let handler = XMLRecordReader(self.plan, receiver, url: source.url)
    let reader = XMLStreamReader(handler, limits: XMLLimits(source.limits), encoding: source.encoding)
    handler.position = { [unowned reader] in reader.position }
    try XMLStoreFormat.feed(source, to: reader)
    sink = receiver.rows
    sink.metadata = try self.readMetadata(source)
    sink.diagnostics =
      XMLMissedRecords(self.plan, handler.counts, root: handler.root).diagnostics
      + MappedXMLFormat.unfitValues(handler.unfitValues, self.plan)
  }

  /// What to say of values that were read as nil.
  static func unfitValues(
    _ found: [[Int]: (count: Int, line: Int)], _ plan: XMLMappingPlan
  ) -> [StoreDiagnostic] {
    found.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { place, found in
      let record = plan.records[place[0]]
      let value = record.values[place[1]]
      return StoreDiagnostic(
        .unfitValues, store: "", entity: record.entity.name, property: value.name,
        place: "\(value.pathText), line \(found.line)", count: found.count,
        "\(found.count == 1 ? "a value does" : "\(found.count) values do") not fit and \(found.count == 1 ? "is" : "are") "
          + "read as nil, as the mapping says")
    }
  }

  func readMetadata(_ source: ByteSource) throws(StoreError) -> StoreMetadata {
    guard let url = source.url else { return StoreMetadata(type: self.typeName) }
    return .foreign(self.typeName, at: url)
  }

  // MARK: Keys

  func keyAttributes(of entity: EntityID) -> [Attribute]? {
    self.plan.recordByEntity[entity.index].map { self.plan.records[$0] }.flatMap { $0.isKeyed ? $0.key : nil }
  }

  // MARK: Writing

  /// Reads what would be written: it must hold what the store holds.
  private func prove(_ bytes: [UInt8], _ table: RowTable, over original: ByteSource) throws(StoreError) {
    let url = original.url
    var sink = RowSink.trial(table.model, store: table.store)
    do throws(StoreError) {
      try self.read(ByteSource(bytes: Data(bytes), limits: original.limits), into: &sink)
    } catch {
      throw StoreError(
        .unstorableValue, store: url, underlying: error,
        "the document could not be read any more after this save, so nothing was written: \(error.detail)")
    }
    guard let difference = table.firstDifference(from: sink.table()) else { return }
    let name = table.model[difference.row.entity].name
    let row = table.name(of: difference.row.reference) ?? String(difference.row.reference)
    throw StoreError(
      .unstorableValue, store: url,
      place: .property(entity: name, reference: difference.row.reference, property: difference.property),
      "\(name) \"\(row)\"\(difference.property.map { ", \($0)" } ?? ""): the document would hold something else after this "
        + "save, so nothing was written; the value has no place of its own there")
  }

  func write(
    _ table: RowTable, metadata: StoreMetadata, changes: ChangeSet, over original: ByteSource?,
    to sink: inout ByteSink
  ) throws(StoreError) {
    guard let original else {
      throw StoreError(
        .missingFile, store: nil,
        "there is no document, and a mapping does not say what stands in one besides its records; begin with a file"
      )
    }
    try XMLSourceEncoding.check(original)
    let document = try original.contents()
    let rewriter = try XMLDocumentRewriter(self.plan, table, changes, url: original.url)
    let outcome: Result<[UInt8], StoreError> = document.withUnsafeBytes { bytes in
      do throws(StoreError) { return .success(try rewriter.rewrite(bytes)) } catch { return .failure(error) }
    }
    let bytes = try outcome.get()
    try self.prove(bytes, table, over: original)
    sink.write(bytes)
  }
}
