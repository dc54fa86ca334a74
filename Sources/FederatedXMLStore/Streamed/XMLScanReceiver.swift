internal import FederatedModel
internal import FederatedStore
internal import Foundation

/// Gathers the records of a pass into small batches of rows, and hands each batch on.
///
/// A row stays in its batch until everything is known of it: one whose parent's key stands further down waits for the
/// parent's end.
final class XMLScanReceiver: XMLRecordReceiver {
  private let plan: XMLMappingPlan
  private let identities: XMLRecordIdentities
  private let url: URL?
  private let consume: (XMLScanBatch) throws -> Bool
  private let records: [Record]
  private var builders: [RowBlockBuilder]
  private var batch = XMLScanBatch()
  private var batchRows = XMLScanReceiver.firstRows
  private var rowCount = 0
  private var bytes = 0
  /// Rows by the records around them whose keys are not known yet.
  private var waiting: [ObjectIdentifier: [(block: Int, link: RowBlock.Link)]] = [:]

  /// Why the pass was ended early.
  private(set) var failure: (any Error)?
  private(set) var hasStopped = false
  /// The number of rows handed on.
  private(set) var rowsRead = 0

  /// The first batch is small, for questions that want few rows.
  static let firstRows = 32
  static let mostRows = 512
  static let mostBytes = 128 << 10

  /// What to do with the records of one plan.
  private struct Record {
    var isAnswered: Bool
    /// Whether any row is told the reference of such a record.
    var isNamed: Bool
    var texts: [Int]
    var decimals: [Int]
    var lists: [XMLListPlace]
  }

  init(
    _ plan: XMLMappingPlan, _ projection: XMLProjection, _ identities: XMLRecordIdentities, url: URL?,
    _ consume: @escaping (XMLScanBatch) throws -> Bool
  ) {
    self.plan = plan
    self.identities = identities
    self.url = url
    self.consume = consume
    let answered = plan.records.filter { projection.answered.contains($0.entity.id) }
    let named = Set(answered.flatMap(\.links).compactMap { plan.target(of: $0) })
    self.records = plan.records.enumerated().map { number, record in
      let layout = record.entity.layout
      let slots = { (kinds: [SlotKind]) in
        layout.columns.filter { kinds.contains($0.kind) }.map(\.slot)
      }
      let taken = record.columns.filter { $0.kind == .text }.map(\.slot)
      return Record(
        isAnswered: projection.answered.contains(record.entity.id), isNamed: named.contains(number),
        texts: Set(slots([.string, .uri, .data, .uuid]) + taken).sorted(), decimals: slots([.decimal]),
        lists: record.lists(projection.lists))
    }
    self.builders = plan.records.map { RowBlockBuilder(layout: $0.entity.layout) }
  }

  func take(_ record: XMLRecord) throws {
    let plan = self.records[record.number]
    let waiting = self.waiting.removeValue(forKey: ObjectIdentifier(record)) ?? []
    guard plan.isAnswered || plan.isNamed || !waiting.isEmpty else { return }
    let reference = try self.identities.reference(of: record)
    for (block, var link) in waiting {
      link.reference = reference
      self.batch.links[block, default: []].append(link)
    }
    if !waiting.isEmpty { self.identities.note(record, reference) }
    if plan.isNamed { try self.tell(record, reference) }
    if plan.isAnswered { try self.addRow(record, reference, plan) }
    if self.waiting.isEmpty, self.rowCount >= self.batchRows || self.bytes >= XMLScanReceiver.mostBytes {
      try self.flush()
    }
  }

  /// Ends the batches after the last record.
  func finish() throws { if !self.hasStopped { try self.flush() } }

  // MARK: Rows

  private func addRow(_ record: XMLRecord, _ reference: Int64, _ plan: Record) throws {
    let number = record.number
    let row = self.builders[number].count
    self.builders[number].beginRow(reference: reference, version: 1)
    let before = self.builders[number].byteCount
    self.builders[number].fillRow(
      from: record.row, texts: plan.texts, decimals: plan.decimals, shares: false)
    for (place, reference) in record.plan.references.enumerated() where !reference.values.isEmpty {
      guard let slot = reference.relationship.slot else { continue }
      guard let destination = try self.identities.destinations(of: record, place).first else { continue }
      self.builders[number].set(
        reference: destination, entity: reference.relationship.destination, at: slot)
    }
    for (place, link) in record.plan.links.enumerated() {
      guard let slot = link.relationship.slot, let child = record.children[place].first else { continue }
      self.builders[number].set(reference: child.reference, entity: link.relationship.destination, at: slot)
    }
    if record.parent != nil { try self.join(record, row) }
    for list in plan.lists { try self.add(list, record, reference) }
    self.batch.places.append(
      XMLScanBatch.Place(record: number, row: row, line: UInt32(clamping: record.line)))
    self.rowCount += 1
    self.bytes += self.builders[number].byteCount - before
  }

