import FederatedModel
import FederatedStore

/// Merges the sorted answers of several stores into one order.
///
/// Rows that compare equal come in order of attachment, and inside a store as the store has them.
struct RowMerge {
  let order: SubjectOrder
  /// In order of attachment, each with the rows that its sort keys' paths lead to.
  let parts: [(part: FetchedRows.Part, source: ScopeRows)]

  func rows(offset: Int, limit: Int?) throws -> FetchedRows {
    var heads = try self.parts.indices.compactMap { try self.head(of: $0) }
    var places: [RowPlace] = []
    var skipped = 0
    while !heads.isEmpty && places.count < limit ?? .max {
      var least = 0
      for other in heads.indices.dropFirst()
      where try self.order.compare(heads[other].key, heads[least].key) < 0 {
        least = other
      }
      if skipped < offset { skipped += 1 } else { places.append(heads[least].place) }
      if try !self.advance(&heads[least]) { heads.remove(at: least) }
    }
    return FetchedRows(self.parts.map(\.part), order: places)
  }

  /// The next row of one part.
  private struct Head {
    var place: RowPlace
    var key: SubjectOrder.SortKey
  }

  private func head(of number: Int) throws -> Head? {
    let part = self.parts[number].part
    guard let first = part.range.first else { return nil }
    return Head(place: RowPlace(block: number, row: first), key: try self.key(number, first))
  }

  private func advance(_ head: inout Head) throws -> Bool {
    let next = head.place.row + 1
    guard next < self.parts[head.place.block].part.range.upperBound else { return false }
    head.key = try self.key(head.place.block, next)
    head.place = RowPlace(block: head.place.block, row: next)
    return true
  }

  private func key(_ number: Int, _ row: Int) throws -> SubjectOrder.SortKey {
    try self.order.key(of: SnapshotSubject(self.parts[number].part.rows[row], in: self.parts[number].source))
  }
}
