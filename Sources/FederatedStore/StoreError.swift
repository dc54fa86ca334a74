public import Foundation

/// What went wrong in a store, where, and what to do.
public struct StoreError: Error, Sendable, CustomStringConvertible {
  public let code: Code
  /// The store's file; nil for a store without one.
  public let store: URL?
  public let place: Place?
  /// What is wrong and what to do.
  public let detail: String
  /// The error below: a ``FetchPredicateError``, or what a library said.
  public let underlying: (any Error)?
  /// Rows that a conflict is about.
  public let rows: [RowIdentity]
  /// Every group of rows that would share unique values; only a `duplicateKey` of a save has any.
  public let duplicates: [DuplicateRows]

  public enum Code: String, Sendable, Hashable, CaseIterable {
    case unknownType, typeMismatch, cannotOpen, missingFile, alreadyExists
    /// The content is damaged or not what its format says.
    case malformed
    /// The content is well-formed and refused: a DOCTYPE with declarations, too deep, too large.
    case refusedContent
    /// The store was saved with another version of the model.
    case incompatibleModel
    case readOnly, locked, diskFull, inputOutput
    /// A row was changed or removed since it was read.
    case conflict
    case duplicateKey
    /// A constraint of the file itself is broken: NOT NULL, CHECK, a foreign key, a trigger.
    case violatedConstraint
    /// A value that the store cannot hold.
    case unstorableValue
    /// A stored value that does not fit its attribute.
    case unreadableValue
    /// A predicate that the store cannot answer; ``StoreError/underlying`` says why.
    case predicate
    case unsupported, closed
    case changedUnderneath
    /// The store lacks its part of a save over several stores that has happened.
    case recoveryPending

    /// The number that the tradition gives; nil where it has none.
    public var legacyCode: Int? {
      switch self {
      case .unknownType: 134000
      case .typeMismatch: 134010
      case .cannotOpen, .missingFile, .malformed, .refusedContent, .alreadyExists: 134080
      case .incompatibleModel: 134100
      case .conflict: 133020
      case .duplicateKey: 133021
      case .readOnly, .locked, .diskFull, .inputOutput: 134030
      case .unsupported: 134091
      case .recoveryPending: 134040
      default: nil
      }
    }
  }

  /// Where in the store.
  public enum Place: Sendable, Hashable, CustomStringConvertible {
    case text(line: Int, column: Int)
    case cell(table: String, row: Int64?, column: String?)
    case property(entity: String, reference: Int64?, property: String?)
    case path(String)

    public var description: String {
      switch self {
      case .text(let line, let column): "\(line):\(column)"
      case .cell(let table, let row, let column):
        [table, row.map { "row \($0)" }, column].compactMap(\.self).joined(separator: ", ")
      case .property(let entity, let reference, let property):
        [entity, reference.map { "row \($0)" }, property].compactMap(\.self).joined(separator: ", ")
      case .path(let path): path
      }
    }
  }

  public init(
    _ code: Code, store: URL?, place: Place? = nil, rows: [RowIdentity] = [],
    duplicates: [DuplicateRows] = [], underlying: (any Error)? = nil, _ detail: String
  ) {
    self.code = code
    self.store = store
    self.place = place
    self.rows = rows
    self.duplicates = duplicates
    self.underlying = underlying
    self.detail = detail
  }

  /// `PLACE: what, and what to do`.
  public var description: String {
    let file = self.store?.path(percentEncoded: false) ?? "memory"
    guard let place = self.place else { return "\(file): \(self.detail)" }
    if case .text = place { return "\(file):\(place): \(self.detail)" }
    return "\(file): \(place): \(self.detail)"
  }
}
