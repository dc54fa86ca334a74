import FederatedModel
import Foundation
import Testing

/// A property kind that no entity can have.
private struct ComputedColumn: PropertyDescription {
  var name = "sum"
  var isOptional = true
  var isTransient = true
  var userInfo: [String: String] = [:]
  var renamingIdentifier: String?
  var versionHashModifier: String?
}

@Suite struct ModelValidationTests {
  static let names: [BrokenModel] = [
    BrokenModel("an entity without a name", [entity("")], (.emptyName, nil, nil, [])),
    BrokenModel("a property without a name", [entity("A", name(""))], (.emptyName, "A", nil, [])),
    BrokenModel("two entities of one name", [entity("A"), entity("A")], (.duplicateEntity, "A", nil, [])),
    BrokenModel(
      "entities that differ by case", [entity("Note"), entity("NOTE")],
      (.namesDifferOnlyByCase, "NOTE", nil, ["\"Note\""])),
    BrokenModel(
      "two properties of one name", [entity("A", name(), name())], (.duplicateProperty, "A", "name", [])),
    BrokenModel(
      "properties that differ by case", [entity("A", name(), name("Name"))],
      (.namesDifferOnlyByCase, "A", "Name", ["\"name\""])),
    BrokenModel(
      "properties that differ by case from an inherited one",
      [entity("A", name()), entity("B", parent: "A", name("NAME"))],
      (.namesDifferOnlyByCase, "B", "NAME", ["\"name\"", "\"A\""])),
    BrokenModel(
      "names that a SQLite store keeps for itself",
      [entity("_Metadata", name("_pk"), name("_ENT"), name("_opt"))],
      (.reservedName, "_Metadata", nil, []), (.reservedName, "_Metadata", "_pk", []),
      (.reservedName, "_Metadata", "_ENT", []), (.reservedName, "_Metadata", "_opt", [])),
    BrokenModel(
      "MO-19 a computed column as an entity's property", [entity("A", ComputedColumn())],
      (.unsupportedProperty, "A", "sum", ["ComputedColumn"])),
  ]

  static let inheritance: [BrokenModel] = [
    BrokenModel(
      "an unknown parent", [entity("Person"), entity("Manager", parent: "Persn")],
      (.unknownParent, "Manager", nil, ["\"Persn\"", "Did you mean \"Person\"?"])),
    BrokenModel(
      "an entity that is its own parent", [entity("A", parent: "A")], (.inheritanceCycle, "A", nil, ["A < A"])
    ),
    BrokenModel(
      "a cycle of three, said once",
      [
        entity("A", parent: "B"), entity("B", parent: "C"), entity("C", parent: "A"),
        entity("D", parent: "A"),
      ],
      (.inheritanceCycle, "A", nil, ["A < B < C < A"])),
    BrokenModel(
      "MO-06 a redefined property names both entities",
      [entity("Person", name()), entity("Manager", parent: "Person", name())],
      (.redefinedProperty, "Manager", "name", ["\"Manager\"", "\"Person\""])),
    BrokenModel(
      "P53 a redefined fetched property",
      [
        entity("Person", FetchedPropertyDescription("notes", of: "Person")),
        entity("Manager", parent: "Person", FetchedPropertyDescription("notes", of: "Person")),
      ],
      (.redefinedProperty, "Manager", "notes", ["\"Person\""])),
  ]

  static let attributes: [BrokenModel] = [
    BrokenModel(
      "an untyped attribute that is stored", [entity("A", AttributeDescription("x", .undefined))],
      (.undefinedTypeNotTransient, "A", "x", [])),
    BrokenModel(
      "defaults of another type",
      [
        entity(
          "A", AttributeDescription("n", .integer16, default: .int(40_000)),
          AttributeDescription("m", .integer64, default: .double(1.5)),
          AttributeDescription("t", .string, default: .int(1)),
          AttributeDescription("b", .boolean, default: .int(2)),
          AttributeDescription("u", .uuid, default: .string("no uuid")),
          AttributeDescription("d", .date, default: .double(0)))
      ],
      (.defaultOfWrongType, "A", "n", []), (.defaultOfWrongType, "A", "m", []),
      (.defaultOfWrongType, "A", "t", []), (.defaultOfWrongType, "A", "b", []),
      (.defaultOfWrongType, "A", "u", []), (.defaultOfWrongType, "A", "d", [])),
    BrokenModel(
      "a codec that nobody registered",
      [entity("A", AttributeDescription("tint", .transformable(codec: "Colour")))],
      (.unregisteredCodec, "A", "tint", ["\"Colour\""])),
    BrokenModel(
      "an unknown composite", [entity("A", AttributeDescription("place", .composite(name: "Place")))],
      (.unknownComposite, "A", "place", ["\"Place\""])),
  ]

