/// Which slot each stored property of an entity has in a row.
///
/// A subentity's layout begins with its parent's: a slot found for an entity holds in every descendant.
public final class RowLayout: Sendable {
  public let entity: EntityID
  /// Stored attributes and to-one relationships, inherited ones first.
  public let columns: [Column]
  /// Slots of a row, headers not counted. A to-one takes two.
  public let slotCount: Int
  /// 8-byte words of the null bitmap in each row.
  @usableFromInline package let nullWords: Int
  /// 8-byte words of a row: reference, version, null bitmap, slots.
  @usableFromInline package let stride: Int
  /// A row without reference or version in which every slot is null.
  @usableFromInline let blankRow: [UInt64]

  public struct Column: Sendable, Hashable {
    public let name: String
    public let slot: Int
    public let kind: SlotKind
    /// For a `reference`: the destination entity as declared.
    public let destination: EntityID?

    public init(name: String, slot: Int, kind: SlotKind, destination: EntityID? = nil) {
      self.name = name
      self.slot = slot
      self.kind = kind
      self.destination = destination
    }
  }

  public init(entity: EntityID, columns: [Column]) {
    self.entity = entity
    self.columns = columns
    self.slotCount = columns.reduce(0) { max($0, $1.slot + ($1.kind == .reference ? 2 : 1)) }
    self.nullWords = (self.slotCount + 63) / 64
    self.stride = 2 + self.nullWords + self.slotCount
    self.blankRow =
      [0, 0] + Array(repeating: .max, count: self.nullWords) + Array(repeating: 0, count: self.slotCount)
  }

  public func column(named name: String) -> Column? { self.columns.first { $0.name == name } }
}
