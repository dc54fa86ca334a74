import FederatedModel
import Testing

@Suite struct ManagedObjectModelTests {
  static let draft = ModelDraft {
    EntityDescription("Person") { AttributeDescription("name", .string, optional: true) }
      .unique(on: "name").indexed("byName", on: "name")
    EntityDescription("Manager", parent: "Person") { AttributeDescription("level", .integer16) }
    EntityDescription("Note") { AttributeDescription("text", .string) }
    ModelConfiguration("A", entities: ["Person", "Manager"])
    ModelConfiguration("B", entities: ["Note"])
    FetchRequestTemplate("notes", FetchRequest("Note"))
  }

  @Test("MO-01 an entity is found by its name")
  func findsEntities() throws {
    let model = try ManagedObjectModel(Self.draft)
    #expect(model.entity(named: "Note")?.name == "Note")
    #expect(model.entity(named: "note") == nil)
    #expect(model.entities.map(\.name) == ["Note", "Person", "Manager"])
  }

  @Test("MO-02 a model has no part that can be changed; an edited draft leaves it as it was")
  func isFrozen() throws {
    let model = try ManagedObjectModel(Self.draft)
    var draft = model.draft
    draft.entities[0].properties[0].name = "title"
    #expect(model.entity(named: "Person")?.attribute(named: "name") != nil)
    #expect(model.entity(named: "Person")?.attribute(named: "title") == nil)
  }

  @Test("MO-03 an edited copy has other hashes, the model keeps its own")
  func copies() throws {
    let model = try ManagedObjectModel(Self.draft)
    let before = model.versionHashes()
    var draft = model.draft
    draft.entities[2].properties.append(AttributeDescription("extra", .string))
    let edited = try ManagedObjectModel(draft)
    #expect(model.versionHashes() == before)
    #expect(edited.versionHashes()["Note"] != before["Note"])
    #expect(edited.versionHashes()["Person"] == before["Person"])
  }

  @Test("MO-05 a subentity has inherited properties first, its parent lacks the subentity's")
  func inherits() throws {
    let model = try ManagedObjectModel(Self.draft)
    #expect(model.entity(named: "Manager")?.attributes.map(\.name) == ["name", "level"])
    #expect(model.entity(named: "Person")?.property(named: "level") == nil)
  }

  @Test("an entity is a kind of itself and of its ancestors, and of nothing else")
  func kinds() throws {
    let model = try ManagedObjectModel {
      EntityDescription("Root")
      EntityDescription("B", parent: "Root")
      EntityDescription("a", parent: "Root")
      EntityDescription("Leaf", parent: "B")
      EntityDescription("Other")
    }
    #expect(model.entities.map(\.name) == ["Other", "Root", "a", "B", "Leaf"])
    for entity in model.entities {
      for other in model.entities {
        var ancestor: Entity? = entity
        while let found = ancestor, found !== other { ancestor = found.parent.map { model[$0] } }
        #expect(entity.isKind(of: other) == (ancestor != nil), "\(entity.name), \(other.name)")
        #expect(entity.isKind(of: other) == other.family.contains(entity.id))
      }
    }
  }

  @Test(
    "MO-07 a relationship is to-many exactly when its maximum is not 1",
    arguments: [(0, 1, false), (1, 1, false), (0, 0, true), (1, 5, true)])
  func cardinality(minimum: Int, maximum: Int, isToMany: Bool) {
    var relationship = RelationshipDescription("r", to: "A")
    relationship.minCount = minimum
    relationship.maxCount = maximum
    #expect(relationship.isToMany == isToMany)
  }

  @Test("MO-17 the renaming identifier is the name until it is set")
  func renaming() {
    var attribute = AttributeDescription("name", .string)
    #expect(attribute.effectiveRenamingIdentifier == "name")
    attribute.renamingIdentifier = "title"
    #expect(attribute.effectiveRenamingIdentifier == "title")
    #expect(EntityDescription("Person").effectiveRenamingIdentifier == "Person")
    #expect(FetchedPropertyDescription("p", of: "Note").effectiveRenamingIdentifier == "p")
  }

  @Test("MO-18 a configuration has its entities, nil has all, an unknown name has none")
  func configurations() throws {
    let model = try ManagedObjectModel(Self.draft)
    #expect(model.entities(forConfiguration: nil)?.count == 3)
    #expect(model.entities(forConfiguration: "A")?.map(\.name) == ["Person", "Manager"])
    #expect(model.entities(forConfiguration: "C") == nil)
  }

  @Test("MO-22 nothing merges to an empty model, two models to their union")
  func merges() throws {
    #expect(try ManagedObjectModel(merging: []).entities.isEmpty)
    let one = try ManagedObjectModel(Self.draft)
    let other = try ManagedObjectModel {
      EntityDescription("Tag") { AttributeDescription("name", .string) }
      ModelConfiguration("B", entities: ["Tag"])
    }
    let merged = try ManagedObjectModel(merging: [one, other])
    #expect(merged.entities.map(\.name) == ["Note", "Person", "Manager", "Tag"])
    #expect(merged.entities(forConfiguration: "B")?.map(\.name) == ["Note", "Tag"])
    #expect(merged.templates.map(\.name) == ["notes"])
  }

  @Test("MO-22 an entity of two models merges when both describe it alike, and is refused otherwise")
  func mergesSharedEntities() throws {
    let one = try ManagedObjectModel { EntityDescription("Tag") { AttributeDescription("name", .string) } }
    let same = try ManagedObjectModel { EntityDescription("Tag") { AttributeDescription("name", .string) } }
    let other = try ManagedObjectModel {
      EntityDescription("Tag") { AttributeDescription("name", .string, default: .string("x")) }
    }
    #expect(try ManagedObjectModel(merging: [one, same]).entities.count == 1)
    let error = try #require(throws: ModelError.self) { try ManagedObjectModel(merging: [one, other]) }
    #expect(error.breaches.map(\.rule) == [.duplicateEntity])
  }

  @Test("a declaration may choose and repeat")
  func buildsWithControlFlow() throws {
    let wide = true
    let model = try ManagedObjectModel {
      for index in 0..<3 {
        EntityDescription("E\(index)") {
          AttributeDescription("a", .string)
          if wide { AttributeDescription("b", .string) }
        }
      }
      if !wide { EntityDescription("Narrow") } else { EntityDescription("Wide") }
    }
    #expect(model.entities.map(\.name) == ["E0", "E1", "E2", "Wide"])
    #expect(model.entities[0].attributes.count == 2)
  }

  @Test("a codec that is registered is found for its attribute")
  func codecs() throws {
    struct Colour: Codable, Sendable, Equatable { var red: Double }
    let model = try ManagedObjectModel {
      EntityDescription("A") { AttributeDescription("tint", .transformable(codec: "Colour")) }
      TransformableCodec.json("Colour", Colour.self)
    }
    let codec = try #require(model.codec(for: model.entities[0].attributes[0]))
    let data = try codec.encode(Colour(red: 0.5))
    #expect(String(decoding: data, as: UTF8.self) == #"{"red":0.5}"#)
    #expect(try codec.decode(data, as: Colour.self) == Colour(red: 0.5))
    #expect(throws: TransformableCodecError.self) { try codec.encode("no colour") }
    #expect(throws: TransformableCodecError.self) { try codec.decode(data, as: String.self) }
  }
}
