public import FederatedModel

extension ManagedObject {
  /// The value at the end of a key path: `author.name`, `notes.text`, `notes.@avg.rating`, `tags.@count`.
  ///
  /// A path through a list answers a list, in its order, with null for missing elements. Objects are answered as
  /// identifiers.
  public final func value(forKeyPath path: String) throws -> Value {
    try self.value(forKeyPath: path.split(separator: ".", omittingEmptySubsequences: false).map(String.init))
  }

  final func value(forKeyPath keys: [String]) throws -> Value {
    try KeyPathWalk.value(of: .subject(self), keys[...])
  }

  /// The same of stored values and edits: no object on the way is asked for a computed one.
  final func storedValue(forKeyPath keys: [String]) throws -> Value {
    try KeyPathWalk.value(of: .subject(self), keys[...], computes: false)
  }
}

extension Sequence where Element: ManagedObject {
  /// The value of a key path for the sequence as a whole: one value for each object, or what a collection operator
  /// makes of them, as in `@unionOfArrays.notes`.
  public func value(forKeyPath path: String) throws -> Value {
    let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    return try KeyPathWalk.value(of: .collection(self.map { .subject($0) }, isOrdered: true), keys[...])
  }
}
