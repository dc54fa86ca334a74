import FederatedModel
import FederatedStore

extension StoreRouter {
  /// Every relationship whose two ends are both held must have a store that holds both.
  ///
  /// An end that no store holds yet is no reason: its store may still come. Fetched properties are never
  /// refused; they are the way across.
  func checkRelationships() throws(CoordinatorError) {
    for entity in self.model.entities where !entity.isAbstract {
      let own = self.routes.filter { $0.holds(entity.id) }
      if own.isEmpty { continue }
      for relationship in entity.relationships where !relationship.isTransient {
        let family = self.model[relationship.destination].family
        let other = self.routes.filter { route in family.contains { route.holds($0) } }
        if other.isEmpty || own.contains(where: { route in family.contains { route.holds($0) } }) { continue }
        throw self.refusal(of: relationship, from: entity, in: own, destinationIn: other)
      }
    }
  }

  private func refusal(
    of relationship: Relationship, from entity: Entity, in own: [Route], destinationIn other: [Route]
  ) -> CoordinatorError {
    let destination = self.model[relationship.destination]
    let ownNames = own.map(\.name).joined(separator: ", ")
    let otherNames = other.map(\.name).joined(separator: ", ")
    return CoordinatorError(
      .relationshipAcrossStores, store: other.last?.name, entity: entity.name, property: relationship.name,
      "a relationship cannot cross stores, and no store holds both its ends: \(entity.name) is in \(ownNames), "
        + "\(destination.name) in \(otherNames). "
        + Self.wayAcross(from: entity, to: destination, instead: relationship))
  }

  /// The advice that every refusal of a link between stores ends with.
  static func wayAcross(from entity: Entity, to destination: Entity, instead relationship: Relationship)
    -> String
  {
    if let fetched = entity.fetchedProperties.first(where: { $0.destination == destination.id }) {
      return "Fetched property \(entity.name).\(fetched.name) is the way across: read that instead, "
        + "and leave \(relationship.name) out of the model"
    }
    return
      "The way across is a fetched property: give \(entity.name) and \(destination.name) an attribute that "
      + "holds the same key, and declare a fetched property on \(entity.name) whose request over "
      + "\(destination.name) compares the two, such as \"ownerKey == $FETCH_SOURCE.key\""
  }
}
