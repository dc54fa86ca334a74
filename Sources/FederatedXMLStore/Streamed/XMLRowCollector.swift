internal import FederatedModel
internal import FederatedStore
internal import Foundation

/// The rows of an answer: copied out of the batches that they came in, with the values that were left as text made.
struct XMLRowCollector {
  private let records: [Record]
  private let names: StreamedNames
  private let url: URL?
  private var blocks: [RowBlock?] = []
  private var order: [RowPlace] = []
  private var filling: [Int: (builder: RowBlockBuilder, block: Int)] = [:]

  /// Bytes after which a block is closed.
  private static let blockBytes = 256 << 10

  /// Of the records of one plan.
  private struct Record {
    var plan: XMLRecordPlan
    var left: [Left]
    var leftSlots: [Int]
    var destinations: [Int]
  }

  /// A value that was left as text.
  private struct Left {
    var value: XMLValuePlan
    var slot: Int
    var kind: SlotKind
    var conversion: TextConversion
  }

  init(_ plan: XMLMappingPlan, _ names: StreamedNames, url: URL?) {
    self.names = names
    self.url = url
    self.records = plan.records.map { record in
      let left = zip(record.values, record.columns).compactMap { value, column -> Left? in
        guard column.kind == .text, case .attribute(let slot, let kind, let conversion) = value.kind else {
          return nil
        }
        return Left(value: value, slot: slot, kind: kind, conversion: conversion)
      }
      return Record(
        plan: record, left: left, leftSlots: left.map(\.slot),
        destinations: record.entity.layout.columns.filter { $0.kind == .reference }.map(\.slot))
    }
  }

  var count: Int { self.order.count }

  /// Keeps a row of a batch.
  /// - Throws: `unreadableValue` when a text that was left does not fit.
  mutating func keep(
    _ row: Snapshot, _ record: Int, line: Int, _ identities: XMLRecordIdentities
  ) throws(StoreError) {
    self.rememberNames(of: row, self.records[record], identities)
    try self.append(row, record, line: line)
  }

  /// Keeps a row that was kept before.
  mutating func keepAgain(_ row: Snapshot, _ record: Int) {
    var target = self.target(record, row.block.layout)
    target.builder.copyRow(row, reference: row.reference, version: row.version)
    self.close(&target, record)
  }

  private mutating func append(_ row: Snapshot, _ record: Int, line: Int) throws(StoreError) {
    let kept = self.records[record]
    var target = self.target(record, row.block.layout)
    target.builder.copyRow(
      row, reference: row.reference, version: row.version, leavingOut: kept.leftSlots)
    for left in kept.left where !row.isNull(left.slot) {
      let text = row.string(left.slot)
      if let value = left.conversion.value(of: text), target.builder.set(value, at: left.slot, left.kind) {
        continue
      }
      if left.value.unfit == .refuse { throw self.unfit(text, left.value, kept.plan, row, line: line) }
    }
    self.close(&target, record)
  }

  /// The builder of the block that takes the next row; it is put back by ``close(_:_:)``, so that it is never copied.
  private mutating func target(_ record: Int, _ layout: RowLayout) -> (builder: RowBlockBuilder, block: Int) {
    if let target = self.filling.removeValue(forKey: record) { return target }
    self.blocks.append(nil)
    return (RowBlockBuilder(layout: layout), self.blocks.count - 1)
  }

  private mutating func close(_ target: inout (builder: RowBlockBuilder, block: Int), _ record: Int) {
    self.order.append(RowPlace(block: target.block, row: target.builder.count - 1))
    if target.builder.byteCount >= XMLRowCollector.blockBytes {
      self.blocks[target.block] = target.builder.finish()
    } else {
      self.filling[record] = target
    }
  }

  /// The rows kept so far, in their order. The collector is empty afterwards.
  mutating func take() -> RowSet {
    for record in self.filling.keys.sorted() {
      guard var target = self.filling.removeValue(forKey: record) else { continue }
      self.blocks[target.block] = target.builder.finish()
    }
    let blocks = self.blocks.compactMap(\.self)
    let order = self.order
    (self.blocks, self.order) = ([], [])
    let isOneAfterAnother = zip(order, order.dropFirst()).allSatisfy { $0.packed < $1.packed }
    return isOneAfterAnother ? RowSet(blocks) : RowSet(blocks, order: order)
  }

  // MARK: Names and errors

  private func rememberNames(of row: Snapshot, _ record: Record, _ identities: XMLRecordIdentities) {
    if row.reference >= ReferenceNames.firstOpaque, let key = record.plan.keyText(of: row) {
      self.names.remember(key)
    }
    for slot in record.destinations {
      guard let destination = row.destination(slot), destination.reference >= ReferenceNames.firstOpaque,
        let name = identities.met[destination.reference]
      else { continue }
      self.names.remember(name)
    }
  }

  private func unfit(
    _ text: String, _ value: XMLValuePlan, _ record: XMLRecordPlan, _ row: Snapshot, line: Int
  ) -> StoreError {
    let type = record.entity.attribute(named: value.name).map { " (\($0.type.xmlName))" } ?? ""
    let title = record.keyText(of: row).map { "\"\($0)\"" } ?? String(row.reference)
    return StoreError(
      .unreadableValue, store: self.url, place: .text(line: line, column: 0),
      "\(record.entity.name) \(title), \(value.name)\(type) at \(value.pathText): "
        + "\"\(text.prefix(40))\" does not fit the attribute; map it with another \"format\", or "
        + "with \"unfit\": \"nil\" to read it as nil")
  }
}

extension XMLRecordPlan {
  /// The key of a row as one text; nil for rows known by their place.
  func keyText(of row: Snapshot) -> String? {
    guard self.isKeyed else { return nil }
    return RowKeys.text(
      of: self.key.map { attribute in
        guard let slot = attribute.slot, let kind = attribute.type.slotKind else { return .null }
        return row.value(slot, kind, store: .none)
      })
  }
}
