internal import FederatedModel
internal import FederatedStoreTesting

/// Chooses steps by chance, from what the naive graph says is there. The same seed chooses the same steps.
struct ScriptGenerator {
  private var random: SeededGenerator
  private var nextNode = 1

  init(seed: UInt64) { self.random = SeededGenerator(seed: seed) }

  private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self.random) }

  private mutating func pick<Element>(_ elements: [Element]) -> Element? {
    elements.randomElement(using: &self.random)
  }

  /// - Parameters:
  ///   - saved: what the stores hold.
  ///   - isClean: whether the context has no changes at all.
  mutating func step(_ graph: NaiveGraph, saved: NaiveGraph, isClean: Bool) -> ScriptStep {
    switch self.below(100) {
    case 0..<7: return .save
    case 7: return .failingSave
    case 8: return .permanentIdentifiers
    case 9..<11: return .rollback
    case 11..<16:
      guard let node = self.node(graph) else { break }
      return .refresh(node, merging: self.below(2) == 0)
    case 16..<18: return .refreshAll
    case 18..<20: return .letGo
    case 20: if isClean { return .reset }
    case 21..<25: return self.other(graph, saved, isClean)
    case 25..<29: if let node = self.pick(graph.members(of: "Node")) { return .readNotes(node) }
    case 29..<31: return .fetchAbove(self.below(6))
    case 31..<35: if let node = self.node(graph) { return .delete(node) }
    case 35..<42: if let node = self.node(graph) { return .look(node) }
    default: break
    }
    return self.edit(graph)
  }

  private mutating func other(_ graph: NaiveGraph, _ saved: NaiveGraph, _ isClean: Bool) -> ScriptStep {
    if isClean {
      var after = saved
      var steps: [ScriptStep] = []
      for _ in 0...self.below(4) {
        var step = self.edit(after)
        if self.below(6) == 0, let node = self.node(after) { step = .delete(node) }
        if case .save = step { continue }
        after.apply(step)
        steps.append(step)
      }
      return .other(steps)
    }
    let common = saved.nodes.keys.filter { graph.nodes[$0] != nil }.sorted()
    guard let node = self.pick(common), let entity = saved.nodes[node]?.entity,
      case .set(_, let key, let value) = self.value(node, entity, graph.model)
    else { return self.edit(graph) }
    return .otherValue(node, key, value)
  }

  private mutating func node(_ graph: NaiveGraph) -> Int? { self.pick(graph.nodes.keys.sorted()) }

  /// An insert, a value or a link.
  private mutating func edit(_ graph: NaiveGraph) -> ScriptStep {
    let kind = self.below(10)
    if kind < 2 || graph.nodes.count < 4, let entity = self.pick(ScriptModel.entities),
      graph.nodes.values.count(where: { $0.entity == entity.name }) < entity.most
    {
      self.nextNode += 1
      return .insert(self.nextNode, entity.name)
    }
    guard let node = self.node(graph), let entity = graph.nodes[node]?.entity else { return .save }
    if kind < 5 { return self.value(node, entity, graph.model) }
    guard let relationship = self.pick(graph.relationships(of: node)) else {
      return self.value(node, entity, graph.model)
    }
    return self.link(node, relationship, graph)
  }

  private mutating func value(_ node: Int, _ entity: String, _ model: ManagedObjectModel) -> ScriptStep {
    guard let attribute = self.pick(model.entity(named: entity)?.attributes ?? []) else { return .save }
    if self.below(5) == 0 { return .set(node, attribute.name, .null) }
    let value: Value =
      switch attribute.type {
      case .string: .string(["a", "bé", "a longer text than the others"][self.below(3)])
      case .boolean: .bool(self.below(2) == 0)
      default: .int(Int64(self.below(6)))
      }
    return .set(node, attribute.name, value)
  }

  private mutating func link(_ node: Int, _ relationship: Relationship, _ graph: NaiveGraph) -> ScriptStep {
    let others = graph.members(of: graph.model[relationship.destination].name)
    let name = relationship.name
    let linked = graph.links(node, relationship)
    guard let other = self.pick(others) else { return .save }
    guard relationship.isToMany else { return .point(node, name, self.below(4) == 0 ? nil : other) }
    switch self.below(relationship.isOrdered ? 8 : 5) {
    case 0:
      let few = others.shuffled(using: &self.random).prefix(self.below(4))
      return .assign(node, name, Array(few))
    case 1, 2:
      guard let member = self.pick(linked) else { return .add(node, name, other) }
      return .remove(node, name, member)
    case 5...:
      return .place(node, name, other, at: self.below(linked.filter { $0 != other }.count + 1))
    default: return .add(node, name, other)
    }
  }
}

extension NaiveGraph {
  /// What an edit does to the graph. Steps that are no edits do nothing.
  mutating func apply(_ step: ScriptStep) {
    func relationship(_ node: Int, _ name: String) -> Relationship? {
      self.relationships(of: node).first { $0.name == name }
    }
    switch step {
    case .insert(let node, let entity):
      var new = Node(entity: entity)
      for attribute in self.model.entity(named: entity)?.attributes ?? [] {
        new.values[attribute.name] = attribute.description.defaultValue
      }
      self.nodes[node] = new
    case .set(let node, let key, let value): self.nodes[node]?.values[key] = value
    case .point(let node, let name, let other):
      if let relationship = relationship(node, name) { self.set(node, relationship, to: other) }
    case .add(let node, let name, let other):
      if let relationship = relationship(node, name) { self.link(node, relationship, other) }
    case .remove(let node, let name, let other):
      if let relationship = relationship(node, name) { self.unlink(node, relationship, other) }
    case .place(let node, let name, let other, let place):
      if let relationship = relationship(node, name) {
        self.insert(other, into: node, relationship, at: place)
      }
    case .assign(let node, let name, let others):
      if let relationship = relationship(node, name) { self.set(node, relationship, to: others) }
    case .delete(let node):
      self.forgetReferrers(to: node)
      self.delete(node)
    default: break
    }
  }

  /// Who leads to a node over a relationship without an inverse: nothing clears such a link but its owner.
  func referrers(to node: Int) -> [(node: Int, relationship: Relationship)] {
    self.nodes.keys.sorted().flatMap { other in
      self.relationships(of: other).filter {
        $0.inverse == nil && self.links(other, $0).contains(node)
      }.map { (other, $0) }
    }
  }

  private mutating func forgetReferrers(to node: Int) {
    for (other, relationship) in self.referrers(to: node) { self.unlink(other, relationship, node) }
  }
}
