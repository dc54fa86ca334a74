import FederatedModel
import FederatedModelFiles
import Foundation
import TestSupport
import Testing

@Suite struct FixtureModelTests {
  static let everything = TestFiles.fixtures.appending(path: "Models/Everything.xcdatamodeld")
  static let standalone = TestFiles.fixtures.appending(path: "Models/Standalone.xcdatamodel")

  private func attribute(_ name: String, of entity: String = "Thing") throws -> AttributeDescription {
    let model = try ModelFile.load(at: Self.everything)
    return try #require(model.entity(named: entity)?.attribute(named: name)?.description)
  }

  @Test(
    "every attribute type is read with its default",
    arguments: [
      ("note", .undefined, .null), ("whole", .integer64, .int(5)), ("middle", .integer32, .int(0)),
      ("count", .integer16, .int(0)), ("amount", .decimal, .decimal(Decimal(string: "-12.5")!)),
      ("ratio", .double, .double(0.25)), ("small", .float, .double(0)), ("flag", .boolean, .bool(true)),
      ("code", .string, .string("A\"\n\u{e9}")), ("empty", .string, .string("")),
      ("born", .date, .date(Date(timeIntervalSinceReferenceDate: -0.5))), ("bytes", .binary, .null),
      ("identity", .uuid, .null), ("link", .uri, .null), ("colour", .transformable(codec: "Colour"), .null),
      ("place", .composite(name: "Place"), .null),
    ] as [(String, AttributeType, Value)])
  func types(name: String, type: AttributeType, value: Value) throws {
    let attribute = try self.attribute(name)
    #expect(attribute.type == type)
    #expect(attribute.defaultValue == value)
  }

  @Test("flags, bounds, patterns, expressions and user info of attributes are read")
  func attributeDetails() throws {
    let whole = try self.attribute("whole")
    #expect(whole.validation.minimum == .int(-3))
    #expect(whole.validation.maximum == .decimal(Decimal(string: "7.5")!))
    #expect(whole.isIndexed)
    let code = try self.attribute("code")
    #expect(code.validation.minimum == .int(2))
    #expect(code.validation.maximum == .int(8))
    #expect(code.validation.pattern == "[A-Z&<]+")
    #expect(code.renamingIdentifier == "oldCode")
    #expect(code.versionHashModifier == "2")
    let born = try self.attribute("born")
    #expect(born.validation.minimum == .date(Date(timeIntervalSinceReferenceDate: -725_882_400)))
    #expect(born.validation.maximum == .date(Date(timeIntervalSinceReferenceDate: 697_374_420.25)))
    #expect(born.fileAttributes == ["usesScalarValueType": "NO"])
    #expect(try self.attribute("bytes").allowsExternalBinaryDataStorage)
    #expect(try self.attribute("identity").preservesValueInHistoryOnDeletion)
    #expect(try self.attribute("folded").derivationExpression == "canonical:(code)")
    #expect(try self.attribute("colour").valueClassName == "Colour")
    #expect(try self.attribute("small").userInfo == ["a key. with \"marks\"": "<b>", "B": ""])
    #expect(try self.attribute("note").isTransient)
  }