  static let relationships: [BrokenModel] = [
    BrokenModel(
      "an unknown destination",
      [entity("Book", RelationshipDescription("author", to: "Autor")), entity("Author")],
      (.unknownDestination, "Book", "author", ["\"Autor\"", "Did you mean \"Author\"?"])),
    BrokenModel(
      "an unknown inverse",
      [
        entity("Book", RelationshipDescription("author", to: "Author", inverse: "book")),
        entity("Author", name("books")),
      ],
      (.unknownInverse, "Book", "author", ["\"book\"", "\"books\""])),
    BrokenModel(
      "MO-23 an inverse that leads back elsewhere, said with both ends",
      [
        entity(
          "Book", RelationshipDescription("author", to: "Author", inverse: "books"),
          RelationshipDescription("editor", to: "Author", inverse: "books")),
        entity("Author", RelationshipDescription("books", to: "Book", .many, inverse: "author")),
      ],
      (.inverseMismatch, "Book", "editor", ["Book.editor", "Author.books", "Book.author"])),
    BrokenModel(
      "an inverse that names none",
      [
        entity("Book", RelationshipDescription("author", to: "Author", inverse: "books")),
        entity("Author", RelationshipDescription("books", to: "Book", .many)),
      ],
      (.inverseMismatch, "Book", "author", ["Author.books", "names none"])),
    BrokenModel(
      "an inverse in an entity that is no relative of the destination",
      [
        entity(
          "Book",
          {
            var author = RelationshipDescription("author", to: "Author", inverse: "books")
            author.inverseEntity = "Shop"
            return author
          }()),
        entity("Author"),
        entity("Shop", RelationshipDescription("books", to: "Book", .many, inverse: "author")),
      ],
      (.inverseMismatch, "Book", "author", ["\"Shop\"", "\"Author\""])),
    BrokenModel(
      "counts that are no range",
      [
        entity(
          "A",
          {
            var many = RelationshipDescription("many", to: "A", .many)
            many.minCount = 5
            many.maxCount = 2
            return many
          }())
      ],
      (.invalidCounts, "A", "many", ["5 to 2"])),
  ]

  static let groups: [BrokenModel] = [
    BrokenModel(
      "constraints over what is no attribute",
      [
        entity(
          "A", name(), RelationshipDescription("other", to: "A"), FetchedPropertyDescription("all", of: "A"),
          edit: { $0.uniquenessConstraints = [["name", "nam"], ["other"], ["all"], []] })
      ],
      (.invalidUniquenessConstraint, "A", "nam", ["Did you mean \"name\"?"]),
      (.invalidUniquenessConstraint, "A", "other", ["not an attribute"]),
      (.invalidUniquenessConstraint, "A", "all", ["fetched property", "not an attribute"]),
      (.invalidUniquenessConstraint, "A", nil, [])),
    BrokenModel(
      "indexes over what is no attribute",
      [
        entity(
          "A", AttributeDescription("shade", .string, transient: true),
          FetchedPropertyDescription("all", of: "A"),
          edit: {
            $0.indexes = [.init("byAll", [.init("all"), .init("shade")]), .init("byAll", [])]
            $0.compoundIndexes = [["missing"]]
          })
      ],
      (.invalidIndex, "A", "all", ["\"byAll\"", "not an attribute"]),
      (.invalidIndex, "A", "shade", ["transient"]),
      (.invalidIndex, "A", nil, ["\"byAll\""]), (.invalidIndex, "A", "missing", [])),
    BrokenModel(
      "configurations", [entity("Note")],
      (.unknownConfigurationMember, nil, nil, ["\"Side\"", "\"Nte\"", "\"Note\""]),
      (.duplicateConfiguration, nil, nil, ["\"Side\""]), (.emptyName, nil, nil, []),
      edit: {
        $0.configurations = [
          ModelConfiguration("Side", entities: ["Note", "Nte"]), ModelConfiguration("Side", entities: []),
          ModelConfiguration("", entities: []),
        ]
      }),
    BrokenModel(
      "templates", [entity("Note")],
      (.invalidTemplate, nil, nil, ["\"all\"", "\"Nope\""]), (.duplicateTemplate, nil, nil, ["\"all\""]),
      edit: {
        $0.templates = [
          FetchRequestTemplate("all", FetchRequest("Nope")),
          FetchRequestTemplate("all", FetchRequest("Note")),
        ]
      }),
  ]

