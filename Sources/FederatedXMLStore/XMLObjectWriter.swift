internal import FederatedModel
internal import FederatedStore
internal import Foundation
internal import XMLStream

/// Writes objects of a table as `object` elements.
final class XMLObjectWriter {
  let table: RowTable
  let names: XMLStoreNames
  let writer: XMLByteWriter

  init(_ table: RowTable, _ names: XMLStoreNames, _ writer: XMLByteWriter) {
    self.table = table
    self.names = names
    self.writer = writer
  }

  /// Writes an object whole: attributes that are not nil, then every relationship, in the order of the model.
  /// White space around it is the caller's.
  func write(_ row: Snapshot) throws(StoreError) {
    let entity = self.names.entities[row.entity.index]
    self.writer.raw("<object type=\"")
    self.raw(entity.name)
    self.writer.raw("\" id=\"")
    try self.writeName(row.reference)
    self.writer.raw("\">\n")
    for property in entity.properties {
      if case .attribute(let slot, _, _) = property.kind, row.isNull(slot) { continue }
      self.writer.raw("        ")
      try self.write(property, of: row)
      self.writer.byte(UInt8(ascii: "\n"))
    }
    self.writer.raw("    </object>")
  }

  /// Writes objects, each on lines of its own.
  func writeLines(_ rows: some Sequence<Snapshot>) throws(StoreError) {
    for row in rows {
      self.writer.raw("    ")
      try self.write(row)
      self.writer.byte(UInt8(ascii: "\n"))
    }
  }

  /// Writes the element of one property. An attribute that is nil has none.
  func write(_ property: XMLPropertyName, of row: Snapshot) throws(StoreError) {
    self.raw(property.startTag)
    switch property.kind {
    case .attribute(let slot, let kind, let attribute):
      try self.writeValue(of: row, slot, kind, attribute)
      self.writer.raw("</attribute>")
    case .toOne, .toMany:
      try self.writeReferences(of: row, property)
      self.writer.raw("></relationship>")
    }
  }

  /// Writes the text of an attribute that is not nil.
  func writeValue(of row: Snapshot, _ slot: Int, _ kind: SlotKind, _ attribute: Attribute) throws(StoreError)
  {
    do throws(XMLError) { try XMLValueWriter.write(row, slot, as: kind, to: self.writer) } catch {
      let place = StoreError.Place.property(
        entity: self.table.model[row.entity].name, reference: row.reference, property: attribute.name)
      throw StoreError(.unstorableValue, store: nil, place: place, underlying: error, error.message)
    }
  }

  /// Writes ` idrefs="…"`, or nothing when there are none.
  func writeReferences(of row: Snapshot, _ property: XMLPropertyName) throws(StoreError) {
    switch property.kind {
    case .attribute: break
    case .toOne(let slot, _):
      guard let destination = row.destination(slot) else { return }
      self.writer.raw(" idrefs=\"")
      try self.writeName(destination.reference)
      self.writer.byte(UInt8(ascii: "\""))
    case .toMany(let relationship):
      let destinations = self.table.related(relationship, of: row.reference)
      if destinations.isEmpty { return }
      self.writer.raw(" idrefs=\"")
      var isFirst = true
      for destination in destinations {
        if !isFirst { self.writer.byte(UInt8(ascii: " ")) }
        isFirst = false
        try self.writeName(destination.reference)
      }
      self.writer.byte(UInt8(ascii: "\""))
    }
  }

  private func writeName(_ reference: Int64) throws(StoreError) {
    guard let name = self.table.name(of: reference) else {
      self.writer.byte(UInt8(ascii: "z"))
      return self.writer.integer(reference)
    }
    do throws(XMLError) { try self.writer.attribute(name) } catch { throw StoreError(error, url: nil) }
  }

  private func raw(_ bytes: [UInt8]) { bytes.withUnsafeBytes { self.writer.raw($0) } }
}
