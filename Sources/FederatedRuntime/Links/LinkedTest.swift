import FederatedModel
import FederatedStore

/// A linked condition, resolved: which linked objects pass, and which sources pass by them.
struct LinkedTest {
  let link: LinkedProperty
  private let context: ManagedObjectContext
  private let condition: LinkedCondition
  /// How many must pass, after a condition on all was turned into one on none.
  private let test: LinkedCondition.Test
  /// What stores are asked for beside the stored question.
  private let asked: FetchPredicate?
  /// What linked objects are tested with after they were read.
  private let judged: FetchPredicate?

  init(
    _ condition: LinkedCondition, of source: Entity, in context: ManagedObjectContext
  ) throws {
    let link = try LinkedProperty(condition.property, of: source, in: context)
    self.link = link
    self.context = context
    self.condition = condition
    // The window is of what the property finds, and its members are tested afterwards. So it is with members that
    // the property finds by their saved values, and that have others now.
    let isWhole = !link.hasWindow && (link.stored.includesPendingChanges || !context.hasChanges)
    if condition.test == .all, condition.conditions.isEmpty, let predicate = condition.predicate, isWhole {
      (self.test, self.asked, self.judged) = (.none, .not(predicate), nil)
    } else if isWhole, condition.test != .all {
      (self.test, self.asked, self.judged) = (condition.test, condition.predicate, nil)
    } else {
      (self.test, self.asked, self.judged) = (condition.test, nil, condition.predicate)
    }
    // Whatever is found, a predicate that cannot be asked is refused.
    if let predicate = condition.predicate {
      _ = try ResolvedFetch(FetchRequest(link.destination.name, where: predicate), in: context)
    }
    for nested in condition.conditions {
      _ = try LinkedTest(nested, of: link.destination, in: context)
    }
  }

  /// Whether every source passes, whatever is linked.
  private var isAlwaysPassed: Bool {
    self.condition.test == .all && self.condition.predicate == nil && self.condition.conditions.isEmpty
  }

  /// The columns of both sides, when sources that pass are exactly those with a key of a linked row that passes.
  var columns: (source: [BoundAttribute], destination: [BoundAttribute])? {
    guard self.test == .any, self.judged == nil, !self.link.hasWindow,
      let source = self.link.sourceColumns, self.link.destinationColumns.count == source.count
    else { return nil }
    return (source, self.link.destinationColumns)
  }

  // MARK: The linked side first

  /// The keys of all linked objects that pass: one question.
  func keysOfPassing(_ columns: [BoundAttribute]) throws -> LinkGroups {
    var share = self.link.share(of: self.condition.clause)
    share.direction = .linkedFirst
    share.requests = 1
    var request = self.link.stored
    let residual = self.context.resolving(self.link.property.plan?.residual, of: self.link.property)
    request.predicate = FetchPredicate.joined(residual, self.asked)
    request.sortDescriptors = []
    request.linkedConditions = self.condition.conditions
    let found = try self.context.step(
      "keys of \(share.entity).\(share.property)", keys: \.keys.count
    ) { try LinkedFetch(request, in: self.context).keys(columns) }
    share.keys = found.keys.count
    self.context.scope.recorder?.note(share)
    return found
  }

  // MARK: Sources first

  /// The sources that pass, in their order.
  func passing(of sources: [ManagedObject], because reason: String?) throws -> [ManagedObject] {
    var share = self.link.share(of: self.condition.clause)
    share.reason = reason
    defer { self.context.scope.recorder?.note(share) }
    if self.isAlwaysPassed || sources.isEmpty { return sources }
    var passing: [ManagedObject] = []
    try self.link.read(for: sources, adding: self.asked, &share) { part, answer in
      let passed = try self.passed(of: answer.groups)
      let verdicts = answer.groups.map { group in
        self.holds(
          passed.map { passed in group.count { passed.contains(ObjectIdentifier($0)) } } ?? group.count,
          of: group.count)
      }
      let verdictWithoutKey = self.holds(0, of: 0)
      for (source, group) in zip(part, answer.groupOfSource)
      where group.map({ verdicts[$0] }) ?? verdictWithoutKey {
        passing.append(source)
      }
    }
    return passing
  }

  /// The linked objects that pass what stores were not asked; nil when that is all of them.
  private func passed(of groups: [[ManagedObject]]) throws -> Set<ObjectIdentifier>? {
    if self.judged == nil, self.condition.conditions.isEmpty { return nil }
    var members: [ManagedObject] = []
    var seen: Set<ObjectIdentifier> = []
    for group in groups {
      for object in group where seen.insert(ObjectIdentifier(object)).inserted { members.append(object) }
    }
    if self.condition.conditions.isEmpty, let judged = self.judged {
      let bound = try judged.bound(to: self.link.destination, in: self.context.model)
      // Without links everything that the predicate reads is at hand.
      if bound.followedEntities.isEmpty {
        let prepared = try PreparedPredicate(bound)
        return Set(try members.filter { try prepared.evaluate($0) }.map(ObjectIdentifier.init))
      }
    }
    if members.isEmpty { return [] }
    var request = FetchRequest(self.link.destination.name)
    request.predicate = FetchPredicate.joined(.isOne(of: members.map(\.objectID)), self.judged)
    request.linkedConditions = self.condition.conditions
    let passed = try self.context.step("linked \(self.link.destination.name) that pass") {
      try LinkedFetch(request, in: self.context).objects()
    }
    return Set(passed.map(ObjectIdentifier.init))
  }

  private func holds(_ passing: Int, of all: Int) -> Bool {
    switch self.test {
    case .any: passing > 0
    case .none: passing == 0
    case .all: passing == all
    case .count(let comparison, let count): comparison.holds(passing, count)
    }
  }
}

extension FetchPredicate {
  /// Whether the object is one of these.
  static func isOne(of identifiers: [ManagedObjectID]) -> FetchPredicate {
    .comparison(.init(.evaluatedObject, .in, .constant(.list(identifiers.map { .object($0) }))))
  }
}
