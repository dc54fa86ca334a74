import FederatedModel
import FederatedRuntime
import FederatedStore
import TestSupport
import Testing

@Suite struct AwakeningTests {
  /// A link of a chain that reads the next one while it awakes.
  final class Link: ManagedObject, TypedObject {
    struct Keys {
      let number = AttributeKey<Int>("number")
      let next = ToOneKey<Link>("next")
    }
    static let keys = Keys()
    var awakenings = 0
    /// What the next link had made of itself when this one read it.
    var nextWasAwake = false

    override func awakeFromFetch() {
      self.awakenings += 1
      guard let next = self.next else { return }
      _ = next.number
      self.nextWasAwake = next.awakenings > 0
    }
  }

  /// A context over a saved chain, and the identifier of its head.
  private func chain(_ length: Int) throws -> (ManagedObjectContext, ManagedObjectID) {
    let model = try ManagedObjectModel {
      EntityDescription("Link") {
        AttributeDescription("number", .integer64)
        RelationshipDescription("next", to: "Link")
      }
    }
    let coordinator = PersistentStoreCoordinator(model: model)
    _ = try coordinator.add([PersistentStoreDescription(.inMemory, at: nil, name: "S")])
    let writing = ManagedObjectContext(coordinator: coordinator)
    var head: ManagedObject?
    for number in 0..<length {
      let link = try writing.insert("Link")
      try link.set("number", to: number)
      try link.set("next", to: head)
      head = link
    }
    try writing.save()
    guard let id = head?.objectID else { preconditionFailure("a chain has a link") }
    let classes = try ObjectClasses([Link.self], checkedAgainst: model)
    return (ManagedObjectContext(coordinator: coordinator, classes: classes), id)
  }

  @Test("a chain of awakenings of any length ends, and each awakes once")
  func long() throws {
    let (context, id) = try self.chain(100_000)
    let links = try context.fetch(Fetch(Link.self))
    let head = try #require(context.existingObject(with: id) as? Link)
    #expect(head.number == 99_999)
    #expect(links.count == 100_000 && links.allSatisfy { $0.awakenings == 1 })
  }

  @Test("within reason an object that is read by a hook is awake when it is read")
  func short() throws {
    let (context, id) = try self.chain(30)
    let links = try context.fetch(Fetch(Link.self))
    _ = try context.existingObject(with: id)
    #expect(links.count { $0.nextWasAwake } == 29)
  }

  @Test("an object that turns into a fault again while it waits awakes when it is read again")
  func refault() throws {
    let (context, id) = try self.chain(40)
    let links = try context.fetch(Fetch(Link.self))
    _ = try context.existingObject(with: id)
    context.refreshAll()
    for link in links { #expect(link.number >= 0) }
    #expect(links.allSatisfy { $0.awakenings == 2 })
  }
}
