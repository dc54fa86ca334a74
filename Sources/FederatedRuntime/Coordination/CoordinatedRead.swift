import FederatedModel
import FederatedStore

/// One view of the stores that were attached when it began. The scope of a store begins when it is first asked.
final class CoordinatedRead: ParentRead {
  let attached: AttachedStores
  /// Few stores are asked in one read; a scan beats a hash.
  private var scopes: [(store: StoreID, scope: any ReadScope)] = []
  private var isEnded = false
  /// Who wants to know how questions are answered; nil for nobody.
  var recorder: ReadRecorder?

  init(_ attached: AttachedStores) {
    self.attached = attached
  }

  deinit { self.end() }

  func end() {
    self.isEnded = true
    for open in self.scopes { open.scope.end() }
    self.scopes = []
  }

  func scope(of store: StoreID) throws -> any ReadScope {
    for open in self.scopes where open.store == store { return open.scope }
    precondition(!self.isEnded, "a read that has ended is asked")
    let scope = try self.attached.requireReady(store).beginRead()
    self.scopes.append((store, scope))
    return scope
  }

  /// The stores that a request goes to, in order of attachment.
  func stores(for request: BoundRequest) throws -> [StoreID] {
    let readers = self.attached.router.readers(
      of: request.entity, includingSubentities: request.includesSubentities)
    guard let wanted = request.stores else { return readers }
    for store in wanted { _ = try self.attached.require(store) }
    return readers.filter(wanted.contains)
  }

  func answer(_ query: StoreQuery, from store: StoreID) throws -> StoreAnswer {
    try Self.rethrowingPredicates {
      let scope = try self.scope(of: store)
      guard let recorder = self.recorder else { return try scope.run(query) }
      let entity = self.attached.model[query.entity].name
      return try recorder.run(query, of: entity, in: try self.attached.require(store), scope)
    }
  }

  /// A predicate that cannot be answered is the asker's matter, whichever store found out.
  static func rethrowingPredicates<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as StoreError where error.code == .predicate {
      throw (error.underlying as? FetchPredicateError) ?? error
    }
  }
}
