import FederatedModel
import FederatedStore

/// A link without keys: the linked side is asked once for all sources, and each pair is judged in memory.
struct LinkedPairs {
  private let link: LinkedProperty
  private let context: ManagedObjectContext
  /// Terms that are the same for every source; the stores judge them.
  private let common: FetchPredicate?
  /// Terms that mention the source.
  private let paired: FetchPredicate?

  init(_ link: LinkedProperty, adding condition: FetchPredicate?) {
    self.link = link
    self.context = link.context
    let resolved = link.context.resolving(link.stored.predicate, of: link.property)
    let terms = resolved?.conjunction ?? []
    let paired = terms.filter { $0.freeVariables.contains("FETCH_SOURCE") }
    let common = terms.filter { !$0.freeVariables.contains("FETCH_SOURCE") }
    self.paired = FetchPredicate.joined(paired)
    self.common = FetchPredicate.joined(FetchPredicate.joined(common), condition)
  }

  func answer(for sources: [ManagedObject], _ share: inout LinkShare) throws -> LinkedObjects {
    var request = self.link.stored
    request.predicate = self.common
    (request.fetchLimit, request.fetchOffset, request.fetchBatchSize) = (0, 0, 0)
    share.requests += 1
    let window = try ResolvedFetch(self.link.stored.unconditional, in: self.context)
    let objects = try self.context.step("\(share.entity).\(share.property) of all sources") {
      try self.context.objects(for: try ResolvedFetch(request, in: self.context))
    }
    guard let paired = self.paired else {
      return LinkedObjects(
        groupOfSource: [Int?](repeating: 0, count: sources.count), groups: [window.window(objects)])
    }
    try self.prefetch(paired, objects, sources)
    var answer = LinkedObjects(groupOfSource: [], groups: [])
    var groupByQuestion: [FetchPredicate: Int] = [:]
    for source in sources {
      let fetchSource = FetchSource(
        owner: source, property: self.link.property, userInfo: [:], computes: false)
      let question = try paired.substitutingPaths(fetchSource.value)
      if let known = groupByQuestion[question] {
        answer.groupOfSource.append(known)
        continue
      }
      let prepared = try PreparedPredicate(
        try question.bound(to: self.link.destination, in: self.context.model))
      groupByQuestion[question] = answer.groups.count
      answer.groupOfSource.append(answer.groups.count)
      answer.groups.append(window.window(try objects.filter { try prepared.evaluate($0) }))
    }
    return answer
  }

  /// Loads by the set what the terms read through relationships, on both sides.
  private func prefetch(
    _ terms: FetchPredicate, _ objects: [ManagedObject], _ sources: [ManagedObject]
  ) throws {
    let model = self.context.model
    let ofObjects = Set(
      terms.keyPaths.compactMap { self.link.destination.relationshipPath(of: $0, in: model) })
    try self.context.prefetchRelationships(ofObjects.sorted(), for: objects)
    var ofSources: Set<String> = []
    _ = terms.substitutingPaths { variable, keys in
      if variable == "FETCH_SOURCE", let path = self.link.source.relationshipPath(of: keys, in: model) {
        ofSources.insert(path)
      }
      return nil
    }
    try self.context.prefetchRelationships(ofSources.sorted(), for: sources)
  }
}

extension FetchRequest {
  /// The same window without a condition.
  fileprivate var unconditional: FetchRequest {
    var copy = self
    copy.predicate = nil
    return copy
  }
}

extension FetchPredicate {
  /// The terms that must all hold; an AND inside an AND adds its terms to it.
  var conjunction: [FetchPredicate] {
    if case .and(let terms) = self { terms.flatMap(\.conjunction) } else { [self] }
  }

  /// One predicate that holds where all do; nil for none.
  static func joined(_ terms: [FetchPredicate]) -> FetchPredicate? {
    terms.count < 2 ? terms.first : .and(terms)
  }

  /// One predicate that holds where both do; nil is no condition.
  static func joined(_ one: FetchPredicate?, _ other: FetchPredicate?) -> FetchPredicate? {
    self.joined([one, other].compactMap(\.self))
  }
}
