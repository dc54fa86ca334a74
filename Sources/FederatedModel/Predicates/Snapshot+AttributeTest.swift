extension Snapshot {
  /// Whether a column passes a test. Numbers, dates and texts compared without options are read in their
  /// slot, and nothing is allocated.
  public func passes(_ test: AttributeTest) throws(FetchPredicateError) -> Bool {
    let slot = test.slot
    if self.isNull(slot) { return test.acceptsNull }
    switch test.inPlace.kind {
    case .integer: return test.inPlace.accepts(integer: self.int(slot))
    case .double: return test.inPlace.accepts(double: self.double(slot))
    case .equalBytes, .orderedBytes, .containedBytes, .prefix, .suffix:
      return self.withBytes(slot) { test.inPlace.accepts(bytes: $0) }
    case .decimal:
      if let answer = test.inPlace.accepts(decimal: PackedDecimal(word: self.word(slot))) { return answer }
    case .none: break
    }
    guard let kind = test.attribute.type.slotKind else { return test.acceptsNull }
    return try test.accepts(self.value(slot, kind, store: .none))
  }
}
