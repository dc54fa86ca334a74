import FederatedModel
import FederatedModelFiles
import Foundation
import TestSupport
import Testing

/// Compiled models that the tests write themselves, read back.
@Suite struct CompiledModelTests {
  private let folder: TemporaryFolder
  init() throws { self.folder = try TemporaryFolder() }

  private func load(_ draft: ModelDraft, _ form: CompiledModel.Form) throws -> ModelDraft {
    let file = self.folder.file("Model.mom")
    try CompiledModel.data(of: draft, form).write(to: file)
    return try ModelFile.draft(at: file)
  }

  /// What an archive tells of a draft: no texts of the source file, conditions as trees, names in order.
  private static func plain(_ draft: ModelDraft) throws -> ModelDraft {
    var draft = draft
    draft.fileAttributes = [:]
    draft.fileElements = []
    draft.composites = []
    draft.entities = try draft.entities.map { entity in
      var entity = entity
      entity.fileAttributes = [:]
      entity.fileElements = []
      entity.indexes = entity.indexes.filter { index in !index.elements.contains { $0.property == nil } }
      entity.properties = try entity.properties.compactMap { property -> (any PropertyDescription)? in
        switch property {
        case var attribute as AttributeDescription:
          if case .composite = attribute.type { return nil }
          attribute.fileAttributes = [:]
          attribute.fileElements = []
          return attribute
        case var relationship as RelationshipDescription:
          relationship.fileAttributes = [:]
          relationship.fileElements = []
          return relationship
        case var fetched as FetchedPropertyDescription:
          fetched.fileAttributes = [:]
          fetched.fileElements = []
          fetched.request?.predicate = try fetched.predicateFormat.map { try FetchPredicate(format: $0) }
          fetched.predicateFormat = nil
          return fetched
        default: return property
        }
      }.sorted { $0.name.lowercased() < $1.name.lowercased() }
      return entity
    }.sorted { $0.name < $1.name }
    draft.templates = try draft.templates.map { template in
      var template = template
      template.fileAttributes = [:]
      template.request.predicate = try template.predicateFormat.map { try FetchPredicate(format: $0) }
      template.predicateFormat = nil
      return template
    }
    draft.configurations = draft.configurations.map {
      ModelConfiguration($0.name, entities: $0.entities.sorted())
    }
    return draft
  }

  @Test("everything that a compiled model holds is read", arguments: CompiledModel.Form.allCases)
  func everything(form: CompiledModel.Form) throws {
    let source = try Self.plain(try ModelFile.draft(at: FixtureModelTests.everything))
    let read = try self.load(source, form)
    #expect(read.problems.isEmpty, "\(read.problems)")
    #expect(read.entities.map(\.name) == source.entities.map(\.name))
    for (mine, theirs) in zip(read.entities, source.entities) {
      #expect(mine.properties.map(\.name) == theirs.properties.map(\.name))
      #expect(mine == theirs, "\(mine.name)")
    }
    #expect(read.configurations == source.configurations)
    #expect(read.templates == source.templates)
    #expect(read.versionIdentifiers == source.versionIdentifiers)
    _ = try ManagedObjectModel(read, deferringQuestions: true)
  }

