internal import FederatedModel
internal import FederatedStore
internal import Foundation
internal import XMLStream

/// Decides what a save does to an object of the old file, and writes the changed one line by line.
struct XMLObjectEditor {
  private let objects: XMLObjectWriter
  private let changes: XMLStoreChanges

  enum Edit {
    case none, remove
    case change(Snapshot, XMLStoreChanges.Row)
  }

  init(_ objects: XMLObjectWriter, _ changes: XMLStoreChanges) {
    self.objects = objects
    self.changes = changes
  }

  func edit(_ markup: XMLMarkup, _ object: XMLChild) throws(XMLError) -> Edit {
    if self.isUntouched(markup, object.tag) { return .none }
    guard let id = try markup.value("id", of: object.tag),
      let type = try markup.value("type", of: object.tag),
      let entity = type.withUnsafeBytes({ self.objects.names.entity(named: $0) }),
      let reference = self.reference(id)
    else { return .none }
    let identity = RowIdentity(entity: entity.entity.id, reference: reference)
    if self.changes.deleted.contains(identity) { return .remove }
    var change = self.changes.changed[identity]
    for relationship in self.changes.watched[identity.entity.index]
    where try self.namesDeleted(relationship, markup, object, entity) {
      change = change ?? XMLStoreChanges.Row()
      change?.toManys.insert(relationship.id)
    }
    guard let change, let row = self.objects.table.row(identity) else { return .none }
    return .change(row, change)
  }

  /// Whether an object's number alone tells that it stays: so with nearly all.
  private func isUntouched(_ markup: XMLMarkup, _ tag: XMLTag) -> Bool {
    guard !self.changes.watches, let id = markup.attribute("id", of: tag),
      let number = XMLObjectName.number(markup[id.value])
    else { return false }
    return !self.changes.touched.contains(number)
  }

  private func reference(_ id: some Sequence<UInt8>) -> Int64? {
    let id = Array(id)
    if let number = id.withUnsafeBytes({ XMLObjectName.number($0) }) { return number }
    return self.objects.table.reference(named: String(decoding: id, as: UTF8.self))
  }

  /// Whether the list of a relationship names a row that goes.
  private func namesDeleted(
    _ relationship: Relationship, _ markup: XMLMarkup, _ object: XMLChild, _ entity: XMLEntityNames
  ) throws(XMLError) -> Bool {
    for child in markup.children(of: object.tag) where markup.isNamed("relationship", child.tag) {
      guard let name = try markup.value("name", of: child.tag),
        let place = name.withUnsafeBytes({ entity.property(named: $0, at: .max) }),
        entity.properties[place].relationship === relationship,
        let list = try markup.value("idrefs", of: child.tag)
      else { continue }
      let destinations = self.objects.table.model[relationship.destination].family
      for id in list.split(whereSeparator: \.isXMLSpace) {
        guard let reference = self.reference(id) else { continue }
        if destinations.contains(where: {
          self.changes.deleted.contains(RowIdentity(entity: $0, reference: reference))
        }) {
          return true
        }
      }
    }
    return false
  }
}

// MARK: Writing

extension XMLObjectEditor {
  /// Writes an object again: lines of properties that did not change as they are.
  func write(
    _ markup: XMLMarkup, _ object: XMLChild, as row: Snapshot, _ change: XMLStoreChanges.Row
  ) throws(StoreError) {
    let children = markup.children(of: object.tag)
    if children.isEmpty { return try self.objects.write(row) }
    let entity = self.objects.names.entities[row.entity.index]
    var missing = Set(entity.properties.indices.filter { self.isChanged(entity.properties[$0], row, change) })
    let lastAttribute = children.lastIndex { markup.isNamed("attribute", $0.tag) }
    let places = try children.map { (child) throws(StoreError) in try self.property(markup, child, entity) }
    for place in places { if let place { missing.remove(place) } }

    self.objects.writer.raw(markup[object.tag.range])
    var end = object.tag.range.upperBound
    if lastAttribute == nil { try self.write(missing, attributes: true, entity, row) }
    for (index, child) in children.enumerated() {
      try self.write(markup, child, after: end, places[index].map { entity.properties[$0] }, row, change)
      end = child.end
      if index == lastAttribute { try self.write(missing, attributes: true, entity, row) }
    }
    try self.write(missing, attributes: false, entity, row)
    self.objects.writer.raw(markup[end..<object.end])
  }

  /// The place of the property that an element of the file is about.
  private func property(
    _ markup: XMLMarkup, _ child: XMLChild, _ entity: XMLEntityNames
  ) throws(StoreError) -> Int? {
    let isAttribute = markup.isNamed("attribute", child.tag)
    guard isAttribute || markup.isNamed("relationship", child.tag) else { return nil }
    do throws(XMLError) {
      return try markup.value("name", of: child.tag)?.withUnsafeBytes { entity.property(named: $0, at: .max) }
    } catch { throw StoreError(error, url: nil) }
  }

  private func isChanged(_ property: XMLPropertyName, _ row: Snapshot, _ change: XMLStoreChanges.Row) -> Bool
  {
    switch property.kind {
    case .attribute(let slot, let kind, _):
      change.before.map { !XMLValueWriter.isSame($0, row, slot, kind) } ?? false
    case .toOne(let slot, _):
      change.before.map { $0.destination(slot)?.reference != row.destination(slot)?.reference } ?? false
    case .toMany(let relationship): change.toManys.contains(relationship.id)
    }
  }

  /// Writes properties that the old object has no element for.
  private func write(
    _ places: Set<Int>, attributes: Bool, _ entity: XMLEntityNames, _ row: Snapshot
  ) throws(StoreError) {
    for place in places.sorted() {
      let property = entity.properties[place]
      guard (property.relationship == nil) == attributes else { continue }
      if case .attribute(let slot, _, _) = property.kind, row.isNull(slot) { continue }
      self.objects.writer.raw("\n        ")
      try self.objects.write(property, of: row)
    }
  }

  /// Writes one element of the old object and the white space before it: as it is, with its new value, or not
  /// at all.
  private func write(
    _ markup: XMLMarkup, _ child: XMLChild, after previous: Int, _ property: XMLPropertyName?,
    _ row: Snapshot,
    _ change: XMLStoreChanges.Row
  ) throws(StoreError) {
    let writer = self.objects.writer
    let start = child.tag.range.lowerBound
    guard let property, self.isChanged(property, row, change) else {
      return writer.raw(markup[previous..<child.end])
    }
    guard case .attribute(let slot, let kind, let attribute) = property.kind else {
      writer.raw(markup[previous..<start])
      writer.raw("<relationship")
      for raw in child.tag.attributes where !markup.isIDRefs(raw) {
        writer.byte(UInt8(ascii: " "))
        writer.raw(markup[raw.name.lowerBound..<(raw.value.upperBound + 1)])
      }
      try self.objects.writeReferences(of: row, property)
      return writer.raw("></relationship>")
    }
    if row.isNull(slot) {
      if !markup.isSpace(previous..<start) { writer.raw(markup[previous..<start]) }
      return
    }
    writer.raw(markup[previous..<start])
    if child.tag.isEmpty { return try self.objects.write(property, of: row) }
    writer.raw(markup[child.tag.range])
    try self.objects.writeValue(of: row, slot, kind, attribute)
    writer.raw("</attribute>")
  }
}

extension XMLMarkup {
  fileprivate func isIDRefs(_ attribute: XMLRawAttribute) -> Bool {
    attribute.name.count == 6 && self.has("idrefs", at: attribute.name.lowerBound)
  }
}
