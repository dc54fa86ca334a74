import FederatedModel
import FederatedStore

/// The distinct keys of many owners, numbered, and found again from values or rows.
///
/// Keys are the same when predicates call every part equal. A key that equals nothing, such as NaN, has no number.
struct LinkGroups {
  private(set) var keys: [[Value]] = []
  private let kinds: [SlotKind]
  private var numberByKey: [[MatchKey]: Int] = [:]
  /// Used while there is one integer column and every key is an integer or nil.
  private var numberByInteger: [Int64: Int] = [:]
  private var numberOfNull: Int?
  private var isIntegral: Bool

  init(kinds: [SlotKind]) {
    self.kinds = kinds
    self.isIntegral = kinds == [.int]
  }

  /// The number of a key, a new one when it was not met before; nil for one that equals nothing.
  mutating func number(of key: [Value]) -> Int? {
    if let known = self.existingNumber(of: key) { return known }
    let parts = key.map(MatchKey.init)
    guard parts.allSatisfy(\.isMatchable) else { return nil }
    let number = self.keys.count
    self.keys.append(key)
    self.numberByKey[parts] = number
    if self.isIntegral {
      switch key[0] {
      case .int(let integer): self.numberByInteger[integer] = number
      case .null: self.numberOfNull = number
      default: self.isIntegral = false
      }
    }
    return number
  }

  func existingNumber(of key: [Value]) -> Int? {
    if self.isIntegral, case .int(let integer) = key[0] { return self.numberByInteger[integer] }
    return self.numberByKey[key.map(MatchKey.init)]
  }

  /// The number of the key that a row has.
  func number(ofRow row: FetchedRow, _ attributes: [BoundAttribute]) -> Int? {
    if self.isIntegral {
      let slot = attributes[0].slot
      return row.snapshot.isNull(slot) ? self.numberOfNull : self.numberByInteger[row.snapshot.int(slot)]
    }
    return self.numberByKey[
      zip(attributes, self.kinds).map { MatchKey(row.snapshot.value($0.slot, $1, store: row.store)) }]
  }
}
