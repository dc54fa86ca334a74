import FederatedModel
import Foundation
import Testing

@Suite struct ModelDifferenceTests {
  private static let draft = ModelDraft {
    EntityDescription("Customer") {
      AttributeDescription("code", .string, optional: true)
      AttributeDescription("number", .integer64, default: 5)
      RelationshipDescription("notes", to: "Note", .many, inverse: "customer")
      FetchedPropertyDescription(
        "invoices", of: "Invoice", where: "customer == $FETCH_SOURCE.number", order: .descending("date"))
    }.unique(on: "number").indexed("byCode", on: "code")
    EntityDescription("Note") { RelationshipDescription("customer", to: "Customer", inverse: "notes") }
    EntityDescription("Invoice") {
      AttributeDescription("customer", .integer64)
      AttributeDescription("date", .date)
    }
    ModelConfiguration("CRM", entities: ["Customer", "Note"])
    FetchRequestTemplate("late", FetchRequest("Invoice"), where: "date < $NOW")
    CompositeDescription("Place", elements: [AttributeDescription("x", .double)])
  }

  private static func differences(_ change: (inout ModelDraft) throws -> Void) throws -> ModelDifference {
    var changed = self.draft
    try change(&changed)
    return ModelDifference(
      from: try ManagedObjectModel(Self.draft), to: try ManagedObjectModel(changed, deferringQuestions: true))
  }

  private static func texts(_ change: (inout ModelDraft) throws -> Void) throws -> [String] {
    try self.differences(change).changes.map(\.description)
  }

  private static func edit<Description: PropertyDescription>(
    _ property: String, of entity: Int, in draft: inout ModelDraft, _ change: (inout Description) -> Void
  ) throws {
    let place = try #require(draft.entities[entity].properties.firstIndex { $0.name == property })
    var description = try #require(draft.entities[entity].properties[place] as? Description)
    change(&description)
    draft.entities[entity].properties[place] = description
  }

  @Test("a model does not differ from itself, nor by the order of what has none, nor by another spelling")
  func same() throws {
    let difference = try Self.differences { draft in
      draft.entities.reverse()
      for place in draft.entities.indices { draft.entities[place].properties.reverse() }
      draft.configurations[0].entities.reverse()
      draft.templates[0].predicateFormat = "(date   <   $NOW)"
    }
    #expect(difference.changes.isEmpty)
    #expect(difference.hashesAreEqual)
  }

