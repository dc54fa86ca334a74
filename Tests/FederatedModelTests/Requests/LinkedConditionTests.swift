import FederatedModel
import Foundation
import Testing

@Suite struct LinkedConditionTests {
  @Test("a request with links is data: equal after a round trip, and unequal to one without")
  func coding() throws {
    let owner = LinkedCondition("owner", .none, where: try FetchPredicate(format: "name == nil"))
    let request = try FetchRequest("Author")
      .linked("notes", .count(.greaterOrEqual, 3), where: "rating > %@", 4)
      .linked(LinkedCondition("peers").linked(owner))
      .sorted(through: "notes", by: .descending("rating"))
    let read = try JSONDecoder().decode(FetchRequest.self, from: JSONEncoder().encode(request))
    #expect(read == request && read.hashValue == request.hashValue)
    #expect(read.followsLinks && read != FetchRequest("Author"))
    #expect(!FetchRequest("Author", order: [.ascending("name")]).followsLinks)
  }

  @Test("a stored question through a link is refused when the model is frozen")
  func stored() throws {
    for request in [
      FetchRequest("Note").linked("self"),
      FetchRequest("Note").sorted(through: "self", by: .ascending("text")),
    ] {
      let error = #expect(throws: ModelError.self) {
        try ManagedObjectModel {
          EntityDescription("Note") {
            AttributeDescription("text", .string)
            FetchedPropertyDescription("self", request)
          }
        }
      }
      #expect(error?.breaches.map(\.rule) == [.invalidFetchedProperty])
    }
  }

  @Test("a sort key through a link is not bound as a key of the row")
  func binding() throws {
    let model = try ManagedObjectModel { EntityDescription("Note") { AttributeDescription("text", .string) } }
    let note = try #require(model.entity(named: "Note"))
    let error = #expect(throws: FetchPredicateError.self) {
      try FetchSortDescriptor("text").through("owner").bound(to: note, in: model)
    }
    #expect(error?.code == .keyPathNotFetchable)
  }
}