  private func join(_ record: XMLRecord, _ row: Int) throws {
    guard let parent = record.parent, let inverse = parent.plan.links[record.link].inverse,
      let slot = inverse.slot
    else { return }
    if parent.plan.isKeyed, !self.identities.knowsKey(of: parent) {
      let link = RowBlock.Link(row: row, slot: slot, reference: 0, entity: inverse.destination)
      self.waiting[ObjectIdentifier(parent), default: []].append((record.number, link))
    } else {
      let reference = try self.identities.reference(of: parent)
      self.identities.note(parent, reference)
      self.builders[record.number].set(reference: reference, entity: inverse.destination, at: slot)
    }
  }

  private func add(_ list: XMLListPlace, _ record: XMLRecord, _ owner: Int64) throws {
    let destinations: [RowIdentity]
    switch list.kind {
    case .references(let place):
      let entity = list.relationship.destination
      destinations = try self.identities.destinations(of: record, place).map {
        RowIdentity(entity: entity, reference: $0)
      }
    case .records(let place): destinations = record.children[place]
    }
    if destinations.isEmpty { return }
    self.batch.lists.append(
      XMLScanBatch.List(
        relationship: list.relationship.id,
        owner: RowIdentity(entity: record.plan.entity.id, reference: owner), destinations: destinations))
  }

  /// Tells the record around this one who stands inside it.
  private func tell(_ record: XMLRecord, _ reference: Int64) throws {
    guard let parent = record.parent, self.records[parent.number].isAnswered else { return }
    let link = parent.plan.links[record.link]
    let isListed = self.records[parent.number].lists.contains { $0.kind == .records(record.link) }
    guard link.relationship.slot != nil || isListed else { return }
    if !link.relationship.isToMany, !parent.children[record.link].isEmpty {
      throw StoreError.secondRecord(in: parent, record, link, store: self.url)
    }
    self.identities.note(record, reference)
    parent.children[record.link].append(
      RowIdentity(entity: record.plan.entity.id, reference: reference))
  }

  // MARK: Batches

  private func flush() throws {
    if self.rowCount == 0 { return }
    for number in self.builders.indices where self.builders[number].count > 0 {
      let block = self.builders[number].finish()
      let links = self.batch.links[number] ?? []
      self.batch.blocks[number] = links.isEmpty ? block : block.linking(links)
    }
    let batch = self.batch
    self.batch = XMLScanBatch()
    self.rowsRead += self.rowCount
    (self.rowCount, self.bytes) = (0, 0)
    self.batchRows = min(self.batchRows * 2, XMLScanReceiver.mostRows)
    do {
      if try self.consume(batch) { return self.identities.forgetMet() }
    } catch { self.failure = error }
    self.hasStopped = true
    throw XMLScanEnd()
  }
}

/// Thrown through the parser when a pass has what it wants.
struct XMLScanEnd: Error {}

/// Rows of a pass, in the order in which their records end.
struct XMLScanBatch {
  /// By the number of the record's plan.
  var blocks: [Int: RowBlock] = [:]
  var places: [Place] = []
  /// What was learnt of a block's rows after they were made.
  var links: [Int: [RowBlock.Link]] = [:]
  /// The lists of to-manys that were asked for.
  var lists: [List] = []

  struct Place {
    var record: Int
    var row: Int
    var line: UInt32
  }

  struct List {
    var relationship: RelationshipID
    var owner: RowIdentity
    var destinations: [RowIdentity]
  }

  /// All rows, in their order.
  var rows: RowSet {
    if self.blocks.count == 1, let block = self.blocks.values.first { return RowSet([block]) }
    let numbers = self.blocks.keys.sorted()
    let dense = Dictionary(uniqueKeysWithValues: numbers.enumerated().map { ($1, $0) })
    return RowSet(
      numbers.compactMap { self.blocks[$0] },
      order: self.places.compactMap { place in
        dense[place.record].map { RowPlace(block: $0, row: place.row) }
      })
  }
}

/// Where the list of a to-many stands in a record.
struct XMLListPlace {
  let relationship: Relationship
  let kind: Kind
  enum Kind: Equatable {
    case references(Int)
    case records(Int)
  }
}

extension XMLRecordPlan {
  func lists(_ wanted: Set<RelationshipID>) -> [XMLListPlace] {
    let references = self.references.enumerated().filter { wanted.contains($1.relationship.id) }
      .map { XMLListPlace(relationship: $1.relationship, kind: .references($0)) }
    let records = self.links.enumerated().filter { wanted.contains($1.relationship.id) }
      .map { XMLListPlace(relationship: $1.relationship, kind: .records($0)) }
    return references + records
  }
}
