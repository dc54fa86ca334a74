import FederatedModel

extension ManagedObjectContext {
  func prefetchRelationships(_ paths: [String], for objects: [ManagedObject]) throws {}
}
