internal import FederatedModel
internal import FederatedRuntime
internal import FederatedStore

/// One run of a random script over two stores.
final class ScriptRun {
  private let coordinator: PersistentStoreCoordinator
  private let stores: [SpyStore]
  private let names = ScriptNames()
  private let main: ScriptEditor
  /// What the stores must hold.
  private var saved: NaiveGraph
  private var generator: ScriptGenerator
  private(set) var steps: [ScriptStep] = []

  init(seed: UInt64, first: StoreKind, second: StoreKind) throws {
    let model = try ScriptModel.make()
    self.coordinator = PersistentStoreCoordinator(model: model)
    self.stores = try self.coordinator.add([try first.open("S", "A"), try second.open("X", "B")]).map {
      guard let spy = $0 as? SpyStore else { preconditionFailure("a spying type opens spies") }
      return spy
    }
    self.saved = NaiveGraph(model: model)
    self.main = ScriptEditor(
      ManagedObjectContext(coordinator: self.coordinator), self.saved, self.names)
    self.generator = ScriptGenerator(seed: seed)
  }

  /// Chooses and does one more step, and looks at what never asks a store.
  func advance() throws {
    let step = self.generator.step(
      self.main.graph, saved: self.saved, isClean: !self.main.context.hasChanges)
    self.steps.append(step)
    try self.perform(step)
    let broken = self.main.context.brokenInvariants()
    if !broken.isEmpty { throw ScriptMismatch(description: broken.joined(separator: "; ")) }
  }

  /// Compares everything that the context shows.
  func check() throws { try self.main.checkAll() }

  private func perform(_ step: ScriptStep) throws {
    switch step {
    case .save: try self.save()
    case .failingSave: try self.failingSave()
    case .permanentIdentifiers: try self.main.obtainPermanentIdentifiers()
    case .rollback: self.main.rollback(to: self.saved)
    case .refresh(let node, let merging): try self.main.refresh(node, merging: merging, saved: self.saved)
    case .refreshAll: self.main.context.refreshAll()
    case .letGo: self.main.letGo()
    case .reset: self.main.reset()
    case .other(let steps): try self.other(steps)
    case .otherValue(let node, let key, let value): try self.otherValue(node, key, value)
    case .readNotes(let node): try self.readNotes(of: node)
    case .look(let node): try self.main.check(node)
    case .fetchAbove(let number): try self.fetch(above: number)
    default: try self.main.edit(step)
    }
  }

  private func save() throws {
    try self.main.save()
    self.saved = self.main.graph
    try self.checkStores()
  }

  /// What a new context reads is what was saved.
  private func checkStores() throws {
    let context = ManagedObjectContext(coordinator: self.coordinator)
    try ScriptEditor(context, self.saved, self.names).checkAll()
  }

  private func failingSave() throws {
    for store in self.stores { store.fail(.prepare) }
    defer { for store in self.stores { store.heal() } }
    do {
      try self.main.save()
      // There was nothing for a store to write.
      self.saved = self.main.graph
    } catch SaveError.refused {}
    for store in self.stores { store.heal() }
    try self.checkStores()
  }

  private func other(_ steps: [ScriptStep]) throws {
    let editor = ScriptEditor(
      ManagedObjectContext(coordinator: self.coordinator), self.saved, self.names)
    for step in steps { try editor.edit(step) }
    try editor.save()
    self.saved = editor.graph
    self.main.adopt(self.saved)
    self.main.context.refreshAll()
    try self.checkStores()
  }

  private func otherValue(_ node: Int, _ key: String, _ value: Value) throws {
    let editor = ScriptEditor(
      ManagedObjectContext(coordinator: self.coordinator), self.saved, self.names)
    try editor.edit(.set(node, key, value))
    try editor.save()
    self.saved = editor.graph
    self.main.takeOver(node, key, value)
  }

  private func readNotes(of node: Int) throws {
    let owner = try self.main.object(node)
    self.main.context.refresh(owner, mergeChanges: true)
    let graph = self.main.graph
    let number = graph.nodes[node]?.values["number"] ?? .null
    let expected = graph.members(of: "Note").filter { graph.nodes[$0]?.values["key"] == number }
    try self.main.compare(try owner.fetched("notes"), expected, "notes of \(node)")
  }

  private func fetch(above number: Int) throws {
    let graph = self.main.graph
    let expected = graph.members(of: "Node").filter {
      if case .int(let value)? = graph.nodes[$0]?.values["number"] { value > number } else { false }
    }
    let request = FetchRequest("Node", where: try FetchPredicate(format: "number > %@", number))
    try self.main.compare(try self.main.context.fetch(request), expected, "number > \(number)")
    let count = try self.main.context.count(for: request)
    if count != expected.count {
      throw ScriptMismatch(description: "\(count) are counted, not \(expected.count)")
    }
  }
}
