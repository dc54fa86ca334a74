internal import FederatedModel
internal import FederatedStore
internal import Foundation
internal import XMLStream

/// The original framework's XML layout, both ways.
struct XMLStoreFormat: WholeFileFormat {
  var typeName: String { XMLStoreInfo.typeName }

  /// The first object that the original framework ever makes in a store is `z102`.
  var firstReference: Int64 { 102 }

  func read(_ source: ByteSource, into sink: inout RowSink) throws(StoreError) {
    let handler = XMLStoreReader(sink, XMLStoreNames(sink.model), url: source.url)
    let reader = XMLStreamReader(handler, limits: XMLLimits(source.limits), encoding: source.encoding)
    handler.position = { [unowned reader] in reader.position }
    try XMLStoreFormat.feed(source, to: reader)
    sink = handler.rows
  }

  func readMetadata(_ source: ByteSource) throws(StoreError) -> StoreMetadata {
    let handler = XMLStoreInfoReader()
    let reader = XMLStreamReader(handler, limits: XMLLimits(source.limits), encoding: source.encoding)
    do {
      try XMLStoreFormat.feed(source, to: reader)
    } catch {
      // The reader stops at the first object; what it has by then is what was asked for.
      guard handler.isDone else { throw error }
    }
    return handler.metadata ?? StoreMetadata(type: self.typeName)
  }

  /// Gives a document to a reader and turns what it throws into errors of a store.
  static func feed(_ source: ByteSource, to reader: XMLStreamReader) throws(StoreError) {
    if try source.prefix(16) == Array("SQLite format 3\0".utf8) {
      throw StoreError(
        .typeMismatch, store: source.url, "the file is a SQLite database, not XML; open it as type SQLite")
    }
    try source.read { (chunk) throws(StoreError) in
      do { try reader.parse(chunk) } catch { throw StoreError(error, url: source.url) }
      return true
    }
    do { try reader.finish() } catch { throw StoreError(error, url: source.url) }
  }

  func write(
    _ table: RowTable, metadata: StoreMetadata, changes: ChangeSet, over original: ByteSource?,
    to sink: inout ByteSink
  ) throws(StoreError) {
    let output = XMLStoreOutput(sink)
    let writer = XMLByteWriter { output.write($0) }
    let objects = XMLObjectWriter(table, XMLStoreNames(table.model), writer)
    if let original {
      try XMLStoreRewriter(objects, changes, metadata, output, url: original.url).rewrite(original)
    } else {
      try XMLStoreWriter(objects, metadata).write()
    }
    do { try writer.flush() } catch { throw StoreError(error, url: original?.url) }
    sink = output.sink
  }

  /// With nothing to change, every object is copied as it stands, whatever model it is of.
  func writeMetadata(
    _ metadata: StoreMetadata, over original: ByteSource, to sink: inout ByteSink
  ) throws(StoreError) {
    _ = try self.readMetadata(original)
    try self.write(
      try RowTable.empty(), metadata: metadata, changes: ChangeSet(), over: original, to: &sink)
  }

  func referenceText(_ reference: Int64, name: String?) -> String {
    guard let name else { return String(reference) }
    // A name that looks like a number must not be taken for one.
    return self.reference(fromText: name) == nil ? name : "id:\(name)"
  }

  /// `102`, or `z102` as other writers have it.
  func reference(fromText text: String) -> Int64? {
    if let number = ReferenceNames.number(text) { return number }
    return text.hasPrefix("z") ? ReferenceNames.number(text.dropFirst()) : nil
  }
}

/// Holds the sink while a writer fills it.
final class XMLStoreOutput {
  private(set) var sink: ByteSink
  init(_ sink: ByteSink) { self.sink = sink }
  func write(_ bytes: UnsafeRawBufferPointer) { self.sink.write(bytes: bytes) }
}

extension StoreError {
  /// What reading or writing XML threw, as an error of the store.
  init(_ error: any Error, url: URL?) {
    switch error {
    case let error as StoreError: self = error
    case let error as XMLError:
      let code: Code =
        switch error.code {
        case .malformed, .content: .malformed
        case .refused: .refusedContent
        case .character: .unstorableValue
        case .inputOutput: .inputOutput
        }
      let place: Place? =
        error.position == .none ? nil : .text(line: error.position.line, column: error.position.column)
      self.init(code, store: url, place: place, underlying: error, error.message)
    default: self.init(.inputOutput, store: url, underlying: error, "\(error)")
    }
  }
}

/// Takes the `databaseInfo` of a store and stops at the first object.
private final class XMLStoreInfoReader: XMLStreamHandler {
  private(set) var metadata: StoreMetadata?
  private(set) var isDone = false
  private var depth = 0
  private var tree: XMLTreeHandler?

  func elementStarts(_ element: XMLElementStart) throws {
    self.depth += 1
    if self.depth == 1, !element.name.matches("database") {
      throw XMLRefusal("the root is \(element.name.string), not database: the file is no store of this kind")
    }
    if self.depth == 2 {
      guard element.name.matches("databaseInfo") else {
        self.isDone = true
        throw XMLRefusal("enough")
      }
      self.tree = XMLTreeHandler()
    }
    try self.tree?.elementStarts(element)
  }

  func elementEnds(_ name: XMLName) throws {
    try self.tree?.elementEnds(name)
    self.depth -= 1
    if self.depth == 1, let root = self.tree?.root {
      self.metadata = try XMLStoreInfo(root).metadata
      self.isDone = true
      throw XMLRefusal("enough")
    }
  }

  func characters(_ bytes: UnsafeRawBufferPointer) throws { try self.tree?.characters(bytes) }
}