  @Test("entities, relationships, indexes and constraints are read")
  func entities() throws {
    let model = try ModelFile.load(at: Self.everything)
    #expect(model.problems.isEmpty)
    #expect(model.versionIdentifiers == ["2"])
    let thing = try #require(model.entity(named: "Thing"))
    #expect(thing.parent.map { model[$0].name } == "Base")
    #expect(thing.description.managedObjectClassName == ".Thing")
    #expect(thing.description.renamingIdentifier == "OldThing")
    #expect(thing.description.userInfo == ["kind": "thing"])
    #expect(thing.description.uniquenessConstraints == [["code"], ["count", "whole"]])
    #expect(thing.description.compoundIndexes == [["code", "count"]])
    #expect(
      thing.description.indexes == [
        FetchIndexDescription("byCode", [.init("code", ascending: false), .init("seen")]),
        FetchIndexDescription(
          "byFolded", [.init(nil, expressionFormat: "uppercase:(code)", expressionType: "String")],
          where: "count > 0"),
        FetchIndexDescription("hollow", []),
      ])
    let base = try #require(model.entity(named: "Base"))
    #expect(base.isAbstract)
    #expect(base.description.versionHashModifier == "b")
    let parts = try #require(thing.relationship(named: "parts"))
    #expect(parts.isToMany && parts.isOrdered)
    #expect(parts.description.maxCount == 9)
    #expect(parts.description.deleteRule == .cascade)
    #expect(parts.inverse.map { model.relationship($0).name } == "whole1")
    #expect(thing.relationship(named: "whole1")?.description.deleteRule == .noAction)
    #expect(thing.relationship(named: "tags")?.description.minCount == 1)
    #expect(thing.relationship(named: "tags")?.description.deleteRule == .deny)
    let seen = try #require(thing.relationship(named: "seen"))
    #expect(!seen.isToMany && seen.inverse == nil)
  }

  @Test("X5 a fetched property has its condition, its variables and the order of our extension")
  func fetchedProperties() throws {
    let model = try ModelFile.load(at: Self.everything)
    let alike = try #require(model.entity(named: "Thing")?.fetchedProperty(named: "alike"))
    let request = try #require(alike.request)
    #expect(alike.destination == model.entity(named: "Tag")?.id)
    #expect(alike.description.userInfo == ["search": "great"])
    #expect(request.fetchLimit == 10)
    #expect(request.fetchOffset == 1)
    #expect(
      request.sortDescriptors == [
        .descending("weight"), FetchSortDescriptor("name", comparison: .caseInsensitive),
      ])
    #expect(alike.plan?.keys == [.init(attribute: "name", sourcePath: ["code"])])
    #expect(
      alike.plan?.residual
        == (try FetchPredicate(
          format: "weight > 3 AND name CONTAINS[c] $FETCHED_PROPERTY.userInfo.search")))
    let all = try #require(model.entity(named: "Thing")?.fetchedProperty(named: "everyTag"))
    #expect(all.request != nil && all.request?.predicate == nil)
  }

  @Test("X6 templates, configurations and composites are read")
  func groups() throws {
    let model = try ModelFile.load(at: Self.everything)
    let heavy = try #require(model.fetchRequestTemplate(named: "heavy")).request
    #expect(heavy.resultType == .identifiers)
    #expect(heavy.fetchLimit == 5)
    #expect(heavy.fetchBatchSize == 20)
    #expect(!heavy.includesSubentities && !heavy.includesPropertyValues && !heavy.includesPendingChanges)
    #expect(!heavy.returnsObjectsAsFaults && heavy.returnsDistinctResults)
    #expect(model.configurations.map(\.name) == ["Main", "Side"])
    #expect(model.entities(forConfiguration: "Side")?.map(\.name) == ["Tag"])
    #expect(model.composites.map(\.name) == ["Place", "Region"])
    #expect(model.composites[0].elements.map(\.type) == [.double, .composite(name: "Region")])
  }

  @Test("the current version is followed, and another can be named")
  func versions() throws {
    let versions = try ModelFile.versions(at: Self.everything)
    #expect(versions.map(\.name) == ["Everything 2", "Everything"])
    #expect(versions.map(\.isCurrent) == [true, false])
    #expect(try ModelFile.load(at: Self.everything, version: "Everything").versionIdentifiers == ["1"])
    #expect(try ModelFile.versions(at: Self.standalone).map(\.name) == ["Standalone"])
    let error = try #require(throws: ModelFileError.self) {
      try ModelFile.load(at: Self.everything, version: "Everything 3")
    }
    #expect(error.code == .unknownVersion)
    #expect(error.detail.contains("\"Everything 2\""))
  }

  @Test("elements in any order, other spellings and a bare contents file are read")
  func standalone() throws {
    let model = try ModelFile.load(at: Self.standalone.appending(path: "contents"))
    let note = try #require(model.entity(named: "Note"))
    #expect(note.attributes.map(\.name) == ["alias", "done", "count"])
    #expect(note.attribute(named: "alias")?.description.isOptional == true)
    #expect(note.attribute(named: "done")?.description.defaultValue == .bool(true))
    #expect(note.attribute(named: "done")?.description.fileAttributes["future"] == "kept")
    #expect(note.attribute(named: "count")?.description.defaultValue == .int(0))
    #expect(model.configurations.map(\.name) == ["All"])
    #expect(note.description.fileElements.map(\.name) == ["future"])
    #expect(note.fetchedProperty(named: "writers")?.plan != nil)
  }

  @Test("P56 a model with a question that cannot be asked loads, and the property says why")
  func problems() throws {
    let model = try ModelFile.load(at: Self.standalone)
    #expect(model.problems.map(\.rule) == [.unknownKeyPath, .invalidFetchedProperty])
    let misspelt = try #require(model.entity(named: "Note")?.fetchedProperty(named: "misspelt"))
    #expect(misspelt.request == nil)
    #expect(misspelt.problems.first?.description.contains("Did you mean \"alias\"?") == true)
  }

  @Test("a transformable attribute has the codec that its transformer names, or reads as bytes")
  func codecs() throws {
    let codec = TransformableCodec(
      "Colour", String.self, encode: { Data($0.utf8) }, decode: { String(decoding: $0, as: UTF8.self) })
    let model = try ModelFile.load(at: Self.everything, codecs: [codec])
    let colour = try #require(model.entity(named: "Thing")?.attribute(named: "colour"))
    #expect(model.codec(for: colour)?.name == "Colour")
    #expect(try ModelFile.load(at: Self.everything).codec(for: colour) == nil)
  }
}

