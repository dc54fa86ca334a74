internal import FederatedModel

/// What a graph of objects should be, written as simply as can be: dictionaries, and links told at both ends.
struct NaiveGraph: Equatable {
  struct Node: Equatable {
    let entity: String
    var values: [String: Value] = [:]
    /// Destinations by relationship, in order; at most one for a to-one.
    var links: [String: [Int]] = [:]
  }

  let model: ManagedObjectModel
  var nodes: [Int: Node] = [:]

  static func == (left: NaiveGraph, right: NaiveGraph) -> Bool { left.nodes == right.nodes }

  // MARK: Reading

  /// The objects of an entity and its subentities, by number.
  func members(of entity: String) -> [Int] {
    guard let entity = self.model.entity(named: entity) else { return [] }
    let family = Set(entity.family.map { self.model[$0].name })
    return self.nodes.filter { family.contains($0.value.entity) }.keys.sorted()
  }

  func relationships(of node: Int) -> [Relationship] {
    self.nodes[node].flatMap { self.model.entity(named: $0.entity) }?.relationships ?? []
  }

  func inverse(of relationship: Relationship) -> Relationship? {
    relationship.inverse.map { self.model.relationship($0) }
  }

  func links(_ node: Int, _ relationship: Relationship) -> [Int] {
    self.nodes[node]?.links[relationship.name] ?? []
  }

  // MARK: Links

  /// Links two nodes at both ends, and lets go of whom a to-one of either led to before.
  mutating func link(_ node: Int, _ relationship: Relationship, _ other: Int) {
    if self.links(node, relationship).contains(other) { return }
    let inverse = self.inverse(of: relationship)
    if !relationship.isToMany, let old = self.links(node, relationship).first {
      self.unlink(node, relationship, old)
    }
    if let inverse, !inverse.isToMany, let old = self.links(other, inverse).first {
      self.unlink(old, relationship, other)
    }
    self.nodes[node]?.links[relationship.name, default: []].append(other)
    if let inverse, !self.links(other, inverse).contains(node) {
      self.nodes[other]?.links[inverse.name, default: []].append(node)
    }
  }

  mutating func unlink(_ node: Int, _ relationship: Relationship, _ other: Int) {
    self.nodes[node]?.links[relationship.name]?.removeAll { $0 == other }
    guard let inverse = self.inverse(of: relationship) else { return }
    self.nodes[other]?.links[inverse.name]?.removeAll { $0 == node }
  }

  mutating func set(_ node: Int, _ relationship: Relationship, to other: Int?) {
    let old = self.links(node, relationship).first
    if old == other { return }
    if let old { self.unlink(node, relationship, old) }
    if let other { self.link(node, relationship, other) }
  }

  mutating func set(_ node: Int, _ relationship: Relationship, to members: [Int]) {
    for old in self.links(node, relationship) where !members.contains(old) {
      self.unlink(node, relationship, old)
    }
    for member in members { self.link(node, relationship, member) }
    if relationship.isOrdered { self.nodes[node]?.links[relationship.name] = members }
  }

  mutating func insert(_ member: Int, into node: Int, _ relationship: Relationship, at place: Int) {
    var members = self.links(node, relationship).filter { $0 != member }
    members.insert(member, at: place)
    self.set(node, relationship, to: members)
  }

  // MARK: Deleting and taking back

  /// Follows the delete rules.
  mutating func delete(_ node: Int) {
    var doomed = [node]
    while let next = doomed.popLast() {
      guard self.nodes[next] != nil else { continue }
      for relationship in self.relationships(of: next) {
        let others = self.links(next, relationship)
        if relationship.description.deleteRule == .cascade { doomed += others }
        for other in others { self.unlink(next, relationship, other) }
      }
      self.nodes[next] = nil
    }
  }

  /// Makes one node what is saved of it, with the other ends of its links; what is deleted meanwhile stays so.
  mutating func revert(_ node: Int, to saved: NaiveGraph) {
    guard let stored = saved.nodes[node] else { return }
    self.nodes[node]?.values = stored.values
    for relationship in self.relationships(of: node) {
      let before = saved.links(node, relationship).filter { self.nodes[$0] != nil }
      let after = self.links(node, relationship)
      let changed = after.filter { !before.contains($0) } + before.filter { !after.contains($0) }
      guard let inverse = self.inverse(of: relationship) else {
        self.nodes[node]?.links[relationship.name] = before
        continue
      }
      if !relationship.isToMany {
        self.set(node, relationship, to: before.first)
      } else if inverse.isToMany {
        for other in changed {
          if after.contains(other) {
            self.unlink(node, relationship, other)
          } else {
            self.link(node, relationship, other)
          }
        }
      } else {
        // The to-one end of a link tells where it leads.
        for other in changed {
          self.set(other, inverse, to: saved.links(other, inverse).first { self.nodes[$0] != nil })
        }
      }
      if relationship.isOrdered { self.nodes[node]?.links[relationship.name] = before }
    }
  }
}
