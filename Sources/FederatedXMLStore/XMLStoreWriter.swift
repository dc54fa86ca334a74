internal import FederatedModel
internal import FederatedStore
internal import Foundation
internal import XMLStream

/// Writes a whole store that has no file yet.
struct XMLStoreWriter {
  private let objects: XMLObjectWriter
  private let metadata: StoreMetadata

  init(_ objects: XMLObjectWriter, _ metadata: StoreMetadata) {
    self.objects = objects
    self.metadata = metadata
  }

  func write() throws(StoreError) {
    let writer = self.objects.writer
    writer.raw("<?xml version=\"1.0\" standalone=\"yes\"?>\n")
    writer.raw("<!DOCTYPE database SYSTEM \"file:///System/Library/DTDs/CoreData.dtd\">\n\n<database>\n")
    try XMLStoreInfo.write(self.metadata, highestID: self.objects.table.highestReference, to: writer)
    try self.objects.writeLines(self.objects.table.rowsInFileOrder)
    writer.raw("</database>\n")
  }
}

extension XMLStoreInfo {
  /// Writes a `databaseInfo` element, the white space before it and the line's end included.
  static func write(
    _ metadata: StoreMetadata, highestID: Int64, to writer: XMLByteWriter
  ) throws(StoreError) {
    writer.raw("    <databaseInfo>\n        <version>")
    writer.integer(Int64(self.version))
    writer.raw("</version>\n        <UUID>")
    writer.raw(metadata.uuid.uuidString)
    writer.raw("</UUID>\n        <nextObjectID>")
    writer.integer(highestID)
    writer.raw("</nextObjectID>\n")
    writer.raw("        ")
    try self.writeMetadata(metadata, to: writer)
    writer.raw("\n    </databaseInfo>\n")
  }

  /// Writes the `metadata` element.
  static func writeMetadata(_ metadata: StoreMetadata, to writer: XMLByteWriter) throws(StoreError) {
    let entries = self.propertyList(metadata)
    if entries.isEmpty { return writer.raw("<metadata></metadata>") }
    writer.raw("<metadata>\n            <plist version=\"1.0\">\n")
    do throws(XMLError) { try XMLPropertyListWriter(writer: writer).write(entries, indent: 4) } catch {
      throw StoreError(
        .unstorableValue, store: nil, place: .path("metadata"), underlying: error, error.message)
    }
    writer.raw("            </plist>\n        </metadata>")
  }
}