  @Test("a changed attribute is told fact by fact, with the value before and now")
  func attribute() throws {
    let texts = try Self.texts { draft in
      try Self.edit("number", of: 0, in: &draft) { (number: inout AttributeDescription) in
        number.type = .string
        number.defaultValue = .string("5")
        number.isOptional = true
        number.userInfo = ["unit": "piece"]
        number = number.length(1...9)
      }
    }
    #expect(
      texts == [
        "changed attribute Customer.number: type integer 64, now string",
        "changed attribute Customer.number: optional false, now true",
        #"changed attribute Customer.number: default 5, now "5""#,
        "changed attribute Customer.number: minimum none, now 1",
        "changed attribute Customer.number: maximum none, now 9",
        "changed attribute Customer.number: userInfo unit none, now piece",
      ])
  }

  @Test("a changed relationship and a changed question are told fact by fact")
  func links() throws {
    let texts = try Self.texts { draft in
      try Self.edit("notes", of: 0, in: &draft) { (notes: inout RelationshipDescription) in
        notes.isOrdered = true
        notes.deleteRule = .cascade
        notes.maxCount = 7
      }
      try Self.edit("invoices", of: 0, in: &draft) { (invoices: inout FetchedPropertyDescription) in
        invoices.predicateFormat = "customer == $FETCH_SOURCE.number AND date != nil"
        invoices.request?.sortDescriptors = []
        invoices.request?.fetchLimit = 3
      }
    }
    #expect(
      texts == [
        "changed relationship Customer.notes: cardinality to-many, now to-many ordered",
        "changed relationship Customer.notes: maxCount 0, now 7",
        "changed relationship Customer.notes: deleteRule nullify, now cascade",
        "changed fetched property Customer.invoices: predicate customer == $FETCH_SOURCE.number, now "
          + "customer == $FETCH_SOURCE.number AND date != nil",
        "changed fetched property Customer.invoices: sort -date, now none",
        "changed fetched property Customer.invoices: limit 0, now 3",
      ])
  }

  @Test("a question that cannot be asked is compared by its text")
  func brokenQuestion() throws {
    let texts = try Self.texts { draft in
      try Self.edit("invoices", of: 0, in: &draft) { (invoices: inout FetchedPropertyDescription) in
        invoices.predicateFormat = "cutsomer == 1"
      }
    }
    #expect(
      texts == [
        "changed fetched property Customer.invoices: predicate customer == $FETCH_SOURCE.number, now cutsomer == 1"
      ])
  }

  @Test("what has another name and the same renaming identifier is renamed, also when its old name is taken")
  func renamed() throws {
    let difference = try Self.differences { draft in
      try Self.edit("code", of: 0, in: &draft) { (code: inout AttributeDescription) in
        code.name = "mark"
        code.renamingIdentifier = "code"
      }
      draft.entities[0].properties.append(AttributeDescription("code", .date))
      draft.entities[0].properties.swapAt(0, draft.entities[0].properties.count - 1)
      draft.entities[2].name = "Bill"
      draft.entities[2].renamingIdentifier = "Invoice"
      draft.templates = []
      try Self.edit("invoices", of: 0, in: &draft) { (invoices: inout FetchedPropertyDescription) in
        invoices.request?.entityName = "Bill"
      }
    }
    let renamed = difference.changes.filter { $0.fact == "name" }
    #expect(
      renamed.map(\.description) == [
        "changed entity Bill: name Invoice, now Bill",
        "changed attribute Customer.mark: name code, now mark",
      ])
    #expect(difference.changes.contains { $0.description == "added attribute Customer.code: date" })
    #expect(!difference.changes.contains { $0.kind == .removed && $0.item.kind != .template })
    #expect(difference.entitiesWithOtherHashes == ["Bill", "Customer", "Invoice"])
  }

  @Test("entities and what belongs to none come and go, their properties with them")
  func cameAndWent() throws {
    let texts = try Self.texts { draft in
      draft.entities.append(EntityDescription("Page", properties: [AttributeDescription("text", .string)]))
      draft.entities.remove(at: 1)
      draft.entities[0].properties.removeAll { $0.name == "notes" }
      draft.entities[0].uniquenessConstraints = []
      draft.entities[0].indexes = []
      draft.entities[0].versionHashModifier = "2"
      draft.configurations = [ModelConfiguration("CRM", entities: ["Customer", "Page"])]
      draft.templates[0].name = "early"
      draft.composites[0].elements[0].isOptional = true
      draft.versionIdentifiers = ["2"]
    }
    #expect(
      texts == [
        "changed model: versionIdentifiers none, now 2",
        "changed entity Customer: versionHashModifier none, now 2",
        "changed entity Customer: unique number, now none",
        "changed entity Customer: index byCode code, now none",
        "removed relationship Customer.notes: Note, to-many, optional, inverse customer, deleteRule nullify",
        "added entity Page",
        "removed entity Note",
        "changed configuration CRM: entities Customer; Note, now Customer; Page",
        "added fetch request template early: Invoice, predicate date < $NOW",
        "removed fetch request template late: Invoice, predicate date < $NOW",
        "changed composite element Place.x: optional false, now true",
      ])
  }

  @Test("version hashes differ where a store would hold other rows, and only there")
  func hashes() throws {
    #expect(
      try Self.differences { draft in
        try Self.edit("code", of: 0, in: &draft) { (code: inout AttributeDescription) in
          code.defaultValue = .string("x")
        }
      }.hashesAreEqual)
    #expect(
      try Self.differences { draft in
        try Self.edit("code", of: 0, in: &draft) { (code: inout AttributeDescription) in
          code.isOptional = false
        }
      }.entitiesWithOtherHashes == ["Customer"])
  }
}
