import FederatedModel
import Foundation
import Testing

@Suite("A row answers in its slots as it would answer boxed") struct InPlaceTests {
  private struct Row: PredicateSubject {
    let row: Snapshot
    let isBoxed: Bool

    func attribute(_ attribute: BoundAttribute) throws -> Value {
      attribute.type.slotKind.map { self.row.value(attribute.slot, $0, store: StoreID(1)) } ?? .null
    }
    func passes(_ test: AttributeTest) throws -> Bool {
      self.isBoxed ? try test.accepts(try self.attribute(test.attribute)) : try self.row.passes(test)
    }
    func toOne(_ relationship: BoundRelationship) throws -> (any PredicateSubject)? { nil }
    func toMany(_ relationship: BoundRelationship) throws -> [any PredicateSubject] { [] }
    func operand(forKey key: String) throws -> PredicateOperand { .value(.null) }
    var predicateIdentity: ManagedObjectID? { nil }
  }

  static let types: [AttributeType] = [
    .integer64, .boolean, .double, .float, .decimal, .date, .string, .uri, .binary, .uuid,
  ]

  @Test("random rows, constants and operators", arguments: types)
  func randomTests(type: AttributeType) throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = RandomPredicates(seed: seed)
    let kind = try #require(type.slotKind)
    let layout = RowLayout(entity: EntityID(0), columns: [.init(name: "x", slot: 0, kind: kind)])
    let attribute = BoundAttribute(name: "x", entity: EntityID(0), slot: 0, type: type)
    var values: [Value] = [.null]
    var rows = RowBlockBuilder(layout: layout)
    while values.count < 60 {
      let value = random.near(kind)
      rows.beginRow(reference: 1, version: 1)
      if rows.set(value, at: 0, kind) { values.append(value) } else { rows.dropRow() }
    }
    let block = rows.finish()
    var answers = 0
    for _ in 0..<3000 {
      let options = FetchPredicate.Options(rawValue: random.flip() ? 0 : UInt8(random.pick(4)))
      let constant = random.pick(4) == 0 ? random.value(depth: 1) : values[random.pick(values.count)]
      let comparison = BoundPredicate.comparison(
        .init(
          .path(.evaluatedObject, [.attribute(attribute)]), FetchPredicate.Operator.allCases[random.pick(13)],
          .constant(constant), modifier: .direct, options: options))
      let row = block[random.pick(block.count)]
      let inPlace = Result { try comparison.evaluate(Row(row: row, isBoxed: false)) }
      let boxed = Result { try comparison.evaluate(Row(row: row, isBoxed: true)) }
      switch (inPlace, boxed) {
      case (.success(let a), .success(let b)):
        answers += 1
        #expect(a == b, "seed \(seed): \(row.value(0, kind, store: .none)) \(comparison)")
      case (.failure, .failure): continue
      default:
        Issue.record("seed \(seed): \(row.value(0, kind, store: .none)) \(comparison): \(inPlace) \(boxed)")
      }
    }
    #expect(answers > 100)
  }
}

extension RandomPredicates {
  /// A value of a column's kind, from a small range so that equal ones meet.
  mutating func near(_ kind: SlotKind) -> Value {
    let number = self.pick(40) - 20
    switch kind {
    case .int: return .int(Int64(number))
    case .bool: return .bool(number > 0)
    case .double, .float:
      return .double([Double(number) / 4, .nan, -0.0, .infinity][max(0, self.pick(10) - 6)])
    case .decimal:
      return .decimal(
        Decimal(
          sign: number < 0 ? .minus : .plus, exponent: -self.pick(30), significand: Decimal(number.magnitude))
      )
    case .date: return .date(Date(timeIntervalSinceReferenceDate: Double(number) / 2))
    case .string, .uri:
      let text = (0..<self.pick(4)).map { _ in ["a", "b", "é", "B"][self.pick(4)] }.joined()
      return kind == .uri ? .uri(text) : .string(text)
    case .data: return .data(Data([UInt8(number & 3)]))
    case .uuid: return .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number & 3))))
    case .reference: return .null
    }
  }
}
