package import FederatedModel
import FederatedStore

/// Which stores hold which entity: a pure table, in order of attachment.
package struct StoreRouter: Sendable {
  /// What the table knows of one store.
  package struct Route: Sendable {
    package let store: StoreID
    package let name: String
    package let isWritable: Bool
    /// By entity number.
    fileprivate let holds: [Bool]

    package func holds(_ entity: EntityID) -> Bool { self.holds[entity.index] }
  }

  package let model: ManagedObjectModel
  package private(set) var routes: [Route] = []
  /// The stores that hold each entity, and those that hold it or a subentity, by entity number.
  private var holders: [[StoreID]]
  private var familyHolders: [[StoreID]]

  package init(model: ManagedObjectModel) {
    self.model = model
    self.holders = Array(repeating: [], count: model.entities.count)
    self.familyHolders = self.holders
  }

  /// The table with one store more, without a check of relationships: several stores may have to come together.
  /// - Parameter configuration: nil holds every entity.
  package func adding(
    _ store: StoreID, name: String, configuration: String?, isWritable: Bool
  ) throws(CoordinatorError) -> StoreRouter {
    guard let entities = self.model.entities(forConfiguration: configuration) else {
      let known = self.model.configurations.map(\.name).joined(separator: ", ")
      throw CoordinatorError(
        .unknownConfiguration, store: name,
        "the model has no configuration \(configuration ?? ""); "
          + (known.isEmpty ? "it has none: leave the configuration out" : "it has \(known)"))
    }
    var holds = [Bool](repeating: false, count: self.model.entities.count)
    for entity in entities { holds[entity.id.index] = true }
    var router = self
    router.routes.append(Route(store: store, name: name, isWritable: isWritable, holds: holds))
    router.findHolders()
    return router
  }

  package func removing(_ store: StoreID) -> StoreRouter {
    var router = self
    router.routes.removeAll { $0.store == store }
    router.findHolders()
    return router
  }

  private mutating func findHolders() {
    for entity in self.model.entities {
      self.holders[entity.id.index] = self.routes.filter { $0.holds(entity.id) }.map(\.store)
      self.familyHolders[entity.id.index] =
        self.routes.filter { route in entity.family.contains { route.holds($0) } }.map(\.store)
    }
  }

  package func route(_ store: StoreID) -> Route? { self.routes.first { $0.store == store } }

  /// The stores that a fetch asks: those that hold the entity or, when wanted, one of its subentities.
  package func readers(of entity: EntityID, includingSubentities: Bool) -> [StoreID] {
    includingSubentities ? self.familyHolders[entity.index] : self.holders[entity.index]
  }

  /// The stores that a new object of the entity may go to.
  package func writers(of entity: EntityID) -> [StoreID] {
    self.routes.filter { $0.isWritable && $0.holds(entity) }.map(\.store)
  }
}
