public import FederatedModel

/// Groups of rows, with what was gathered of each so far: the answer to a query for groups.
///
/// A store adds rows one by one, or groups that its own engine has made. Groups with equal keys become one: values are
/// equal as predicates have it, NaN counts as nil, and the two zeros are one.
public struct GroupTable: Sendable {
  public let grouping: BoundGrouping
  public private(set) var groups: [Group]
  private var places: [[MatchKey]: Int] = [:]
  private let blank: [AggregateState]

  public struct Group: Sendable {
    /// One for each key of the grouping.
    public fileprivate(set) var keys: [Value]
    /// One for each aggregate of the grouping.
    public fileprivate(set) var states: [AggregateState]
  }

  /// A table without groups; without keys, one of all rows that are still to come.
  public init(_ grouping: BoundGrouping) {
    self.grouping = grouping
    self.blank = grouping.aggregates.map { AggregateState($0) }
    self.groups = grouping.keys.isEmpty ? [Group(keys: [], states: self.blank)] : []
    if grouping.keys.isEmpty { self.places = [[]: 0] }
  }

  /// Adds a row.
  /// - Parameters:
  ///   - keys: its value for each key.
  ///   - operands: its value for each aggregate's operand.
  /// - Throws: `predicateTypeMismatch` for operands that cannot be added, or have no order.
  public mutating func add(
    keys: some Collection<Value>, operands: some Collection<Value>
  ) throws(FetchPredicateError) {
    let place = self.place(of: keys)
    var number = 0
    for operand in operands {
      try self.groups[place].states[number].add(operand)
      number += 1
    }
  }

  /// Adds what was gathered of a group elsewhere.
  public mutating func add(
    keys: some Collection<Value>, states: [AggregateState]
  ) throws(FetchPredicateError) {
    let place = self.place(of: keys)
    for (number, state) in states.enumerated() { try self.groups[place].states[number].add(state) }
  }

  /// Adds the groups of another table of the same grouping.
  public mutating func add(_ other: GroupTable) throws(FetchPredicateError) {
    for group in other.groups { try self.add(keys: group.keys, states: group.states) }
  }

  private mutating func place(of keys: some Collection<Value>) -> Int {
    let keys = keys.map(\.asKey)
    let index = keys.map { MatchKey($0) }
    if let place = self.places[index] {
      for (number, key) in keys.enumerated() {
        let known = self.groups[place].keys[number]
        self.groups[place].keys[number] = known.representative(beside: key)
      }
      return place
    }
    self.places[index] = self.groups.count
    self.groups.append(Group(keys: keys, states: self.blank))
    return self.groups.count - 1
  }
}
