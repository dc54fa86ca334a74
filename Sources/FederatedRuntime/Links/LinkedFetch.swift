import FederatedModel
import FederatedStore

/// A request with conditions or sort keys through fetched properties, resolved for one context: a semi-join over
/// sets of keys, with one request for each side.
///
/// A condition that some linked object passes, through a link that is nothing but equal columns, is asked of the
/// linked side first: its keys then narrow the request. Where the request's own predicate leaves few rows, where the
/// property has a window, and where the absence or the number of linked objects counts, the sources are read first
/// and the linked side is asked by their keys.
struct LinkedFetch {
  private let context: ManagedObjectContext
  /// The request without its links.
  private let base: ResolvedFetch
  private let tests: [LinkedTest]
  /// The order, where a part of it leads through a link; else the stores have it.
  private let order: LinkedOrder?

  init(_ request: FetchRequest, in context: ManagedObjectContext) throws {
    self.context = context
    let own = request.withoutLinks
    self.base = try ResolvedFetch(own, in: context)
    let entity = self.base.entity
    self.tests = try request.linkedConditions.map { try LinkedTest($0, of: entity, in: context) }
    self.order =
      own.sortDescriptors.count == request.sortDescriptors.count
      ? nil : try LinkedOrder(request.sortDescriptors, of: entity, in: context)
  }

  // MARK: Answers

  func objects() throws -> [ManagedObject] {
    try self.context.withReadScope {
      let narrowed = try self.narrowed()
      if narrowed.isEmpty { return [] }
      let overlay = try PendingOverlay(self.base, in: self.context)
      if let bound = self.whole(narrowed, overlay) {
        return self.context.objects(of: try self.context.reading { try $0.fetch(bound) }, self.base.request)
      }
      return self.base.window(try self.judged(narrowed, overlay))
    }
  }

  func count() throws -> Int {
    try self.context.withReadScope {
      let narrowed = try self.narrowed()
      if narrowed.isEmpty { return 0 }
      let overlay = try PendingOverlay(self.base, in: self.context)
      if let bound = self.whole(narrowed, overlay) { return try self.context.reading { try $0.count(bound) } }
      return self.base.window(try self.judged(narrowed, overlay)).count
    }
  }

  /// The distinct keys of everything found, without a window.
  func keys(_ columns: [BoundAttribute]) throws -> LinkGroups {
    var groups = LinkGroups(kinds: columns.compactMap(\.type.slotKind))
    let narrowed = try self.narrowed()
    if narrowed.isEmpty { return groups }
    let overlay = try PendingOverlay(self.base, in: self.context)
    guard overlay == nil, self.whole(narrowed, overlay) != nil else {
      for object in try self.judged(narrowed, overlay) {
        _ = groups.number(of: try columns.map { try object.storedValue($0.name) })
      }
      return groups
    }
    var bound = self.base.unwindowed(under: nil)
    bound.keys = narrowed.keys
    try self.context.reading { read in
      // An explanation notes whole answers; without one no more than a part of the rows is held.
      if self.context.scope.recorder != nil {
        LinkedFetch.collect(try read.fetch(bound), columns, into: &groups)
      } else {
        try read.stream(bound, batch: 1000) { LinkedFetch.collect($0, columns, into: &groups) }
      }
    }
    return groups
  }

  private static func collect(
    _ rows: FetchedRows, _ columns: [BoundAttribute], into groups: inout LinkGroups
  ) {
    for row in rows {
      _ = groups.number(
        of: columns.map { column in
          column.type.slotKind.map { row.snapshot.value(column.slot, $0, store: row.store) } ?? .null
        })
    }
  }

  // MARK: Narrowing

  /// What the linked sides said when they were asked first.
  private struct Narrowed {
    /// The fewest keys of all conditions that were asked first.
    var keys: LinkKeys?
    /// The condition that the keys settle for unchanged rows.
    var settled: Int?
    /// Keys by condition.
    var groups: [Int: LinkGroups] = [:]
    var isEmpty: Bool { self.groups.values.contains { $0.keys.isEmpty } }
  }

  /// Rows that the request's own predicate leaves, up to which they are read before the linked side.
  private static let few = ManagedObjectContext.prefetchBatch

  private func narrowed() throws -> Narrowed {
    var narrowed = Narrowed()
    let askable = self.tests.indices.filter { self.tests[$0].columns != nil }
    if try askable.isEmpty || self.leavesFew() { return narrowed }
    for number in askable {
      guard let columns = self.tests[number].columns else { continue }
      let groups = try self.tests[number].keysOfPassing(columns.destination)
      narrowed.groups[number] = groups
      if groups.keys.isEmpty { return narrowed }
      if groups.keys.count < narrowed.keys?.keys.count ?? .max {
        narrowed.keys = LinkKeys(attributes: columns.source, keys: groups.keys)
        narrowed.settled = number
      }
    }
    return narrowed
  }

  /// Whether the request's own predicate is the better filter.
  private func leavesFew() throws -> Bool {
    guard self.base.predicate != nil else { return false }
    let overlay = try PendingOverlay(self.base, in: self.context)
    let bound = self.base.unwindowed(under: overlay)
    return try self.context.step("how many \(self.base.entity.name) the predicate leaves") {
      try self.context.reading { try $0.count(bound) }
    } <= LinkedFetch.few
  }

  /// What stores are asked when nothing is left to be done here.
  private func whole(_ narrowed: Narrowed, _ overlay: PendingOverlay?) -> BoundRequest? {
    guard overlay == nil, self.order == nil, self.tests.count == (narrowed.settled == nil ? 0 : 1) else {
      return nil
    }
    var bound = self.base.bound(under: nil)
    bound.keys = narrowed.keys
    return bound
  }

  // MARK: Judging

  /// Everything that passes, in order, without a window.
  private func judged(_ narrowed: Narrowed, _ overlay: PendingOverlay?) throws -> [ManagedObject] {
    var bound = self.base.unwindowed(under: overlay)
    bound.keys = narrowed.keys
    let rows = try self.context.reading { try $0.fetch(bound) }
    var objects = self.context.objects(of: rows, self.base.request)
    if let overlay { objects = try overlay.applied(to: objects, matching: overlay.matching()) }
    for (number, test) in self.tests.enumerated() {
      if let groups = narrowed.groups[number], let columns = test.columns {
        let isSettled = number == narrowed.settled
        objects = try objects.filter { object in
          if isSettled, object.changedPlace < 0 { return true }
          let key = try columns.source.map { try object.storedValue($0.name) }
          return groups.existingNumber(of: key) != nil
        }
      } else {
        objects = try test.passing(of: objects, because: self.reason(test))
      }
    }
    return try self.order?.sorted(objects) ?? objects
  }

  private func reason(_ test: LinkedTest) -> String? {
    if test.columns != nil { return "the predicate leaves few sources" }
    if test.link.hasWindow { return "the property has a limit or an offset" }
    if test.link.property.plan != nil, test.link.sourceColumns == nil {
      return "a key is no column of the source"
    }
    return "the absence or the number of linked rows counts"
  }
}
