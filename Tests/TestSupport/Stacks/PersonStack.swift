public import FederatedModel
public import FederatedRuntime
internal import FederatedStore

/// The Person and Team fixture: people in store X, their notes in store S.
public final class PersonStack {
  public let coordinator: PersistentStoreCoordinator
  /// X: teams, people, managers, pets, badges.
  public let people: SpyStore
  /// S: notes.
  public let notes: SpyStore
  /// Objects do not keep their context; the stack does, as long as a case runs.
  private var contexts: [ManagedObjectContext] = []
  /// A context for the case, and the classes that record its hooks.
  public let context: ManagedObjectContext

  public init(people: StoreKind = .inMemory, notes: StoreKind = .inMemory) throws {
    let model = try PersonStack.model()
    self.coordinator = PersistentStoreCoordinator(model: model)
    let stores = try self.coordinator.add([try people.open("X", "A"), try notes.open("S", "B")])
    guard let people = stores[0] as? SpyStore, let notes = stores[1] as? SpyStore else {
      preconditionFailure("a spying type opens spies")
    }
    self.people = people
    self.notes = notes
    self.context = ManagedObjectContext(
      coordinator: self.coordinator,
      classes: try ObjectClasses([RecordingPerson.self], checkedAgainst: model))
  }

  public func makeContext() -> ManagedObjectContext {
    let context = ManagedObjectContext(coordinator: self.coordinator, classes: self.context.classes)
    self.contexts.append(context)
    return context
  }

  public func forgetCalls() {
    self.people.forgetCalls()
    self.notes.forgetCalls()
  }

  /// Everything that store X was asked since the calls were last forgotten.
  public var asked: Int { self.people.calls.queries.count + self.people.calls.related.count }

  /// Inserts a person.
  @discardableResult public func person(
    _ name: String, in context: ManagedObjectContext? = nil
  ) throws -> ManagedObject {
    let person = try (context ?? self.context).insert("Person")
    try person.set("name", to: name)
    return person
  }

  /// Inserts an object that has a name.
  @discardableResult public func named(
    _ entity: String, _ name: String, in context: ManagedObjectContext? = nil
  ) throws -> ManagedObject {
    let object = try (context ?? self.context).insert(entity)
    try object.set("name", to: name)
    return object
  }

  /// The saved objects of an entity in a context of its own, by name.
  public func saved(
    _ entity: String, in context: ManagedObjectContext? = nil
  ) throws -> [ManagedObject] {
    try (context ?? self.makeContext()).fetch(FetchRequest(entity, order: [.ascending("name")]))
  }

  public static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel {
      EntityDescription("Team") {
        AttributeDescription("name", .string)
        RelationshipDescription("members", to: "Person", .many, inverse: "team")
        RelationshipDescription("lineup", to: "Person", .orderedMany, inverse: "lineups")
        RelationshipDescription("desks", to: "Desk", .many, inverse: "team", deleteRule: .deny)
        RelationshipDescription("queue", to: "Person", .orderedMany, inverse: "queueing")
      }
      EntityDescription("Person") {
        AttributeDescription("name", .string)
        PersonStack.age
        AttributeDescription("salary", .integer32, optional: true)
        AttributeDescription("nick", .string, optional: true, default: "buddy")
        AttributeDescription("mood", .string, optional: true, transient: true)
        RelationshipDescription("team", to: "Team", inverse: "members")
        RelationshipDescription("queueing", to: "Team", inverse: "queue")
        RelationshipDescription("lineups", to: "Team", .many, inverse: "lineup")
        RelationshipDescription("pets", to: "Pet", .many, inverse: "owner", deleteRule: .cascade)
        RelationshipDescription("badge", to: "Badge", inverse: "person", deleteRule: .cascade)
        RelationshipDescription("friends", to: "Person", .many, inverse: "friends")
        RelationshipDescription("favourite", to: "Team")
        FetchedPropertyDescription(
          "notes", of: "Note", where: "ownerKey == $FETCH_SOURCE.name", order: .ascending("text"))
      }
      EntityDescription("Manager", parent: "Person") {
        AttributeDescription("level", .integer16, optional: true)
      }
      EntityDescription("Pet") {
        AttributeDescription("name", .string)
        RelationshipDescription("owner", to: "Person", inverse: "pets")
      }
      EntityDescription("Badge") {
        AttributeDescription("name", .string)
        RelationshipDescription("person", to: "Person", inverse: "badge", deleteRule: .cascade)
      }
      EntityDescription("Desk") {
        AttributeDescription("name", .string)
        RelationshipDescription("team", to: "Team", inverse: "desks", optional: false)
      }
      EntityDescription("Note") {
        AttributeDescription("ownerKey", .string, optional: true)
        AttributeDescription("text", .string, optional: true)
      }
      ModelConfiguration("A", entities: ["Team", "Person", "Manager", "Pet", "Badge", "Desk"])
      ModelConfiguration("B", entities: ["Note"])
    }
  }

  private static var age: AttributeDescription {
    var age = AttributeDescription("age", .integer16, optional: true)
    age.validation.minimum = .int(0)
    age.validation.maximum = .int(150)
    return age
  }
}

/// A person that counts its hooks and does what a case tells it to.
public final class RecordingPerson: ManagedObject, TypedObject {
  public struct Keys: Sendable {
    public let name = AttributeKey<String>("name")
    public let nick = AttributeKey<String?>("nick")
    public let age = AttributeKey<Int?>("age")
  }
  public static let keys = Keys()
  public static let entityName = "Person"

  public var inserted = 0
  public var fetched = 0
  public var deletions = 0
  public var saving = 0
  public var saved = 0
  public var faulting: [String] = []
  public var nickAtInsert: String?
  public var onWillSave: ((RecordingPerson) -> Void)?
  public var onDidSave: ((RecordingPerson) -> Void)?

  public override func awakeFromInsert() {
    self.inserted += 1
    self.nickAtInsert = self.nick
  }
  public override func awakeFromFetch() { self.fetched += 1 }
  public override func prepareForDeletion() { self.deletions += 1 }
  public override func willSave() {
    self.saving += 1
    self.onWillSave?(self)
  }
  public override func didSave() {
    self.saved += 1
    self.onDidSave?(self)
  }
  public override func willTurnIntoFault() { self.faulting.append("will") }
  public override func didTurnIntoFault() { self.faulting.append("did") }

  public override func customValue(forKey key: String) throws -> Value? {
    key == "shout" ? .string(self.name.uppercased()) : nil
  }
}

extension ManagedObject {
  /// The object as the class that records.
  public var recording: RecordingPerson {
    guard let recording = self as? RecordingPerson else { preconditionFailure("\(self) records nothing") }
    return recording
  }
}
