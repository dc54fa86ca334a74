import FederatedModel
import Testing

/// One broken model, and what must be said about it.
struct BrokenModel: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let draft: ModelDraft
  /// Rule, entity, property, and words of the detail.
  var breaches: [(ModelError.Rule, String?, String?, [String])]

  init(
    _ name: String, _ entities: [EntityDescription],
    _ breaches: (ModelError.Rule, String?, String?, [String])..., edit: (inout ModelDraft) -> Void = { _ in }
  ) {
    self.testDescription = name
    var draft = ModelDraft(entities: entities)
    edit(&draft)
    self.draft = draft
    self.breaches = breaches
  }
}

func entity(
  _ name: String, parent: String? = nil, _ properties: any PropertyDescription...,
  edit: (inout EntityDescription) -> Void = { _ in }
) -> EntityDescription {
  var entity = EntityDescription(name, parent: parent, properties: properties)
  edit(&entity)
  return entity
}

func request(_ entity: String, _ edit: (inout FetchRequest) -> Void) -> FetchRequest {
  var request = FetchRequest(entity)
  edit(&request)
  return request
}

func name(_ name: String = "name") -> AttributeDescription { AttributeDescription(name, .string) }

extension BrokenModel {
  /// The model must be refused with exactly the breaches stated.
  func checkRefusal() throws {
    let error = try #require(throws: ModelError.self) { try ManagedObjectModel(self.draft) }
    #expect(error.breaches.map(\.rule) == self.breaches.map(\.0))
    for (found, expected) in zip(error.breaches, self.breaches) {
      #expect(found.entity == expected.1)
      #expect(found.property == expected.2)
      for word in expected.3 { #expect(found.detail.contains(word), "\(found) says nothing of \(word)") }
    }
  }

  /// Read from a file, the model must load and keep the breaches at its property `A.p`.
  func checkDeferral() throws {
    let frozen = try ManagedObjectModel(self.draft, deferringQuestions: true)
    #expect(frozen.problems.map(\.rule) == self.breaches.map(\.0))
    let property = try #require(frozen.entity(named: "A")?.fetchedProperty(named: "p"))
    #expect(property.request == nil)
    #expect(property.problems == frozen.problems)
  }
}
