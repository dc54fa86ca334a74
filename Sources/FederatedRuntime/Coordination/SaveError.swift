internal import FederatedModel
internal import FederatedStore

/// Why a save did not happen, or what is left to do of one that has.
///
/// In every case but ``recoveryPending(stores:underlying:)`` no store has changed, and all changes are still
/// pending in the context.
public enum SaveError: Error, Sendable {
  /// Objects that break rules of the model; every breach of the save.
  case invalid([ValidationError])
  /// Rows that others changed or removed since they were read, of all stores, where the context's
  /// ``MergePolicy`` is ``MergePolicy/error``.
  case conflicts([MergeConflict])
  /// Objects that would have the same unique values as others, where the policy cannot or must not make one of
  /// them.
  case constraintConflicts([ConstraintConflict])
  /// A store, by name, could not take its changes; nil when there is no store for them to go to. Nothing is
  /// written anywhere.
  case refused(store: String?, underlying: any Error)
  /// The save has happened, and the context is clean. These stores, by name, could not commit their part yet: they
  /// refuse work until they have it from the journal, which every use of them tries anew. A store that saved alone is
  /// named when its file has the save and the disk does not confirm that it keeps it.
  case recoveryPending(stores: [String], underlying: any Error)

  /// The number that the tradition gives.
  public var legacyCode: Int {
    switch self {
    case .invalid(let breaches): breaches.count == 1 ? breaches[0].rule.legacyCode : 1560
    case .conflicts: 133020
    case .constraintConflicts: 133021
    case .refused(_, let underlying):
      (underlying as? StoreError)?.code.legacyCode ?? (underlying as? CoordinatorError)?.code.legacyCode
        ?? 134030
    case .recoveryPending: 134040
    }
  }
}

extension SaveError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .invalid(let breaches):
      "nothing is saved; correct these values and save again:\n"
        + breaches.map { "  - \($0)" }.joined(separator: "\n")
    case .conflicts(let rows):
      "nothing is saved, others changed what this context changes; refresh the objects, with their changes or "
        + "without, and save again, or give the context a merge policy:\n"
        + rows.map { "  - \($0)" }.joined(separator: "\n")
    case .constraintConflicts(let conflicts):
      "nothing is saved, unique values would be there more than once; change all but one, or give the context a "
        + "merge policy:\n" + conflicts.map { "  - \($0)" }.joined(separator: "\n")
    case .refused(let store, let underlying):
      "nothing is saved, all changes are pending: "
        + (store.map { "store \($0) refused: \(underlying)" } ?? "\(underlying)")
    case .recoveryPending(let stores, let underlying):
      "saved; \(stores.joined(separator: ", ")) still \(stores.count == 1 ? "has" : "have") to finish "
        + "\(stores.count == 1 ? "its" : "their") part, which the next use tries again: \(underlying)"
    }
  }
}