  @Test("every kind of predicate and expression comes back as its tree")
  func predicates() throws {
    let formats = [
      "a == 1 AND NOT (b != 'x' OR c < 2.5)", "a <= 3 AND a >= -3 AND a > 1", "b MATCHES '[a-z]+'",
      "b LIKE[cd] 'x*'", "b BEGINSWITH[c] 'p' AND b ENDSWITH[d] 'q'", "b CONTAINS[c] $SEARCH",
      "a IN {1, 2, 3}",
      "a BETWEEN {1, $MAX}", "ANY others.a > 3", "ALL others.a == 3", "NONE others.b == nil",
      "others.@count > 2", "SUBQUERY(others, $x, $x.a == 1 AND $x.b == $NAME).@count == 0",
      "a + 1 == a * 2 - 3 / 4", "uppercase(b) == 'X'", "others[0].a == 1 AND others[LAST].a == 2",
      "TERNARY(a == 1, b, 'none') == 'x'", "(others UNION $OTHERS).@count > 0", "d > CAST(12.5, 'NSDate')",
      "u == CAST('0F9B2C7E-5A43-4C9E-8D0B-9B0B5B9A7C11', 'NSUUID')",
      "m == CAST('12345678901234567890.25', 'NSDecimalNumber')",
      "l == CAST('https://example.org/a', 'NSURL')", "y == CAST('AQID', 'NSData')", "flag == YES",
      "SELF == $OTHER",
      "TRUEPREDICATE", "FALSEPREDICATE", "d < now()", "b == nil", "FUNCTION(b, 'length') > 3",
    ]
    var draft = ModelDraft {
      EntityDescription("E") {
        AttributeDescription("a", .integer64)
        RelationshipDescription("others", to: "E", .many)
      }
    }
    for (number, format) in formats.enumerated() {
      draft.templates.append(FetchRequestTemplate("t\(number)", FetchRequest("E"), where: format))
    }
    let read = try self.load(draft, .compiled)
    #expect(read.templates.count == formats.count)
    for (number, format) in formats.enumerated() {
      let template = try #require(read.templates.first { $0.name == "t\(number)" })
      #expect(template.problems.isEmpty, "\(format): \(template.problems)")
      #expect(try template.request.predicate == FetchPredicate(format: format), "\(format)")
    }
  }

  @Test(
    "a package of compiled models follows its current version; others can be chosen; the private copy is refused"
  )
  func package() throws {
    let package = self.folder.file("Shop.momd")
    try FileManager.default.createDirectory(at: package, withIntermediateDirectories: true)
    for name in ["Shop", "Shop 2"] {
      let draft = ModelDraft { EntityDescription("Of \(name)") { AttributeDescription("x", .string) } }
      try CompiledModel.data(of: draft).write(to: package.appending(path: "\(name).mom"))
    }
    let list = ["NSManagedObjectModel_CurrentVersionName": "Shop 2"]
    let info = package.appending(path: "VersionInfo.plist")
    try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0).write(to: info)
    let copy = package.appending(path: "Shop 2.omo")
    try Data("momv2$sr and more".utf8).write(to: copy)
    #expect(try ModelFile.load(at: package).entities.map(\.name) == ["Of Shop 2"])
    #expect(try ModelFile.load(at: package, version: "Shop").entities.map(\.name) == ["Of Shop"])
    let versions = try ModelFile.versions(at: package)
    #expect(versions.map(\.name) == ["Shop 2", "Shop"])
    #expect(versions.filter(\.isCurrent).map(\.name) == ["Shop 2"])
    let refused = try #require(throws: ModelFileError.self) { try ModelFile.load(at: copy) }
    #expect(refused.code == .notAModel)
    #expect(refused.detail.contains(".mom"))
    let other = try #require(throws: ModelFileError.self) {
      try ModelFile.load(at: package, version: "Shop 3")
    }
    #expect(other.code == .unknownVersion)
    try FileManager.default.removeItem(at: package.appending(path: "Shop 2.mom"))
    let gone = try #require(throws: ModelFileError.self) { try ModelFile.load(at: package) }
    #expect(gone.code == .unknownVersion)
  }

  @Test("rules of a compiled model are broken at an object")
  func rules() throws {
    let draft = ModelDraft {
      EntityDescription("A", parent: nil) { AttributeDescription("x", .undefined) }
    }
    let file = self.folder.file("Broken.mom")
    try CompiledModel.data(of: draft).write(to: file)
    let error = try #require(throws: ModelFileError.self) { try ModelFile.load(at: file) }
    #expect(error.code == .invalidModel)
    #expect(error.object != nil)
    #expect("\(error)".contains("object \(error.object ?? -1): "))
    #expect(error.modelError?.breaches.map(\.rule) == [.undefinedTypeNotTransient])
  }
}
