import FederatedModel

/// What few objects have, kept apart so that the others stay small.
final class ObjectExtras {
  var fetched: [FetchedArray] = []
  var toMany: [ToManyList] = []
  /// Values of transient attributes, and destinations of transient to-one relationships, by name.
  var transients: [String: Value] = [:]
  /// Destinations of to-one relationships that were prefetched, kept for the reader to come.
  var prefetched: [ManagedObject] = []
  /// The rows that this one's is loaded with.
  var batch: FaultBatch?
}

/// The objects that a fetched property answered, kept until its owner is refreshed.
struct FetchedArray {
  let property: FetchedProperty
  let objects: [ManagedObject]
  /// The version of the coordinator's stores under which the question was asked.
  let storesVersion: Int
}

extension ManagedObject {
  final func ensureExtras() -> ObjectExtras {
    if let extras = self.extras { return extras }
    let extras = ObjectExtras()
    self.extras = extras
    self.home.context?.hasExtras = true
    return extras
  }

  final func dropFetchedArrays() { self.extras?.fetched = [] }
}
