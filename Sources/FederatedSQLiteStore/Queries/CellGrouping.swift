internal import FederatedModel
internal import FederatedStore
internal import Foundation

/// Groups that a statement makes: keys that are cells, and aggregates that SQLite takes as memory would.
struct CellGrouping: Hashable, Sendable {
  /// The select list: the cells of the keys, what is gathered, and whether a cell holds what it must not.
  private(set) var texts: [String] = []
  /// The terms of GROUP BY.
  private(set) var terms: [String] = []
  private(set) var keys: [SelectedCell] = []
  private(set) var aggregates: [CellAggregate] = []

  /// - Returns: nil when SQLite's groups or aggregates might not be those of memory.
  init?(_ grouping: BoundGrouping, of plan: CellPlan) {
    for expression in plan.expressions.prefix(grouping.keys.count) {
      guard let cell = plan.cell(of: expression) else { return nil }
      self.keys.append(cell)
      self.texts += cell.texts
      self.terms += cell.groupTerms
    }
    var damage: [String] = []
    for (aggregate, expression) in zip(grouping.aggregates, plan.expressions.dropFirst(grouping.keys.count)) {
      guard let cell = plan.cell(of: expression),
        let gathered = CellAggregate(aggregate.function, of: cell, at: Int32(self.texts.count))
      else { return nil }
      self.texts += gathered.texts
      self.aggregates.append(gathered)
      if let check = cell.damageCheck, !damage.contains(check) { damage.append(check) }
    }
    self.texts.append(damage.isEmpty ? "0" : "MAX(\(damage.joined(separator: " OR ")))")
  }
}

/// One aggregate as a statement gathers it.
struct CellAggregate: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case count
    /// High and low halves of whole numbers, added apart so that neither overflows.
    case wholeSum
    case exactSum
    case least, greatest
  }

  let kind: Kind
  let cell: SelectedCell
  /// The place of the first text in the select list.
  let index: Int32
  let texts: [String]

  init?(_ function: FetchFunction, of cell: SelectedCell, at index: Int32) {
    let sql = cell.encoding == .bool ? "(\(cell.sql) <> 0)" : cell.sql
    switch (function, cell.encoding) {
    case (.count, _):
      self.kind = .count
      self.texts = ["COUNT(\(cell.sql))"]
    case (.sum, .int), (.sum, .bool), (.average, .int), (.average, .bool):
      self.kind = .wholeSum
      self.texts = ["SUM(\(sql) >> 32)", "SUM(\(sql) & 4294967295)", "COUNT(\(sql))"]
    case (.sum, .double), (.average, .double):
      self.kind = .exactSum
      self.texts = ["\(SumFunctions.doubles)(\(sql))"]
    case (.sum, .decimal), (.average, .decimal):
      self.kind = .exactSum
      self.texts = ["\(SumFunctions.decimals)(\(sql))"]
    case (.min, .int), (.min, .bool), (.min, .double), (.min, .date):
      self.kind = .least
      self.texts = ["MIN(\(sql))"]
    case (.max, .int), (.max, .bool), (.max, .double), (.max, .date):
      self.kind = .greatest
      self.texts = ["MAX(\(sql))"]
    case (.min, .text):
      self.kind = .least
      self.texts = ["MIN(\(sql) COLLATE BINARY)"]
    case (.max, .text):
      self.kind = .greatest
      self.texts = ["MAX(\(sql) COLLATE BINARY)"]
    // The digits of large decimals stand as bytes, which are above all numbers: `damageCheck` finds them.
    case (.min, .decimal):
      self.kind = .least
      self.texts = ["MIN(\(sql))"]
    case (.max, .decimal):
      self.kind = .greatest
      self.texts = ["MAX(\(sql))"]
    default: return nil
    }
    self.cell = cell
    self.index = index
  }

  /// What the statement gathered of a group.
  func state(_ row: Statement, store: StoreID, file: URL) throws(StoreError) -> AggregateState {
    switch self.kind {
    case .count: return .count(Int(row.int(self.index)))
    case .wholeSum:
      var sum = ExactSum()
      sum.add(
        Int128(row.int(self.index)) << 32 + Int128(row.int(self.index + 1)),
        count: Int(row.int(self.index + 2)))
      return .sum(sum)
    case .exactSum: return .sum(SumFunctions.sum(row, self.index))
    case .least: return .least(try self.reader(store, file).value(row).asKey)
    case .greatest: return .greatest(try self.reader(store, file).value(row).asKey)
    }
  }

  private func reader(_ store: StoreID, _ file: URL) -> CellReader {
    CellReader(cell: self.cell, index: self.index, store: store, file: file)
  }
}

extension SelectedCell {
  /// Terms of GROUP BY that put rows together only where their values are equal. Groups that stay apart although
  /// their values are equal are put together in memory.
  var groupTerms: [String] {
    switch self.encoding {
    case .text: ["\(self.sql) COLLATE BINARY"]
    case .decimal: [self.sql, "typeof(\(self.sql))"]
    default: self.texts
    }
  }

  /// True for a cell that SQLite would take into an aggregate and memory would refuse, or sort otherwise; nil where
  /// there is none.
  var damageCheck: String? {
    switch self.encoding {
    case .int, .bool, .reference: "typeof(\(self.sql)) NOT IN ('integer', 'null')"
    case .double, .date, .decimal: "typeof(\(self.sql)) NOT IN ('integer', 'real', 'null')"
    case .text: "typeof(\(self.sql)) NOT IN ('text', 'null')"
    case .blob, .uuid, .prefixedBlob: nil
    }
  }
}
