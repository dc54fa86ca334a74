/// What a save does about rows that others changed since this context read them.
///
/// For each attribute and to-one, with `B` what the context read, `M` what it holds and `S` what is stored now:
///
/// | policy | the row gets | row gone, changed here | row changed, deleted here |
/// | --- | --- | --- | --- |
/// | ``error`` | nothing; the save throws ``SaveError/conflicts(_:)`` | the same | the same |
/// | ``storeTrump`` | `S` where the store changed it, else `M` | the object is deleted | the delete is taken back |
/// | ``objectTrump`` | `M` where the context changed it, else `S` | the row comes back | deleted |
/// | ``overwrite`` | `M` everywhere | the row comes back | deleted |
/// | ``rollback`` | `S` everywhere | the object is deleted | the delete is taken back |
///
/// To-many links are never compared: what either side added or removed is added or removed.
///
/// ```swift
/// context.mergePolicy = .objectTrump
/// context.mergePolicy = .custom { conflict in
///   var resolution = try conflict.resolution(by: .objectTrump)
///   resolution.values["editedBy"] = .string("both")
///   return resolution
/// }
/// ```
public indirect enum MergePolicy: Sendable {
  /// Refuses the save, and leaves all edits as they are.
  case error
  /// Property by property, the store's changes win.
  case storeTrump
  /// Property by property, the context's changes win. A new object whose unique values a row has already becomes
  /// that row.
  case objectTrump
  /// The row becomes what the context holds, changes of others undone.
  case overwrite
  /// The context's edits of the row go.
  case rollback
  /// Asks a function about each row; it may begin with what a built-in policy would do
  /// (``MergeConflict/resolution(by:)``). No store is locked meanwhile. What it throws refuses the save.
  ///
  /// - Parameter constraints: the policy for rows that share unique values.
  case custom(constraints: MergePolicy = .error, @Sendable (MergeConflict) throws -> MergeResolution)

  /// What holds for rows that share unique values.
  var forConstraints: MergePolicy {
    if case .custom(let constraints, _) = self { return constraints.forConstraints }
    return self
  }

  /// Whether what is stored wins against what the context holds.
  var storeWins: Bool {
    switch self {
    case .storeTrump, .rollback: true
    case .error, .objectTrump, .overwrite, .custom: false
    }
  }
}
