public import FederatedModel

/// One row that others changed or removed since this context read it.
///
/// Snapshots hold attributes and to-one links, these as identifiers; never to-many links. No cache of rows stands
/// between contexts and stores, so there is one kind of conflict: context against stored row.
public struct MergeConflict: Sendable {
  public let object: ManagedObjectID
  public let entity: String
  /// The store, by name.
  public let store: String
  /// What the save would do; nil for an object that is unchanged, and marked or linked to.
  public let change: ObjectChange?
  /// The row's version as read; 0 when it was never read.
  public let oldVersion: Int64
  /// The row's version now; 0 when the row is gone.
  public let newVersion: Int64
  /// Values as this context read them; empty when it never did.
  public let objectSnapshot: [String: Value]
  /// Values as the context holds them, edits included.
  public let values: [String: Value]
  /// Values as they are stored now; nil when the row is gone.
  public let storedSnapshot: [String: Value]?
  /// The attributes and to-one links that somebody changed, in the order of the model.
  public let fields: [Field]
  /// The ordered to-many relationships whose lists others changed.
  public internal(set) var lists: [String] = []

  /// One property of a row, three times.
  public struct Field: Sendable, Hashable {
    public let name: String
    /// As this context read it.
    public let read: Value
    /// As this context holds it.
    public let mine: Value
    /// As it is stored now; null when the row is gone.
    public let stored: Value

    /// Whether both sides changed it, to different values.
    public var isContested: Bool {
      self.mine != self.read && self.stored != self.read && self.mine != self.stored
    }
  }
}

extension MergeConflict: CustomStringConvertible {
  /// Which row, and which of its properties.
  public var description: String {
    let row = "\(self.entity) \(self.object.reference) in store \(self.store)"
    guard self.newVersion != 0 || self.storedSnapshot != nil else {
      switch self.change {
      case .delete: return "\(row) is deleted here, and others deleted it already"
      case nil: return "\(row) was deleted by others, and the save relies on it"
      default:
        let names = self.fields.filter { $0.mine != $0.read }.map(\.name)
        return "\(row) was deleted by others"
          + (names.isEmpty ? "" : "; changed here: \(names.joined(separator: ", "))")
      }
    }
    var parts = self.fields.map { field in
      let (read, mine, stored) = ("\(field.read)", "\(field.mine)", "\(field.stored)")
      if field.stored == field.read { return "\(field.name) was \(read), is \(mine) here" }
      if field.mine == field.read { return "\(field.name) was \(read), is stored as \(stored)" }
      return "\(field.name) was \(read), is \(mine) here and stored as \(stored)"
    }
    parts += self.lists.map { "the list \($0) was changed by others" }
    if self.change == .delete {
      if parts.isEmpty { return "\(row) is deleted here, and others linked rows to it meanwhile" }
      parts.insert("deleted here", at: 0)
    }
    return parts.isEmpty ? "\(row) was saved by others" : "\(row): \(parts.joined(separator: "; "))"
  }
}
