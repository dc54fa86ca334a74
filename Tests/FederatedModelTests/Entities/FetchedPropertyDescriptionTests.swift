import FederatedModel
import Testing

@Suite struct FetchedPropertyDescriptionTests {
  private func model(_ property: FetchedPropertyDescription) throws -> ManagedObjectModel {
    try ManagedObjectModel {
      EntityDescription("Author") { AttributeDescription("alias", .string, optional: true) }
      EntityDescription("Note") {
        AttributeDescription("authorAlias", .string, optional: true)
        AttributeDescription("rating", .double)
      }
      EntityDescription("Writer", parent: "Author") {
        AttributeDescription("genre", .string)
        property
      }
    }
  }

  private let notes = FetchedPropertyDescription(
    "notes", of: "Note", where: "authorAlias == $FETCH_SOURCE.alias", order: .ascending("rating"), limit: 3)

  @Test("P5 a fetched property is optional and transient, named as it is renamed")
  func flags() {
    #expect(self.notes.isOptional)
    #expect(self.notes.isTransient)
    #expect(self.notes.effectiveRenamingIdentifier == "notes")
  }

  @Test("P6 it is a property of the entity, neither attribute nor relationship, and has no column")
  func kind() throws {
    let writer = try #require(self.model(self.notes).entity(named: "Writer"))
    guard case .fetched(let property)? = writer.property(named: "notes") else {
      Issue.record("notes is no fetched property")
      return
    }
    #expect(writer.attribute(named: "notes") == nil)
    #expect(writer.relationship(named: "notes") == nil)
    #expect(writer.layout.columns.map(\.name) == ["alias", "genre"])
    #expect(property.plan?.keys == [.init(attribute: "authorAlias", sourcePath: ["alias"])])
  }

  @Test("FP-62 a request that is changed after it was given changes nothing")
  func copiesRequest() throws {
    var request = FetchRequest("Note", where: try FetchPredicate(format: "rating > 1"))
    let property = FetchedPropertyDescription("notes", request)
    request.predicate = nil
    let frozen = try #require(self.model(property).entity(named: "Writer")?.fetchedProperty(named: "notes"))
    #expect(frozen.request?.predicate?.description == "rating > 1")
  }

  @Test("FP-63 the stored condition prints as it was written")
  func printsCondition() throws {
    let property = try #require(
      self.model(self.notes).entity(named: "Writer")?.fetchedProperty(named: "notes"))
    #expect(property.request?.predicate?.description == "authorAlias == $FETCH_SOURCE.alias")
    #expect(property.request?.sortDescriptors == [.ascending("rating")])
    #expect(property.request?.fetchLimit == 3)
  }

  @Test("FP-79 no condition, and an empty one, ask for every row", arguments: [nil, "", "  "])
  func noCondition(format: String?) throws {
    let property = FetchedPropertyDescription("notes", of: "Note", where: format)
    let frozen = try #require(self.model(property).entity(named: "Writer")?.fetchedProperty(named: "notes"))
    #expect(frozen.problems.isEmpty)
    #expect(frozen.request?.predicate == nil)
  }

  @Test("P49 equality includes the request")
  func equality() {
    var other = self.notes
    #expect(other == self.notes)
    other.request?.fetchLimit = 4
    #expect(other != self.notes)
    other = self.notes
    other.predicateFormat = "TRUEPREDICATE"
    #expect(other != self.notes)
  }
}
