public import FederatedModel
public import FederatedRuntime
internal import FederatedStore

/// Clubs with unique codes, in one store: members (to-one back), tags (many-to-many), a place and a seal.
public final class ClubStack {
  public let coordinator: PersistentStoreCoordinator
  public let context: ManagedObjectContext
  /// Objects do not keep their context; the stack does, as long as a case runs.
  private var contexts: [ManagedObjectContext] = []

  public init(_ kind: StoreKind) throws {
    self.coordinator = PersistentStoreCoordinator(model: try ClubStack.model())
    try self.coordinator.add(try kind.open("S", nil))
    self.context = ManagedObjectContext(coordinator: self.coordinator)
  }

  public func makeContext(_ policy: MergePolicy = .error) -> ManagedObjectContext {
    let context = ManagedObjectContext(coordinator: self.coordinator)
    context.mergePolicy = policy
    self.contexts.append(context)
    return context
  }

  /// Inserts a club, or another entity that has a code and a name.
  @discardableResult public func club(
    _ code: String?, _ name: String, as entity: String = "Club", in context: ManagedObjectContext? = nil
  ) throws -> ManagedObject {
    let club = try (context ?? self.context).insert(entity)
    if let code { try club.set("code", to: code) }
    try club.set("name", to: name)
    return club
  }

  /// Inserts an object that has a name.
  @discardableResult public func named(
    _ entity: String, _ name: String, in context: ManagedObjectContext? = nil
  ) throws -> ManagedObject {
    let object = try (context ?? self.context).insert(entity)
    try object.set("name", to: name)
    return object
  }

  /// The saved objects of an entity in a context of their own, by name.
  public func saved(_ entity: String = "Club") throws -> [ManagedObject] {
    try self.makeContext().fetch(FetchRequest(entity, order: [.ascending("name")]))
  }

  /// The names of what is saved.
  public func savedNames(_ entity: String = "Club") throws -> [Value] {
    try self.saved(entity).map { try $0.value("name") }
  }

  public static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel {
      EntityDescription("Club") {
        AttributeDescription("code", .string, optional: true)
        AttributeDescription("name", .string, optional: true)
        AttributeDescription("size", .integer32, optional: true, default: 7)
        RelationshipDescription("members", to: "Member", .many, inverse: "club")
        RelationshipDescription("board", to: "Member", .orderedMany, inverse: "boards")
        RelationshipDescription("tags", to: "Tag", .many, inverse: "clubs")
        RelationshipDescription("place", to: "Place", inverse: "clubs")
        RelationshipDescription("seal", to: "Seal", inverse: "club")
      }.unique(on: "code")
      EntityDescription("Branch", parent: "Club") {
        AttributeDescription("level", .integer16, optional: true)
      }.unique(on: "code", "level")
      EntityDescription("Member") {
        AttributeDescription("name", .string, optional: true)
        RelationshipDescription("club", to: "Club", inverse: "members")
        RelationshipDescription("boards", to: "Club", .many, inverse: "board")
        RelationshipDescription("favourite", to: "Club")
      }
      EntityDescription("Tag") {
        AttributeDescription("name", .string, optional: true)
        RelationshipDescription("clubs", to: "Club", .many, inverse: "tags")
      }
      EntityDescription("Place") {
        AttributeDescription("name", .string, optional: true)
        RelationshipDescription("clubs", to: "Club", .many, inverse: "place")
      }
      EntityDescription("Chapel", parent: "Place") {
        AttributeDescription("saint", .string, optional: true)
      }.unique(on: "name")
      EntityDescription("Seal") {
        AttributeDescription("name", .string, optional: true)
        RelationshipDescription("club", to: "Club", inverse: "seal")
      }
    }
  }
}