  static let questions: [BrokenModel] = [
    BrokenModel(
      "a fetched property without a request", [entity("A", FetchedPropertyDescription("p", nil))],
      (.invalidFetchedProperty, "A", "p", [])),
    BrokenModel(
      "FP-69 a fetched property of an unknown entity",
      [entity("A", FetchedPropertyDescription("p", of: "Nope"))],
      (.unknownFetchedEntity, "A", "p", ["\"Nope\""])),
    BrokenModel(
      "a fetched property that answers no objects",
      [entity("A", FetchedPropertyDescription("p", request("A") { $0.resultType = .dictionaries }))],
      (.invalidFetchedProperty, "A", "p", ["dictionaries"])),
    BrokenModel(
      "BR-07 orders by keys that are misspelt, transient, fetched, many, or end in an object",
      [
        entity(
          "A", name(), AttributeDescription("shade", .string, transient: true),
          RelationshipDescription("parts", to: "A", .many), RelationshipDescription("whole", to: "A"),
          FetchedPropertyDescription(
            "p",
            request("A") {
              $0.sortDescriptors = [
                .ascending("nmae"), .ascending("shade"), .ascending("p"), .ascending("parts.name"),
                .ascending("whole"), .ascending("name.first"), .ascending("whole.name"),
                .ascending("objectID"),
              ]
            }))
      ],
      (.unknownKeyPath, "A", "p", ["\"nmae\"", "\"A\"", "\"name\""]),
      (.keyPathNotFetchable, "A", "p", ["\"shade\"", "transient"]),
      (.keyPathNotFetchable, "A", "p", ["\"p\"", "fetched"]),
      (.toManyKeyNeedsModifier, "A", "p", ["\"parts.name\""]), (.unknownKeyPath, "A", "p", ["\"whole\""]),
      (.unknownKeyPath, "A", "p", ["\"name.first\""])),
    BrokenModel(
      "FP-49 a prefetch of what is no relationship",
      [
        entity(
          "A", name(), RelationshipDescription("whole", to: "A"),
          FetchedPropertyDescription(
            "p", request("A") { $0.relationshipKeyPathsForPrefetching = ["p", "name", "whole.whole"] }))
      ],
      (.keyPathNotFetchable, "A", "p", ["\"p\""]), (.unknownKeyPath, "A", "p", ["\"name\""])),
  ]

  @Test(
    "one error lists every breach with entity, property and rule",
    arguments: [names, inheritance, attributes, relationships, groups, questions].flatMap(\.self))
  func refuses(model: BrokenModel) throws {
    try model.checkRefusal()
  }

  @Test("a read model keeps the breaches of its questions as problems", arguments: questions)
  func defers(model: BrokenModel) throws {
    try model.checkDeferral()
  }

  @Test("breaches of many kinds come in one error")
  func listsAll() throws {
    let all = ModelDraft(
      entities: Self.names.flatMap(\.draft.entities) + Self.relationships.flatMap(\.draft.entities))
    let error = try #require(throws: ModelError.self) { try ManagedObjectModel(all) }
    #expect(error.breaches.count > 15)
    #expect(error.description.contains("A.Name: "))
  }

  @Test("defaults become values of the attribute's type")
  func normalisesDefaults() throws {
    let id = UUID()
    let model = try ManagedObjectModel(entities: [
      entity(
        "A", AttributeDescription("double", .double, default: 7),
        AttributeDescription("decimal", .decimal, default: 0.1),
        AttributeDescription("small", .integer16, default: .double(3)),
        AttributeDescription("flag", .boolean, default: .int(1)),
        AttributeDescription("id", .uuid, default: .string(id.uuidString)),
        AttributeDescription("link", .uri, default: .string("x:y")))
    ])
    let values = try #require(model.entity(named: "A")).attributes.map(\.description.defaultValue)
    #expect(
      values == [
        .double(7), .decimal(Decimal(string: "0.1")!), .int(3), .bool(true), .uuid(id), .uri("x:y"),
      ])
  }

  @Test("what model files hold lawfully is taken")
  func takesLawfulModels() throws {
    var up = RelationshipDescription("owner", to: "Leaf", inverse: "things")
    up.inverseEntity = "Root"
    up.isOrdered = true
    let model = try ManagedObjectModel(
      ModelDraft(entities: [
        entity("Root", RelationshipDescription("things", to: "Thing", .many, inverse: "owner")),
        entity("Leaf", parent: "Root", AttributeDescription("_hidden", .string)),
        entity("Thing", up, RelationshipDescription("friends", to: "Thing", .many, inverse: "friends")),
        entity(
          "Other", RelationshipDescription("oneWay", to: "Root"),
          AttributeDescription("x", .undefined, transient: true)),
        entity("A", parent: "Other", name()), entity("B", parent: "Other", name("NAME")),
      ]), deferringQuestions: true)
    let owner = try #require(model.entity(named: "Thing")?.relationship(named: "owner"))
    #expect(owner.isOrdered == false)
    #expect(owner.inverse.map { model.relationship($0).name } == "things")
    #expect(model.entity(named: "Other")?.relationship(named: "oneWay")?.inverse == nil)
  }
}
