internal import FederatedModel
internal import FederatedRuntime
internal import FederatedStore

/// A saved link without an inverse, whose destination is deleted before its owner is refreshed without merging.
///
/// Nobody but the edit that took the link away knows that it has to stay away.
public struct SeveredLinkCase: Sendable, CustomStringConvertible {
  let relationship: String
  let destination: String
  /// Whether the owner has everything read before it is edited.
  let isRead: Bool

  public var description: String { "\(self.relationship), \(self.isRead ? "read" : "a fault")" }

  public static let all: [SeveredLinkCase] = [("favourite", "Group"), ("likes", "Tag")].flatMap { link in
    [true, false].map { SeveredLinkCase(relationship: link.0, destination: link.1, isRead: $0) }
  }

  /// Deletes one of two destinations, refreshes the owner twice, saves, and compares with the naive graph.
  public func run(first: StoreKind, second: StoreKind) throws {
    let coordinator = PersistentStoreCoordinator(model: try ScriptModel.make())
    _ = try coordinator.add([try first.open("S", "A"), try second.open("X", "B")])
    let names = ScriptNames()
    let isToMany = self.relationship == "likes"
    func link(_ other: Int) -> ScriptStep {
      isToMany ? .add(1, self.relationship, other) : .point(1, self.relationship, other)
    }
    let before = ScriptEditor(
      ManagedObjectContext(coordinator: coordinator), NaiveGraph(model: coordinator.model), names)
    try before.edit(.insert(1, "Node"))
    for node in 11...13 { try before.edit(.insert(node, self.destination)) }
    if isToMany { try before.edit(link(12)) }
    try before.edit(link(11))
    try before.save()

    let saved = before.graph
    let editor = ScriptEditor(ManagedObjectContext(coordinator: coordinator), saved, names)
    if self.isRead { try editor.checkAll() }
    try editor.edit(.delete(11))
    try editor.edit(link(13))
    for _ in 1...2 {
      try editor.refresh(1, merging: false, saved: saved)
      if self.isRead { try editor.checkAll() }
    }
    try editor.save()
    try editor.checkAll()
    try ScriptEditor(ManagedObjectContext(coordinator: coordinator), editor.graph, names).checkAll()
  }
}
