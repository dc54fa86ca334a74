public import FederatedModel
internal import FederatedStore
public import Foundation
internal import Synchronization

extension ManagedObjectID {
  private static let lastTemporary = Atomic<Int64>(0)

  /// An identifier that no other object of this process has.
  package static func temporary(_ entity: EntityID) -> ManagedObjectID {
    ManagedObjectID(
      store: .none, entity: entity, reference: self.lastTemporary.add(1, ordering: .relaxed).newValue)
  }
}

extension PersistentStoreCoordinator {
  /// Tells temporary identifiers of this process from those of others.
  private static let process = UUID().uuidString

  /// The identifier as text that is good in every process: `x-coredata://STORE-UUID/Entity/p1`.
  ///
  /// A temporary identifier gives `x-coredata:///Entity/t…`, which only this process can read back.
  public func uriString(for object: ManagedObjectID) -> String {
    let entity = Self.escaped(self.model[object.entity].name)
    guard let known = self.attached.known(object.store) else {
      return "x-coredata:///\(entity)/t\(Self.process)-\(object.reference)"
    }
    return known.uriPrefix + entity + "/p" + Self.escaped(known.store.referenceText(object.reference))
  }

  /// The identifier as a URI; see ``uriString(for:)``.
  public func uri(for object: ManagedObjectID) -> URL {
    let text = self.uriString(for: object)
    guard let url = URL(string: text) else { preconditionFailure("\(text) is no URI") }
    return url
  }

  /// The identifier that a URI names; nil when no attached store has its UUID, the model lacks the entity, or
  /// the text cannot name a row.
  ///
  /// Whether the row exists is not asked.
  public func objectID(for uri: URL) -> ManagedObjectID? {
    self.objectID(forURI: uri.absoluteString)
  }

  /// See ``objectID(for:)``.
  public func objectID(forURI text: String) -> ManagedObjectID? {
    let scheme = "x-coredata://"
    guard text.lowercased().hasPrefix(scheme) else { return nil }
    let parts = text.dropFirst(scheme.count).split(
      separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let name = parts[1].removingPercentEncoding,
      let entity = self.model.entity(named: name)
    else { return nil }
    if parts[0].isEmpty { return Self.temporary(entity.id, reference: parts[2]) }
    guard let uuid = UUID(uuidString: String(parts[0])), let store = self.attached.store(uuid: uuid),
      self.router.route(store.id)?.holds(entity.id) == true, parts[2].first == "p"
    else { return nil }
    let escaped = String(parts[2].dropFirst())
    let reference =
      store.reference(fromText: escaped)
      ?? escaped.removingPercentEncoding.flatMap { $0 == escaped ? nil : store.reference(fromText: $0) }
    return reference.map { ManagedObjectID(store: store.id, entity: entity.id, reference: $0) }
  }

  private static func temporary(_ entity: EntityID, reference text: Substring) -> ManagedObjectID? {
    guard text.hasPrefix("t\(self.process)-"), let reference = Int64(text.dropFirst(self.process.count + 2))
    else {
      return nil
    }
    return ManagedObjectID(store: .none, entity: entity, reference: reference)
  }

  /// By the rules of a URL's path; a slash stays.
  private static func escaped(_ text: String) -> String {
    if text.utf8.allSatisfy({
      (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
    }) {
      return text
    }
    guard let escaped = text.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) else {
      preconditionFailure("\(text) cannot be escaped")
    }
    return escaped
  }
}
