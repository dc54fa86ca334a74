internal import FederatedModel
internal import FederatedRuntime

/// Which object has which number in the script, over all contexts.
final class ScriptNames {
  private var identifiers: [Int: ManagedObjectID] = [:]
  private var nodes: [ManagedObjectID: Int] = [:]

  func record(_ node: Int, _ id: ManagedObjectID) {
    self.identifiers[node] = id
    self.nodes[id] = node
  }

  func node(of object: ManagedObject) -> Int { self.nodes[object.objectID] ?? -1 }
  func identifier(of node: Int) -> ManagedObjectID? { self.identifiers[node] }
}

/// Something that is not as the naive graph has it.
struct ScriptMismatch: Error, CustomStringConvertible {
  let description: String
}

/// A context and the naive graph of what it must show, edited side by side.
final class ScriptEditor {
  let context: ManagedObjectContext
  var graph: NaiveGraph
  private let names: ScriptNames
  private var held: [Int: ManagedObject] = [:]
  /// Values that were set since the last save; they stay above what others save.
  private var written: Set<Written> = []

  private struct Written: Hashable {
    let node: Int
    let key: String
  }

  init(_ context: ManagedObjectContext, _ graph: NaiveGraph, _ names: ScriptNames) {
    self.context = context
    self.graph = graph
    self.names = names
  }

  func object(_ node: Int) throws -> ManagedObject {
    if let object = self.held[node] { return object }
    guard let id = self.names.identifier(of: node) else {
      throw ScriptMismatch(description: "\(node) has no identifier")
    }
    let object = self.context.object(with: id)
    self.held[node] = object
    return object
  }

  // MARK: Edits

  func edit(_ step: ScriptStep) throws {
    switch step {
    case .insert(let node, let entity):
      let object = try self.context.insert(entity)
      self.held[node] = object
      self.names.record(node, object.objectID)
    case .set(let node, let key, let value):
      try self.object(node).set(key, to: value)
      self.written.insert(Written(node: node, key: key))
    case .point(let node, let key, let other):
      try self.object(node).set(key, to: try other.map(self.object))
    case .add(let node, let key, let other): try self.object(node).add(self.object(other), to: key)
    case .remove(let node, let key, let other): try self.object(node).remove(self.object(other), from: key)
    case .place(let node, let key, let other, let place):
      try self.object(node).insert(self.object(other), into: key, at: place)
    case .assign(let node, let key, let others):
      try self.object(node).set(key, to: try others.map(self.object))
    case .delete(let node): try self.delete(node)
    default: throw ScriptMismatch(description: "\(step) is no edit")
    }
    self.graph.apply(step)
    self.forgetGone()
  }

  private func delete(_ node: Int) throws {
    for (other, relationship) in self.graph.referrers(to: node) {
      if relationship.isToMany {
        try self.object(other).remove(self.object(node), from: relationship.name)
      } else {
        try self.object(other).set(relationship.name, to: nil as ManagedObject?)
      }
    }
    self.context.delete(try self.object(node))
    try self.context.processPendingChanges()
  }

  private func forgetGone() { self.held = self.held.filter { self.graph.nodes[$0.key] != nil } }

  // MARK: The unit of work

  func save() throws {
    try self.context.save()
    self.written = []
    self.recordIdentifiers()
  }

  func obtainPermanentIdentifiers() throws {
    try self.context.obtainPermanentIDs(for: self.context.insertedObjects)
    self.recordIdentifiers()
  }

  private func recordIdentifiers() {
    for (node, object) in self.held { self.names.record(node, object.objectID) }
  }

  func rollback(to saved: NaiveGraph) {
    self.context.rollback()
    self.adopt(saved)
    self.written = []
  }

  /// The graph is that of others now; what this context reads is refreshed by the caller.
  func adopt(_ saved: NaiveGraph) {
    self.graph = saved
    self.forgetGone()
  }

  func refresh(_ node: Int, merging: Bool, saved: NaiveGraph) throws {
    self.context.refresh(try self.object(node), mergeChanges: merging)
    guard !merging, saved.nodes[node] != nil else { return }
    self.graph.revert(node, to: saved)
    self.written = self.written.filter { $0.node != node }
  }

  /// Another context saved a value.
  func takeOver(_ node: Int, _ key: String, _ value: Value) {
    self.context.refreshAll()
    if self.written.contains(Written(node: node, key: key)) { return }
    self.graph.nodes[node]?.values[key] = value
  }

  func letGo() { self.held = self.held.filter { $0.value.isInserted } }

  func reset() {
    self.context.reset()
    self.held = [:]
  }

  // MARK: Comparing

  func check(_ node: Int) throws {
    guard let expected = self.graph.nodes[node] else { return }
    let object = try self.object(node)
    for (key, value) in expected.values where try object.value(key) != value {
      throw ScriptMismatch(description: "\(node).\(key) is \(try object.value(key)), not \(value)")
    }
    for relationship in object.entity.relationships {
      let found =
        relationship.isToMany
        ? try object.objects(relationship.name) : try object.object(relationship.name).map { [$0] } ?? []
      try self.compare(
        found, self.graph.links(node, relationship), isOrdered: relationship.isOrdered,
        "\(node).\(relationship.name)")
    }
  }

  func compare(
    _ found: [ManagedObject], _ expected: [Int], isOrdered: Bool = false, _ what: String
  ) throws {
    let numbers = found.map { self.names.node(of: $0) }
    guard isOrdered ? numbers != expected : numbers.sorted() != expected.sorted() else { return }
    throw ScriptMismatch(description: "\(what) is \(numbers), not \(expected)")
  }

  /// Compares everything: each object, and what fetches of each entity find.
  func checkAll() throws {
    for node in self.graph.nodes.keys.sorted() { try self.check(node) }
    for entity in self.graph.model.entities where entity.parent == nil {
      try self.compare(
        try self.context.fetch(FetchRequest(entity.name)), self.graph.members(of: entity.name),
        "fetch of \(entity.name)")
    }
  }
}
