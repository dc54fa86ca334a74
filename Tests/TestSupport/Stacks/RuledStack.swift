public import FederatedModel
public import FederatedRuntime
internal import FederatedStore
internal import Foundation

/// Members and teams that keep rules of every kind, in one store.
public final class RuledStack {
  public let store: SpyStore
  public let coordinator: PersistentStoreCoordinator
  public let context: ManagedObjectContext
  private var contexts: [ManagedObjectContext] = []

  public init(_ kind: StoreKind = .inMemory) throws {
    let model = try RuledStack.model()
    self.coordinator = PersistentStoreCoordinator(model: model)
    guard let store = try self.coordinator.add(try kind.open("S", nil)) as? SpyStore else {
      preconditionFailure("a spying type opens spies")
    }
    self.store = store
    self.context = ManagedObjectContext(
      coordinator: self.coordinator, classes: try ObjectClasses([RuledMember.self], checkedAgainst: model))
  }

  /// A context whose classes check nothing.
  public func makeContext() -> ManagedObjectContext {
    let context = ManagedObjectContext(coordinator: self.coordinator)
    self.contexts.append(context)
    return context
  }

  /// A member that keeps every rule.
  @discardableResult public func member(
    _ name: String = "Ada", in context: ManagedObjectContext? = nil
  ) throws -> ManagedObject {
    let member = try (context ?? self.context).insert("Member")
    try member.set("name", to: name)
    try member.set("digest", to: "placeholder")
    return member
  }

  /// What a save throws, as rules in their order; empty when it saves.
  func breaches(_ context: ManagedObjectContext? = nil) throws -> [ValidationError] {
    do { try (context ?? self.context).save() } catch SaveError.invalid(let breaches) { return breaches }
    return []
  }

  public static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel {
      EntityDescription("Member") {
        AttributeDescription("name", .string).length(2...5)
        AttributeDescription("code", .string, optional: true).matching("[a-z]+")
        AttributeDescription("age", .integer16, optional: true).range(0...150)
          .satisfying("SELF >= 18 OR guardian != nil", else: "A minor needs a guardian.")
        AttributeDescription("born", .date, optional: true)
          .minimum(Date(timeIntervalSinceReferenceDate: 0))
          .maximum(Date(timeIntervalSinceReferenceDate: 1000))
        AttributeDescription("page", .uri, optional: true)
        RuledStack.digest
        RelationshipDescription("guardian", to: "Member", inverse: "wards")
        RelationshipDescription("wards", to: "Member", .many, inverse: "guardian", deleteRule: .deny)
        RelationshipDescription("team", to: "Team", inverse: "players")
        RelationshipDescription("captainOf", to: "Team", inverse: "captains")
        FetchedPropertyDescription("namesakes", of: "Member", where: "name == $FETCH_SOURCE.name")
      }
      EntityDescription("Team") {
        RelationshipDescription("players", to: "Member", .many, inverse: "team").count(2...3)
        RelationshipDescription("captains", to: "Member", .many, inverse: "captainOf", optional: false)
      }
    }
  }

  private static var digest: AttributeDescription {
    var digest = AttributeDescription("digest", .string)
    digest.derivationExpression = "canonical:(name)"
    return digest
  }
}

/// An error that no rule of the library knows.
public struct ForbiddenName: Error, Equatable {
  public let name: String
}

/// A member that checks values itself.
public final class RuledMember: ManagedObject, TypedObject, PropertyValidating {
  public struct Keys: Sendable {
    public let name = AttributeKey<String?>("name")
  }
  public static let keys = Keys()
  public static let entityName = "Member"

  /// The keys that were asked about, in order.
  public var asked: [String] = []
  public var changes: [ObjectChange] = []
  public var refusesDeletion = false

  public func validate(_ value: Value, forKey key: String) throws {
    self.asked.append(key)
    if key == "name", case .string("Eve") = value { throw ForbiddenName(name: "Eve") }
  }

  public override func validate(for change: ObjectChange) throws {
    self.changes.append(change)
    if self.refusesDeletion, change == .delete { throw ForbiddenName(name: self.name ?? "") }
    if self.name == "Bad" {
      throw ValidationError(
        .custom, object: self.objectID, entity: "Member", property: "name", "Bad is no name; choose another")
    }
  }
}
