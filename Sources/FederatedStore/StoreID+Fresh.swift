public import FederatedModel
internal import Synchronization

extension StoreID {
  private static let last = Atomic<UInt32>(0)

  /// A number that no other open store of this process has.
  public static func fresh() -> StoreID {
    StoreID(self.last.add(1, ordering: .relaxed).newValue)
  }
}
