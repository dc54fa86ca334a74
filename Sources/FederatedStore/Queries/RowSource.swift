public import FederatedModel

/// Where an evaluation in memory finds the rows that relationships lead to.
public protocol RowSource: AnyObject {
  var model: ManagedObjectModel { get }
  /// The store that identifiers of the rows carry.
  var store: StoreID { get }
  /// The row as the scope sees it; nil when there is none.
  func row(_ identity: RowIdentity) throws(StoreError) -> Snapshot?
  /// The destinations of a to-many of one owner, in order where it is ordered.
  func related(_ relationship: BoundRelationship, of owner: RowIdentity) throws(StoreError) -> [RowIdentity]
}
