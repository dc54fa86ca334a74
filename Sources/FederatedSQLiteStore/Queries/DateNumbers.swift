internal import FederatedModel
internal import FederatedStore

/// The numbers that stand for dates in a column of a file of others, for its indexes.
///
/// A comparison is made of dates, as memory makes them. Beside it stands one of numbers with room on either side: it
/// leaves out no row that counts, and an index can serve it.
struct DateNumbers: Hashable, Sendable {
  /// The cell.
  let sql: String
  /// What a second is worth, and where 2001 lies.
  private let scale: Double
  private let offset: Double

  /// - Returns: nil for other columns, and for those in which a number may stand as text.
  init?(_ place: ColumnPlace, alias: String) {
    guard let mapped = place.mapped, mapped.type == .date, mapped.affinity.keepsNumbers else { return nil }
    self.sql = "\(alias).\(place.column.quotedName)"
    switch mapped.format {
    case .unixSeconds: (self.scale, self.offset) = (1, 978_307_200)
    case .unixMilliseconds: (self.scale, self.offset) = (1000, 978_307_200_000)
    case .julianDay: (self.scale, self.offset) = (1 / 86_400, 2_451_910.5)
    case .referenceSeconds: (self.scale, self.offset) = (1, 0)
    default: return nil
    }
  }

  /// The number of a date, moved by some seconds.
  private func number(_ seconds: Double, movedBy room: Double) -> SQLValue {
    .double((seconds + room) * self.scale + self.offset)
  }

  /// A condition on the numbers that holds wherever the comparison of dates does; nil for other comparisons.
  func condition(_ operator: FetchPredicate.Operator, _ seconds: Double) -> SQLFragment? {
    // Far from our days a double counts in more than seconds.
    guard seconds.magnitude < 1e12 else { return nil }
    let (low, high) = (self.number(seconds, movedBy: -1), self.number(seconds, movedBy: 1))
    switch `operator` {
    case .equal: return SQLFragment("\(self.sql) BETWEEN ? AND ?", [low, high])
    case .less, .lessOrEqual: return SQLFragment("\(self.sql) <= ?", [high])
    case .greater, .greaterOrEqual: return SQLFragment("\(self.sql) >= ?", [low])
    default: return nil
    }
  }
}

extension ColumnOperand {
  /// A comparison with a bound value, with another one beside it that an index of the file may serve.
  func narrowed(
    _ test: SQLFragment, _ operator: FetchPredicate.Operator, _ cell: SQLValue
  ) -> SQLFragment {
    if let numbers = self.numbers, case .double(let seconds) = cell {
      return numbers.condition(`operator`, seconds).map { "(" + $0 + " AND " + test + ")" } ?? test
    }
    // `=` is asked of the cell itself already.
    guard self.equalitySQL != self.sql, `operator` != .equal else { return test }
    return "(" + SQLFragment("\(self.equalitySQL) \(`operator`.rawValue) ?", [cell]) + " AND " + test + ")"
  }
}
