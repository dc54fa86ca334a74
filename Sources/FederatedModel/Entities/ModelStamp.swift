import Synchronization

/// Hands out the numbers by which typed keys tell models apart.
enum ModelStamp {
  private static let last = Atomic<UInt32>(0)

  /// A number that no other model of this process has; 0 when there are no more than 65,535 of them.
  static func next() -> UInt16 {
    let number = self.last.add(1, ordering: .relaxed).newValue
    return UInt16(exactly: number) ?? 0
  }
}
