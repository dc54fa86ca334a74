internal import FederatedModel

/// One step of a random script. Objects go by numbers that the script gives them.
indirect enum ScriptStep: Sendable, CustomStringConvertible {
  case insert(Int, String)
  case set(Int, String, Value)
  /// Sets a to-one.
  case point(Int, String, Int?)
  case add(Int, String, Int)
  case remove(Int, String, Int)
  /// Puts a member at a place of an ordered list.
  case place(Int, String, Int, at: Int)
  case assign(Int, String, [Int])
  case delete(Int)
  case save
  /// A save that the store refuses: nothing changes.
  case failingSave
  case permanentIdentifiers
  case rollback
  case refresh(Int, merging: Bool)
  case refreshAll
  /// Lets go of objects, so that clean ones leave the context.
  case letGo
  case reset
  /// Another context edits and saves; this one, which has no changes, refreshes all.
  case other([ScriptStep])
  /// Another context sets and saves a value while this one has changes, and this one refreshes all.
  case otherValue(Int, String, Value)
  case readNotes(Int)
  /// Reads one object and its lists.
  case look(Int)
  case fetchAbove(Int)

  var description: String {
    switch self {
    case .insert(let node, let entity): "insert \(entity) \(node)"
    case .set(let node, let key, let value): "\(node).\(key) = \(value)"
    case .point(let node, let key, let other): "\(node).\(key) -> \(other.map(String.init) ?? "nil")"
    case .add(let node, let key, let other): "\(node).\(key) += \(other)"
    case .remove(let node, let key, let other): "\(node).\(key) -= \(other)"
    case .place(let node, let key, let other, let place): "\(node).\(key)[\(place)] = \(other)"
    case .assign(let node, let key, let others): "\(node).\(key) = \(others)"
    case .delete(let node): "delete \(node)"
    case .save: "save"
    case .failingSave: "save, refused"
    case .permanentIdentifiers: "permanent identifiers"
    case .rollback: "rollback"
    case .refresh(let node, let merging): "refresh \(node)\(merging ? ", merging" : "")"
    case .refreshAll: "refresh all"
    case .letGo: "let go"
    case .reset: "reset"
    case .other(let steps): "other context {\(steps.map(\.description).joined(separator: "; "))}"
    case .otherValue(let node, let key, let value): "other context sets \(node).\(key) = \(value)"
    case .look(let node): "look at \(node)"
    case .readNotes(let node): "read notes of \(node)"
    case .fetchAbove(let number): "fetch number > \(number)"
    }
  }
}
