import FederatedModel
import FederatedStore

/// Merges the sorted answers of several stores into one order.
///
/// Rows that compare equal come in order of attachment, and inside a store as the store has them.
struct RowMerge {
  /// In order of attachment.
  let parts: [FetchedRows.Part]
  /// Below, at or above zero, as the first row comes before, with or after the second.
  let compare: (FetchedRow, FetchedRow) throws -> Int

  func rows(offset: Int, limit: Int?) throws -> FetchedRows {
    var places: [RowPlace] = []
    var heads = self.parts.enumerated().compactMap { Head(number: $0, part: $1) }
    var skipped = 0
    while !heads.isEmpty && places.count < limit ?? .max {
      var least = 0
      for other in heads.indices.dropFirst()
      where try self.compare(heads[other].row, heads[least].row) < 0 {
        least = other
      }
      if skipped < offset { skipped += 1 } else { places.append(heads[least].place) }
      if !heads[least].advance() { heads.remove(at: least) }
    }
    return FetchedRows(self.parts, order: places)
  }

  /// The next row of one part.
  private struct Head {
    private let number: Int
    private let part: FetchedRows.Part
    private var position: Int
    private(set) var row: FetchedRow

    init?(number: Int, part: FetchedRows.Part) {
      guard let first = part.range.first else { return nil }
      self.number = number
      self.part = part
      self.position = first
      self.row = FetchedRow(store: part.store, snapshot: part.rows[first])
    }

    var place: RowPlace { RowPlace(block: self.number, row: self.position) }

    mutating func advance() -> Bool {
      guard self.position + 1 < self.part.range.upperBound else { return false }
      self.position += 1
      self.row = FetchedRow(store: self.part.store, snapshot: self.part.rows[self.position])
      return true
    }
  }
}
