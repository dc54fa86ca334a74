internal import FederatedStore
internal import Synchronization

/// Counts work from any thread.
final class StoreCounters: Sendable {
  private let reads = Atomic<Int>(0)
  private let statements = Atomic<Int>(0)
  private let rows = Atomic<Int>(0)
  private let rowsRead = Atomic<Int>(0)

  func count(reads: Int = 0, statements: Int = 0, rows: Int = 0, rowsRead: Int = 0) {
    if reads != 0 { self.reads.add(reads, ordering: .relaxed) }
    if statements != 0 { self.statements.add(statements, ordering: .relaxed) }
    if rows != 0 { self.rows.add(rows, ordering: .relaxed) }
    if rowsRead != 0 { self.rowsRead.add(rowsRead, ordering: .relaxed) }
  }

  var statistics: StoreStatistics {
    var statistics = StoreStatistics()
    statistics.reads = self.reads.load(ordering: .relaxed)
    statistics.statements = self.statements.load(ordering: .relaxed)
    statistics.rows = self.rows.load(ordering: .relaxed)
    statistics.rowsRead = self.rowsRead.load(ordering: .relaxed)
    return statistics
  }
}
