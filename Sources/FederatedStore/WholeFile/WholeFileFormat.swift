public import FederatedModel

/// How one kind of file holds rows: all of them are read when the store opens, and written at every save.
///
/// Conform to it and ``WholeFileStore`` makes a complete store of the format.
///
/// ```swift
/// extension StoreType {
///   public static let csv = StoreType(CSVFormat())
/// }
/// ```
public protocol WholeFileFormat: Sendable {
  /// The name of the store type, as it stands in metadata and messages.
  var typeName: String { get }
  /// The number that the first row of a new store gets.
  var firstReference: Int64 { get }

  /// Reads every row and the metadata.
  ///
  /// Not called for an empty file: that is a new store.
  /// - Throws: `malformed` or `refusedContent` with the place in the text.
  func read(_ source: ByteSource, into sink: inout RowSink) throws(StoreError)

  /// Reads the metadata alone, without a model.
  func readMetadata(_ source: ByteSource) throws(StoreError) -> StoreMetadata

  /// Writes every row and the metadata.
  /// - Parameters:
  ///   - table: the rows as they are after the save, in file order.
  ///   - changes: what of them the save changed.
  ///   - original: the file that the new one replaces; nil for a new store.
  func write(
    _ table: RowTable, metadata: StoreMetadata, changes: ChangeSet, over original: ByteSource?,
    to sink: inout ByteSink
  ) throws(StoreError)

  /// Writes a file again with other metadata and every row as it stands there, without a model.
  ///
  /// A format that cannot throws `unsupported`, as it does unless it says otherwise.
  func writeMetadata(
    _ metadata: StoreMetadata, over original: ByteSource, to sink: inout ByteSink
  ) throws(StoreError)
  /// Whether the file has a place for the store's metadata. Without one they cannot be changed.
  var keepsMetadata: Bool { get }
  /// The attributes whose values name a row of the entity; nil where numbers do.
  func keyAttributes(of entity: EntityID) -> [Attribute]?

  /// How a reference stands in a URI, behind the `p`.
  func referenceText(_ reference: Int64, name: String?) -> String
  /// The reference that a URI's text names; nil when it is an opaque name or no name at all.
  func reference(fromText text: String) -> Int64?
}

extension WholeFileFormat {
  public var firstReference: Int64 { 1 }
  public func writeMetadata(
    _ metadata: StoreMetadata, over original: ByteSource, to sink: inout ByteSink
  ) throws(StoreError) {
    throw StoreError(
      .unsupported, store: original.url,
      "\(self.typeName) files are written as a whole; attach the store, set its metadata there and save")
  }
  public var keepsMetadata: Bool { true }
  public func keyAttributes(of entity: EntityID) -> [Attribute]? { nil }
  public func referenceText(_ reference: Int64, name: String?) -> String { name ?? String(reference) }
  public func reference(fromText text: String) -> Int64? { ReferenceNames.number(text) }
}
