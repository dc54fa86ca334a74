import Foundation

extension Snapshot {
  /// Whether a column passes a test. Reads the slot in place: nothing is allocated for numbers, dates,
  /// booleans and texts compared without options.
  public func passes(_ test: AttributeTest) throws(FetchPredicateError) -> Bool {
    let slot = test.attribute.slot
    if self.isNull(slot) { return test.acceptsNull }
    switch (test.rule, test.attribute.type) {
    case (.compare(.int(let constant), let outcomes), .integer16),
      (.compare(.int(let constant), let outcomes), .integer32),
      (.compare(.int(let constant), let outcomes), .integer64):
      let value = self.int(slot)
      return outcomes.contains(value < constant ? .less : value == constant ? .equal : .greater)
    case (.compare(.double(let constant), let outcomes), .double),
      (.compare(.double(let constant), let outcomes), .float):
      return outcomes.contains(ComparisonOutcomes(self.double(slot), constant))
    case (.compare(.date(let constant), let outcomes), .date):
      return outcomes.contains(ComparisonOutcomes(self.double(slot), constant.timeIntervalSinceReferenceDate))
    case (.text(let text, _, _), .string), (.text(let text, _, _), .uri):
      if let answer = self.withBytes(slot, { text.accepts(bytes: $0) }) { return answer }
      return text.accepts(self.string(slot))
    default:
      guard let kind = test.attribute.type.slotKind else { return test.acceptsNull }
      return try test.accepts(self.value(slot, kind, store: .none))
    }
  }
}

extension ComparisonOutcomes {
  fileprivate init(_ value: Double, _ constant: Double) {
    self = value < constant ? .less : value == constant ? .equal : value > constant ? .greater : .unordered
  }
}
