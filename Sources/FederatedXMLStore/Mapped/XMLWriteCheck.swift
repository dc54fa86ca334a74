internal import FederatedModel
internal import FederatedStore
internal import Foundation

/// Refuses changes that a mapped document has no place for, before anything is written.
struct XMLWriteCheck {
  private let plan: XMLMappingPlan
  private let changes: ChangeSet
  private let url: URL?

  init(_ plan: XMLMappingPlan, _ changes: ChangeSet, url: URL?) {
    self.plan = plan
    self.changes = changes
    self.url = url
  }

  func run() throws(StoreError) {
    for block in self.changes.inserted + self.changes.deleted where block.count > 0 {
      let record = try self.record(block.entity)
      guard record.isKeyed else {
        throw self.error(
          record.entity, block[0].reference, nil,
          "its records have no key and are known by their places, which would shift: map it with \"key\" to add and delete "
            + "records")
      }
    }
    for block in self.changes.inserted {
      for index in 0..<block.count { try self.checkPlaces(of: block[index], before: nil) }
    }
    for images in self.changes.updated {
      for index in 0..<images.after.count {
        try self.checkPlaces(of: images.after[index], before: images.before[index])
        try self.checkStanding(images.before[index], images.after[index])
      }
    }
  }

  private func record(_ entity: EntityID) throws(StoreError) -> XMLRecordPlan {
    guard let number = self.plan.recordByEntity[entity.index] else {
      throw self.error(
        self.plan.model[entity], nil, nil, "the entity is not mapped; the file holds no records of it")
    }
    return self.plan.records[number]
  }

  /// What has no place must stay as it is, which is nil in a new row.
  private func checkPlaces(of row: Snapshot, before: Snapshot?) throws(StoreError) {
    let record = try self.record(row.entity)
    for column in row.block.layout.columns where column.kind != .reference {
      if record.values.contains(where: { $0.name == column.name }) { continue }
      let isChanged =
        before.map { !XMLValueWriter.isSame($0, row, column.slot, column.kind) } ?? !row.isNull(column.slot)
      if isChanged {
        throw self.error(
          record.entity, row.reference, column.name,
          "the mapping has no place for it; map it, or leave it nil")
      }
    }
  }

  /// A record keeps its key, and the record that it stands in.
  private func checkStanding(_ before: Snapshot, _ after: Snapshot) throws(StoreError) {
    let record = try self.record(after.entity)
    for attribute in record.key {
      guard let slot = attribute.slot, let kind = attribute.type.slotKind,
        !XMLValueWriter.isSame(before, after, slot, kind)
      else { continue }
      throw self.error(
        record.entity, after.reference, attribute.name,
        "it is part of the key, by which the record is known; insert another object and delete this one instead"
      )
    }
    for owner in self.plan.records {
      for link in owner.links
      where self.plan.model[link.relationship.destination].family.contains(after.entity) {
        guard let slot = link.inverse?.slot,
          before.destination(slot)?.reference != after.destination(slot)?.reference
        else { continue }
        throw self.error(
          record.entity, after.reference, link.inverse?.name,
          "the record stands inside the one that this link leads to and cannot be moved; insert another object there and "
            + "delete this one")
      }
    }
  }

  private func error(_ entity: Entity, _ reference: Int64?, _ property: String?, _ detail: String)
    -> StoreError
  {
    StoreError(
      .unsupported, store: self.url,
      place: .property(entity: entity.name, reference: reference, property: property),
      "\(entity.name)\(property.map { ", \($0)" } ?? "") cannot be saved: \(detail)")
  }
}