/// A file that must be refused: the code, line, column and words of the error.
struct RefusedFile: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let code: ModelFileError.Code
  let line: Int
  let words: [String]

  init(_ name: String, _ code: ModelFileError.Code, line: Int = 0, _ words: String...) {
    self.testDescription = name
    self.code = code
    self.line = line
    self.words = words
  }
}

@Suite struct RefusedModelTests {
  static let files = [
    RefusedFile("malformed.xcdatamodel", .malformedXML, line: 4, "entity"),
    RefusedFile("entities.xcdatamodel", .malformedXML, line: 2),
    RefusedFile("root.xcdatamodel", .notAModel, line: 2, "<database>"),
    RefusedFile("no-name.xcdatamodel", .missingAttribute, line: 4, "\"name\""),
    RefusedFile("no-destination.xcdatamodel", .missingAttribute, line: 4, "\"destinationEntity\""),
    RefusedFile("type.xcdatamodel", .invalidValue, line: 4, "Integer 128", "Integer 64"),
    RefusedFile("flag.xcdatamodel", .invalidValue, line: 3, "perhaps", "YES or NO"),
    RefusedFile("default.xcdatamodel", .invalidValue, line: 4, "12abc", "Decimal"),
    RefusedFile("date.xcdatamodel", .invalidValue, line: 4, "today", "seconds"),
    RefusedFile("count.xcdatamodel", .invalidValue, line: 4, "many", "whole number"),
    RefusedFile("delete-rule.xcdatamodel", .invalidValue, line: 4, "Explode", "Cascade"),
    RefusedFile("result-type.xcdatamodel", .invalidValue, line: 4, "\"3\""),
    RefusedFile("sort.xcdatamodel", .invalidValue, line: 4, "federated.sort"),
    RefusedFile(
      "rules.xcdatamodel", .invalidModel, line: 3, "4 rules", "3:", "\"Nope\"", "4:", "A.x", "5:", "A.b",
      "\"D\""),
    RefusedFile("old.xcdatamodel", .oldFormat, "Xcode 4"),
    RefusedFile("old.xcdatamodel/elements", .oldFormat, "Xcode 4"),
    RefusedFile("compiled.momd", .malformedArchive, "damaged", "Compile the model again"),
    RefusedFile("compiled.mom", .malformedArchive, "damaged"),
    RefusedFile("empty.xcdatamodel", .notAModel, "contents"),
    RefusedFile("no-version.xcdatamodeld", .unknownVersion, "no .xcdatamodel"),
    RefusedFile("wrong-version.xcdatamodeld", .unknownVersion, "\"Two.xcdatamodel\"", "\"One.xcdatamodel\""),
    RefusedFile("broken-version.xcdatamodeld", .missingAttribute, "_XCCurrentVersionName"),
    RefusedFile("nowhere.xcdatamodeld", .unreadable, "no such"),
  ]

  @Test("a file that is no model is refused with place and advice", arguments: files)
  func refuses(file: RefusedFile) throws {
    let url = TestFiles.fixtures.appending(path: "Invalid/\(file.testDescription)")
    let error = try #require(throws: ModelFileError.self) { try ModelFile.load(at: url) }
    #expect(error.code == file.code)
    #expect(error.line == file.line, "\(error)")
    for word in file.words { #expect(error.detail.contains(word), "\(error) says nothing of \(word)") }
    #expect(error.description.contains(url.deletingLastPathComponent().path(percentEncoded: false)))
    #expect((error.modelError != nil) == (file.code == .invalidModel))
  }
}
