import FederatedModel
import Foundation
import Testing

@Suite struct VersionHashTests {
  /// Person, its subentity Manager, and Team, which refers to Person.
  static func draft() -> ModelDraft {
    ModelDraft {
      EntityDescription("Person") {
        AttributeDescription("name", .string)
        RelationshipDescription("team", to: "Team", inverse: "people")
        FetchedPropertyDescription("notes", of: "Team")
      }
      EntityDescription("Manager", parent: "Person") { AttributeDescription("level", .integer16) }
      EntityDescription("Team") {
        AttributeDescription("title", .string)
        RelationshipDescription("people", to: "Person", .many, inverse: "team")
      }
    }
  }

  private func hashes(_ edit: (inout ModelDraft) -> Void = { _ in }) throws -> [String: Data] {
    var draft = Self.draft()
    edit(&draft)
    return try ManagedObjectModel(draft).versionHashes()
  }

  /// An edit of the draft and the entities whose hashes it must change.
  struct Edit: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let changes: Set<String>
    let apply: @Sendable (inout ModelDraft) -> Void

    init(_ name: String, changes: Set<String>, _ apply: @escaping @Sendable (inout ModelDraft) -> Void) {
      self.testDescription = name
      self.changes = changes
      self.apply = apply
    }
  }

  private static func attribute(_ edit: @escaping @Sendable (inout AttributeDescription) -> Void)
    -> @Sendable (inout ModelDraft) -> Void
  {
    { draft in
      guard var name = draft.entities[0].properties[0] as? AttributeDescription else { return }
      edit(&name)
      draft.entities[0].properties[0] = name
    }
  }

  private static func relationship(_ edit: @escaping @Sendable (inout RelationshipDescription) -> Void)
    -> @Sendable (inout ModelDraft) -> Void
  {
    { draft in
      guard var people = draft.entities[2].properties[1] as? RelationshipDescription else { return }
      edit(&people)
      draft.entities[2].properties[1] = people
    }
  }

  static let edits: [Edit] = [
    Edit("MO-10 an attribute's type", changes: ["Person", "Manager"], attribute { $0.type = .binary }),
    Edit("MO-10 a default value", changes: [], attribute { $0.defaultValue = .string("x") }),
    Edit("an attribute made optional", changes: ["Person", "Manager"], attribute { $0.isOptional = true }),
    Edit("an attribute made transient", changes: ["Person", "Manager"], attribute { $0.isTransient = true }),
    Edit(
      "an attribute's hash modifier", changes: ["Person", "Manager"],
      attribute { $0.versionHashModifier = "2" }),
    Edit("an attribute's user info", changes: [], attribute { $0.userInfo["a"] = "b" }),
    Edit("MO-11 a delete rule", changes: [], relationship { $0.deleteRule = .cascade }),
    Edit("MO-11 validation", changes: [], attribute { $0.validation.minimum = .int(3) }),
    Edit("MO-11 a pattern", changes: [], attribute { $0.validation.pattern = "[a-z]+" }),
    Edit("MO-11 a condition", changes: [], attribute { $0 = $0.satisfying("SELF != 'x'", else: "x") }),
    Edit("a renaming identifier", changes: [], attribute { $0.renamingIdentifier = "title" }),
    Edit("a relationship's minimum", changes: ["Team"], relationship { $0.minCount = 1 }),
    Edit("a relationship's maximum", changes: ["Team"], relationship { $0.maxCount = 5 }),
    Edit("a relationship made ordered", changes: ["Team"], relationship { $0.isOrdered = true }),
    Edit("MO-13 an attribute added to the subentity", changes: ["Manager"]) {
      $0.entities[1].properties.append(AttributeDescription("x", .string))
    },
    Edit("MO-14 an attribute added to the parent", changes: ["Person", "Manager"]) {
      $0.entities[0].properties.append(AttributeDescription("x", .string))
    },
    Edit("MO-15 a uniqueness constraint", changes: ["Person", "Manager"]) {
      $0.entities[0].uniquenessConstraints = [["name"]]
    },
    Edit("MO-15 an index", changes: []) { $0.entities[0].indexes = [.init("byName", [.init("name")])] },
    Edit("an abstract parent", changes: ["Person", "Manager"]) { $0.entities[0].isAbstract = true },
    Edit("an entity's hash modifier", changes: ["Person", "Manager"]) {
      $0.entities[0].versionHashModifier = "2"
    },
    Edit("an entity's class and user info", changes: []) {
      $0.entities[0].managedObjectClassName = "Human"
      $0.entities[0].userInfo = ["a": "b"]
    },
    Edit("version identifiers", changes: []) { $0.versionIdentifiers = ["2"] },
    Edit("a configuration, and another entity", changes: []) {
      $0.configurations = [ModelConfiguration("A", entities: ["Team"])]
      $0.entities.append(EntityDescription("Other"))
    },
    Edit("the order of entities and properties", changes: []) {
      $0.entities.reverse()
      $0.entities[2].properties.reverse()
    },
    Edit("FP-65 a fetched property taken away", changes: []) { $0.entities[0].properties.removeLast() },
  ]

  @Test("an edit changes the hashes of exactly the entities it concerns", arguments: edits)
  func changes(edit: Edit) throws {
    let before = try self.hashes()
    let after = try self.hashes(edit.apply)
    let changed = before.keys.filter { before[$0] != after[$0] }
    #expect(Set(changed) == edit.changes)
  }

  @Test("MO-09 models built twice have equal hashes of 32 bytes")
  func stable() throws {
    let (one, other) = (try self.hashes(), try self.hashes())
    #expect(one == other)
    #expect(one.values.allSatisfy { $0.count == 32 })
    #expect(Set(one.values).count == 3)
  }

  @Test("hashes are the same in every process and version of the library")
  func pinned() throws {
    let text = try self.hashes()["Person"]?.map { String(format: "%02x", $0) }.joined()
    #expect(text == "10c377dc28e974143d9d11a77bb1734c16bdfdeb9405b5ec9a21a6826adc6e08")
  }

  @Test("FP-67 a fetched property's own hash knows its name, not its question")
  func fetchedPropertyHash() throws {
    func hash(_ name: String, where format: String?) throws -> Data? {
      try ManagedObjectModel {
        EntityDescription("A") {
          AttributeDescription("n", .integer64)
          FetchedPropertyDescription(name, of: "A", where: format)
        }
      }.entity(named: "A")?.fetchedProperty(named: name)?.versionHash
    }
    #expect(try hash("p", where: "n == 1") == hash("p", where: "n == 2"))
    #expect(try hash("p", where: "n == 1") != hash("q", where: "n == 1"))
  }

  @Test("hashes of a configuration are those of its entities alone")
  func configuration() throws {
    var draft = Self.draft()
    draft.configurations = [ModelConfiguration("A", entities: ["Team"])]
    let model = try ManagedObjectModel(draft)
    #expect(Set(model.versionHashes(forConfiguration: "A").keys) == ["Team"])
    #expect(model.versionHashes().count == 3)
    #expect(model.versionHashes(forConfiguration: "B").isEmpty)
  }
}
