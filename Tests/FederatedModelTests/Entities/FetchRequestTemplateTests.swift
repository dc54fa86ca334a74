import FederatedModel
import Testing

@Suite struct FetchRequestTemplateTests {
  static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel {
      EntityDescription("Employee") {
        AttributeDescription("name", .string)
        AttributeDescription("salary", .integer32)
        AttributeDescription("hireDate", .date, optional: true)
      }
      FetchRequestTemplate(
        "earning", FetchRequest("Employee", limit: 5), where: "salary > $MIN AND name != $NAME")
      FetchRequestTemplate("hired", FetchRequest("Employee"), where: "hireDate == $D")
      FetchRequestTemplate("sourced", FetchRequest("Employee"), where: "name == $FETCH_SOURCE")
    }
  }

  @Test("MO-21 a request from a template is a bound copy, the template keeps its variables")
  func instantiates() throws {
    let model = try Self.model()
    let request = try #require(
      try model.fetchRequest(fromTemplate: "earning", variables: ["MIN": .int(20), "NAME": .string("x")]))
    #expect(request.predicate?.description == #"salary > 20 AND name != "x""#)
    #expect(request.fetchLimit == 5)
    #expect(
      model.fetchRequestTemplate(named: "earning")?.request.predicate?.description
        == "salary > $MIN AND name != $NAME")
  }

  @Test("FR-45 a missing variable is an error that names it")
  func missing() throws {
    let model = try Self.model()
    let error = try #require(throws: FetchTemplateError.self) {
      try model.fetchRequest(fromTemplate: "earning", variables: ["NAME": .null])
    }
    #expect(error == .missingVariables(template: "earning", names: ["MIN"]))
    #expect(error.description.contains("$MIN"))
  }

  @Test("FR-46 null stands for nil")
  func null() throws {
    let request = try Self.model().fetchRequest(fromTemplate: "hired", variables: ["D": .null])
    #expect(
      request?.predicate?.description == "hireDate == nil"
        || request?.predicate?.description == "hireDate == NULL")
  }

  @Test("FR-47 surplus variables are ignored, and an unknown name is nil")
  func surplus() throws {
    let model = try Self.model()
    #expect(try model.fetchRequest(fromTemplate: "hired", variables: ["D": .null, "E": .int(1)]) != nil)
    #expect(try model.fetchRequest(fromTemplate: "nope") == nil)
    #expect(model.fetchRequestTemplate(named: "nope") == nil)
  }

  @Test("F44 $FETCH_SOURCE is an ordinary variable of a template")
  func fetchSource() throws {
    let model = try Self.model()
    #expect(throws: FetchTemplateError.self) { try model.fetchRequest(fromTemplate: "sourced") }
    #expect(try model.fetchRequest(fromTemplate: "sourced", variables: ["FETCH_SOURCE": .string("a")]) != nil)
  }

  @Test("a template of a read model that cannot be asked says why")
  func unusable() throws {
    var draft = try Self.model().draft
    draft.templates = [
      FetchRequestTemplate("bad", FetchRequest("Employee"), where: "salry > 1"),
      FetchRequestTemplate("worse", FetchRequest("Employee"), where: "salary >"),
    ]
    let refused = try #require(throws: ModelError.self) { try ManagedObjectModel(draft) }
    #expect(refused.breaches.map(\.rule) == [.unknownKeyPath, .invalidPredicate])
    let model = try ManagedObjectModel(draft, deferringQuestions: true)
    #expect(model.problems.map(\.rule) == [.unknownKeyPath, .invalidPredicate])
    let error = try #require(throws: FetchTemplateError.self) { try model.fetchRequest(fromTemplate: "bad") }
    #expect(error.description.contains("\"salary\""))
  }
}
