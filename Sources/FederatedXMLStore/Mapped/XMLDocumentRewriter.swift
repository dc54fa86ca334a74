internal import FederatedModel
internal import FederatedStore
internal import Foundation
internal import XMLStream

/// Makes a document's next bytes from its last ones: what a save does not change stays byte for byte.
final class XMLDocumentRewriter {
  let plan: XMLMappingPlan
  /// The rows as they are after the save.
  let table: RowTable
  let changeSet: ChangeSet
  let changes: XMLStoreChanges
  let url: URL?
  let new: XMLNewRecords
  var edits = XMLEdits()

  init(_ plan: XMLMappingPlan, _ table: RowTable, _ changes: ChangeSet, url: URL?) throws(StoreError) {
    self.plan = plan
    self.table = table
    self.changeSet = changes
    self.changes = XMLStoreChanges(changes, in: table.model)
    self.url = url
    try XMLWriteCheck(plan, changes, url: url).run()
    self.new = try XMLNewRecords(changes, plan)
  }

  /// - Throws: `unstorableValue` for a value that cannot be written in its place alone.
  func rewrite(_ document: UnsafeRawBufferPointer) throws(StoreError) -> [UInt8] {
    let places = XMLPlaceRecorder(document)
    let finder = XMLSiteFinder(
      places, self.table, self.changes,
      wanted: Set(self.changes.changed.keys).union(self.changes.deleted).union(self.new.inside.keys))
    let reader = XMLRecordReader(self.plan, finder, url: self.url)
    reader.places = places
    do {
      try XMLStreamReader.read(document, to: reader)
      try self.edit(finder, places)
    } catch { throw StoreError(error, url: self.url) }
    return self.edits.applied(to: document)
  }

  private func edit(_ finder: XMLSiteFinder, _ places: XMLPlaceRecorder) throws {
    let markup = places.markup
    for site in finder.sites.values {
      if self.changes.deleted.contains(site.identity) {
        self.edits.remove(self.rangeToRemove(site, markup))
        continue
      }
      let lists = finder.namingDeleted[site.identity] ?? []
      guard let row = self.table.row(site.identity) else { continue }
      let tree = try site.tree(markup)
      var editor = XMLRecordEditor(
        self.plan, self.plan.records[site.number], markup, tree, title: self.title(row), url: self.url,
        self.edits)
      try self.edit(&editor, row, self.changes.changed[site.identity], lists)
      try self.addInside(&editor, site, finder)
      self.edits = try editor.finish()
    }
    let found = self.changes.deleted.union(
      self.changes.changed.lazy.filter { $0.value.before != nil }.map(\.key))
    if let missing = found.first(where: { finder.sites[$0] == nil }) {
      throw StoreError(
        .changedUnderneath, store: self.url, rows: [missing],
        "a record that the save changes is not in the document any more; reload the store and save again")
    }
    try self.addAlone(finder, places)
  }

  /// A record with its line, and its key in a dictionary of a property list.
  private func rangeToRemove(_ site: XMLRecordSite, _ markup: XMLMarkup) -> Range<Int> {
    var start = site.tag.range.lowerBound
    if self.plan.usesKeys, let key = markup.propertyKeyStart(before: start) { start = key }
    return markup.lineStart(before: start).lowerBound..<site.end
  }

  /// How messages call a record.
  func title(_ row: Snapshot) -> String {
    let name = self.table.model[row.entity].name
    return "\(name) \"\(self.table.name(of: row.reference) ?? String(row.reference))\""
  }

  // MARK: Changed records

  private func edit(
    _ editor: inout XMLRecordEditor, _ row: Snapshot, _ change: XMLStoreChanges.Row?, _ lists: Set<Int>
  ) throws(StoreError) {
    let record = editor.record
    for value in record.values {
      guard case .attribute(let slot, let kind, let conversion) = value.kind, let before = change?.before,
        !XMLValueWriter.isSame(before, row, slot, kind)
      else { continue }
      let writable = editor
      try editor.set(value, isString: kind == .string) { (old) throws(StoreError) in
        try self.text(of: row, slot, kind, conversion, like: old, value, writable)
      }
    }
    for (number, reference) in record.references.enumerated() {
      if reference.relationship.isToMany {
        guard lists.contains(number) || change?.toManys.contains(reference.relationship.id) ?? false else {
          continue
        }
        try self.editList(&editor, reference, row)
      } else if let slot = reference.relationship.slot, let before = change?.before,
        before.destination(slot)?.reference != row.destination(slot)?.reference
      {
        let texts = row.destination(slot).flatMap { self.keyTexts($0.reference, reference) }
        for (part, value) in reference.values.enumerated() {
          try editor.set(record.values[value], isString: true) { (_) throws(StoreError) in texts?[part] }
        }
      }
    }
  }

  func text(
    of row: Snapshot, _ slot: Int, _ kind: SlotKind, _ conversion: TextConversion, like old: String?,
    _ value: XMLValuePlan, _ editor: XMLRecordEditor?
  ) throws(StoreError) -> String? {
    if row.isNull(slot) { return nil }
    if let text = conversion.text(of: row.value(slot, kind, store: .none), like: old) { return text }
    let place = StoreError.Place.property(
      entity: self.table.model[row.entity].name, reference: row.reference, property: value.name)
    throw StoreError(
      .unstorableValue, store: self.url, place: place,
      "\(self.title(row)), \(value.name): no text of the mapped format means exactly this value; set another one, or map "
        + "the attribute with another \"format\"")
  }

  /// The parts of the key of a destination, as they are written; nil when nothing tells them.
  func keyTexts(_ reference: Int64, _ plan: XMLReferencePlan) -> [String]? {
    guard let row = self.table.row(reference, inHierarchyOf: plan.relationship.destination),
      let number = self.plan.recordByEntity[row.entity.index]
    else {
      // A link that leads nowhere keeps its text, if the key has one part.
      return plan.conversions.count == 1 ? [self.table.name(of: reference) ?? String(reference)] : nil
    }
    var texts: [String] = []
    for (attribute, conversion) in zip(self.plan.records[number].key, plan.conversions) {
      guard let slot = attribute.slot, let kind = attribute.type.slotKind,
        let text = conversion.text(of: row.value(slot, kind, store: .none))
      else { return nil }
      texts.append(text)
    }
    return texts
  }

  // MARK: Lists

  private func editList(
    _ editor: inout XMLRecordEditor, _ reference: XMLReferencePlan, _ row: Snapshot
  ) throws(StoreError) {
    let relationship = reference.relationship
    let family = self.table.model[relationship.destination].family
    var wanted: [String] = []
    for destination in self.table.related(relationship, of: row.reference) {
      let isDeleted = family.contains {
        self.changes.deleted.contains(RowIdentity(entity: $0, reference: destination.reference))
      }
      if isDeleted { continue }
      if let text = self.keyTexts(destination.reference, reference)?.first { wanted.append(text) }
    }
    try editor.setList(
      editor.record.values[reference.values[0]], to: wanted, isOrdered: relationship.isOrdered,
      reference.conversions[0])
  }
}

extension XMLMarkup {
  /// Where the `key` begins that stands right before a place.
  func propertyKeyStart(before place: Int) -> Int? {
    var end = place
    while end > 0, self.bytes[end - 1].isXMLSpace { end -= 1 }
    guard end > 6, self.has("</key>", at: end - 6) else { return nil }
    var start = end - 6
    while start > 0 {
      start -= 1
      if self.has("<key>", at: start) { return start }
    }
    return nil
  }
}
