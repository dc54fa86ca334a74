internal import FederatedModel
internal import FederatedRuntime
internal import FederatedStore

/// One relationship of the script's model, and what is known of its ends when it is edited.
public struct UpkeepCase: Sendable, CustomStringConvertible {
  let entity: String
  let relationship: String
  let state: State

  enum State: String, CaseIterable, Sendable {
    case unsaved
    /// Saved, and everything read.
    case read
    /// Saved, and nothing read: upkeep must not read it.
    case faults
  }

  public var description: String { "\(self.entity).\(self.relationship), \(self.state)" }

  /// Every relationship from either end, one to one and many to many, ordered, to the entity itself, to and from
  /// subentities, without an inverse; in every state.
  public static let all: [UpkeepCase] = {
    let model: ManagedObjectModel
    do { model = try ScriptModel.make() } catch {
      preconditionFailure("the script has a sound model: \(error)")
    }
    return model.entities.flatMap { entity in
      entity.relationships.flatMap { relationship in
        State.allCases.map { UpkeepCase(entity: entity.name, relationship: relationship.name, state: $0) }
      }
    }
  }()

  /// Links and unlinks in every way, and compares with the naive graph after each edit.
  public func run(first: StoreKind, second: StoreKind) throws {
    let model = try ScriptModel.make()
    let coordinator = PersistentStoreCoordinator(model: model)
    let stores = try coordinator.add([try first.open("S", "A"), try second.open("X", "B")])
    guard let spy = stores[0] as? SpyStore,
      let relationship = model.entity(named: self.entity)?.relationship(named: self.relationship)
    else { preconditionFailure("the table names what is there") }
    let names = ScriptNames()
    var editor = ScriptEditor(
      ManagedObjectContext(coordinator: coordinator), NaiveGraph(model: model), names)
    for node in 1...3 { try editor.edit(.insert(node, self.entity)) }
    for node in 11...13 { try editor.edit(.insert(node, model[relationship.destination].name)) }
    if self.state != .unsaved {
      try editor.edit(self.link(1, 11, relationship))
      try editor.edit(self.link(2, 12, relationship))
      try editor.save()
      editor = ScriptEditor(ManagedObjectContext(coordinator: coordinator), editor.graph, names)
      if self.state == .read { try editor.checkAll() }
    }
    for step in self.steps(relationship) {
      spy.forgetCalls()
      try editor.edit(step)
      // Who reads nothing asks for no list.
      if self.state == .faults, !spy.calls.related.isEmpty {
        throw ScriptMismatch(description: "\(step) read a list")
      }
      let broken = editor.context.brokenInvariants()
      if !broken.isEmpty { throw ScriptMismatch(description: "\(step): \(broken)") }
      if self.state != .faults { try editor.checkAll() }
    }
    try editor.checkAll()
    try editor.save()
    try editor.checkAll()
    try ScriptEditor(ManagedObjectContext(coordinator: coordinator), editor.graph, names).checkAll()
  }

  private func link(_ node: Int, _ other: Int, _ relationship: Relationship) -> ScriptStep {
    relationship.isToMany ? .add(node, self.relationship, other) : .point(node, self.relationship, other)
  }

  private func steps(_ relationship: Relationship) -> [ScriptStep] {
    let isSelf = self.entity == "Node" && relationship.description.destination == "Node"
    var steps = [
      self.link(1, 12, relationship), self.link(3, 11, relationship), self.link(1, 13, relationship),
      self.link(2, 13, relationship), self.link(2, 13, relationship),
    ]
    if isSelf { steps += [self.link(3, 3, relationship), self.link(3, 1, relationship)] }
    if relationship.isToMany {
      steps += [
        .remove(2, self.relationship, 13), .remove(1, self.relationship, 11), self.link(1, 11, relationship),
      ]
      if self.state != .faults {
        steps += [.assign(3, self.relationship, [13, 12]), .assign(1, self.relationship, [])]
        if relationship.isOrdered {
          steps += [.place(3, self.relationship, 11, at: 0), .place(3, self.relationship, 12, at: 1)]
        }
      }
    } else {
      steps += [.point(2, self.relationship, nil), .point(2, self.relationship, nil)]
    }
    return steps
  }
}
