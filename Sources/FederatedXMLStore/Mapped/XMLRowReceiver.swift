internal import FederatedModel
internal import FederatedStore
internal import Foundation

/// Makes rows of a store out of the records of a document.
final class XMLRowReceiver: XMLRecordReceiver {
  /// Behind a pointer, because properties of a class are checked for exclusive access at every use.
  private let sink: UnsafeMutablePointer<RowSink>
  private let url: URL?
  /// Of each entity the slots whose values lie outside of the row.
  private let texts: [[Int]]
  private let decimals: [[Int]]
  /// Of each row where its record begins, in the order of the sink.
  private var lines: [UInt32] = []
  /// Of a to-one that only its other end tells, who told it of which row.
  private var tellers: [RelationshipID: [Int64: (owner: Int64, line: Int)]] = [:]

  init(_ sink: RowSink, _ plan: XMLMappingPlan, url: URL?) {
    self.sink = .allocate(capacity: 1)
    self.sink.initialize(to: sink)
    self.url = url
    let layouts = plan.records.map(\.entity.layout)
    self.texts = layouts.map { layout in
      layout.columns.filter { [.string, .uri, .data, .uuid].contains($0.kind) }.map(\.slot)
    }
    self.decimals = layouts.map { layout in layout.columns.filter { $0.kind == .decimal }.map(\.slot) }
  }

  deinit { self.sink.deinitialize(count: 1).deallocate() }

  /// What was read, after the document has ended.
  var rows: RowSink {
    get { self.sink.pointee }
    set { self.sink.pointee = newValue }
  }

  func take(_ record: XMLRecord) throws {
    let entity = record.plan.entity
    let reference = try self.reference(of: record)
    let place = StoreError.Place.text(line: record.line, column: 0)
    if self.sink.pointee.hasRow(reference, inHierarchyOf: entity.id) {
      throw self.duplicate(record, reference, place)
    }
    try self.sink.pointee.beginRow(of: entity.id, reference: reference)
    self.lines.append(UInt32(clamping: record.line))
    self.sink.pointee.fillRow(
      from: record.row, texts: self.texts[record.number], decimals: self.decimals[record.number])
    for (number, plan) in record.plan.references.enumerated() {
      try self.link(plan, number, of: record, reference)
    }
    self.tellChildren(of: record, reference)
    if record.parent != nil { try self.join(record, reference) }
  }

  private func reference(of record: XMLRecord) throws -> Int64 {
    guard record.plan.isKeyed else { return record.ordinal }
    guard let key = record.key else {
      throw StoreError.missingKey(of: record, store: self.url)
    }
    return self.sink.pointee.reference(named: key)
  }

  private func duplicate(_ record: XMLRecord, _ reference: Int64, _ place: StoreError.Place) -> StoreError {
    let first = self.sink.pointee.position(of: reference, inHierarchyOf: record.plan.entity.id)
    let line = first.map { Int(self.lines[$0]) } ?? 0
    return StoreError(
      .duplicateKey, store: self.url, place: place,
      "the record of line \(record.line) has the key of the one of line \(line), \(record.title); keys are unique: mend "
        + "the file, or map the entity with another key or none")
  }

  private func link(
    _ plan: XMLReferencePlan, _ number: Int, of record: XMLRecord, _ reference: Int64
  ) throws {
    let keys: [String]
    do throws(XMLUnfitReference) { keys = try record.keys(of: number) } catch {
      throw StoreError.unfitReference(error, of: record, store: self.url)
    }
    let references = keys.map { self.sink.pointee.reference(named: $0) }
    if plan.relationship.isToMany {
      self.sink.pointee.setToMany(plan.relationship, to: references)
    } else if let destination = references.first {
      self.sink.pointee.setToOne(plan.relationship, to: destination)
    }
    guard let inverse = plan.untoldInverse else { return }
    for destination in references {
      let teller = self.tellers[inverse.id]?[destination]
      if let teller, teller.owner != reference {
        throw StoreError.secondOwner(of: plan.relationship, record, line: teller.line, store: self.url)
      }
      self.tellers[inverse.id, default: [:]][destination] = (reference, record.line)
      self.sink.pointee.setToOne(
        inverse, of: RowIdentity(entity: plan.relationship.destination, reference: destination), to: reference
      )
    }
  }

  // MARK: Records inside records

  private func tellChildren(of record: XMLRecord, _ reference: Int64) {
    for (number, link) in record.plan.links.enumerated() {
      let children = record.children[number]
      if !link.relationship.isToMany {
        if let child = children.first { self.sink.pointee.setToOne(link.relationship, to: child.reference) }
      } else if link.tellsList {
        self.sink.pointee.setToMany(link.relationship, to: children.lazy.map(\.reference))
      }
    }
    for (row, inverse) in record.waiting { self.sink.pointee.setToOne(inverse, of: row, to: reference) }
  }

  /// Ties a record to the one around it, whose element is still open.
  private func join(_ record: XMLRecord, _ reference: Int64) throws {
    guard let parent = record.parent else { return }
    let link = parent.plan.links[record.link]
    let identity = RowIdentity(entity: record.plan.entity.id, reference: reference)
    if !link.relationship.isToMany, !parent.children[record.link].isEmpty {
      throw StoreError.secondRecord(in: parent, record, link, store: self.url)
    }
    if !link.relationship.isToMany || link.tellsList { parent.children[record.link].append(identity) }
    guard let inverse = link.inverse else { return }
    if !parent.plan.isKeyed {
      self.sink.pointee.setToOne(inverse, to: parent.ordinal)
    } else if let key = parent.key {
      self.sink.pointee.setToOne(inverse, to: self.sink.pointee.reference(named: key))
    } else {
      parent.waiting.append((identity, inverse))
    }
  }
}
