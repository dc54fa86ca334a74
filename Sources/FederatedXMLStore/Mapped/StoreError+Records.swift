internal import FederatedModel
internal import FederatedStore
internal import Foundation

/// What is wrong with a record of a document, the same however it is loaded.
extension StoreError {
  static func missingKey(of record: XMLRecord, store: URL?) -> StoreError {
    let missing = record.plan.key.first { attribute in
      guard let slot = attribute.slot, let kind = attribute.type.slotKind else { return false }
      return record.row.value(at: slot, kind).isNull
    }
    return StoreError(
      .malformed, store: store, place: .text(line: record.line, column: 0),
      "a record of \(record.plan.entity.name) has no \(missing?.name ?? "key"), which is part of its key; mend the "
        + "file, or map it without a key")
  }

  static func unfitReference(_ reference: XMLUnfitReference, of record: XMLRecord, store: URL?) -> StoreError
  {
    StoreError(
      .unreadableValue, store: store, place: .text(line: record.line, column: 0),
      "\(record.title), \(reference.relationship): \"\(reference.text.prefix(40))\" cannot be a key of its destination"
    )
  }

  /// A to-one whose owner has a second record inside.
  static func secondRecord(
    in parent: XMLRecord, _ record: XMLRecord, _ link: XMLLinkPlan, store: URL?
  ) -> StoreError {
    StoreError(
      .malformed, store: store, place: .text(line: record.line, column: 0),
      "\(parent.title), \(link.relationship.name): the relationship is to-one, and a second record stands inside"
    )
  }

  static func secondOwner(
    of relationship: Relationship, _ record: XMLRecord, line: Int, store: URL?
  ) -> StoreError {
    StoreError(
      .malformed, store: store, place: .text(line: record.line, column: 0),
      "\(record.title), \(relationship.name): the record of line \(line) has the same destination, and the way back is "
        + "to-one; take it out of one of them, or make \(relationship.name)'s inverse a to-many")
  }
}
