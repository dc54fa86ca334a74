public import FederatedModel
internal import FederatedStore

extension ManagedObjectContext {
  /// Hands over the objects that a request finds, in order, about `size` at a time, and keeps none of them.
  ///
  /// For more objects than memory should hold at once: a store that can stream is read while the objects are used. Unsaved
  /// changes count as in ``fetch(_:)-(FetchRequest)``; where they have a part in the answer, it is found whole first, and so is one
  /// that follows links or merges the order of several stores. Paths for prefetching are followed batch by batch.
  ///
  /// ```swift
  /// try context.forEachBatch(of: FetchRequest("Event", where: large)) { events in
  ///   for event in events { print(try event.value("time")) }
  /// }
  /// ```
  /// - Throws: what a fetch throws, and what `body` throws, which ends the reading.
  public func forEachBatch(
    of request: FetchRequest, size: Int = 500, _ body: ([ManagedObject]) throws -> Void
  ) throws {
    try self.throwKeptError()
    try self.check(request, answers: .objects)
    let size = max(1, size)
    if request.followsLinks {
      return try ManagedObjectContext.slice(try self.fetch(request), size, body)
    }
    var request = request
    request.fetchBatchSize = 0
    let resolved = try ResolvedFetch(request, in: self)
    if try PendingOverlay(resolved, in: self) != nil {
      return try ManagedObjectContext.slice(try self.fetch(request), size, body)
    }
    let paths = request.relationshipKeyPathsForPrefetching
    try self.reading { read in
      try read.stream(resolved.bound(under: nil), batch: size) { rows in
        let objects = self.objects(of: rows, request)
        if !request.returnsObjectsAsFaults { for object in objects { try object.fire() } }
        if !paths.isEmpty { try self.prefetchRelationships(paths, for: objects) }
        try ManagedObjectContext.slice(objects, size, body)
      }
    }
  }

  private static func slice(
    _ objects: [ManagedObject], _ size: Int, _ body: ([ManagedObject]) throws -> Void
  ) throws {
    for start in stride(from: 0, to: objects.count, by: size) {
      try body(Array(objects[start..<min(start + size, objects.count)]))
    }
  }
}
