import FederatedModel
import FederatedModelFiles
import Foundation
import TestSupport
import Testing

/// What is stated about one real model.
struct StatedModel: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let url: URL
  let entities: [String: StatedEntity]
  let configurations: [String: [String]]
  let templates: [String: [String: String]]
  let composites: Set<String>
  let layoutElements: Int
}

struct StatedEntity: Decodable, Sendable {
  let parent: String?
  let abstract: Bool
  let `class`: String?
  let elementID: String?
  let attributes: [String: Pairs]
  let relationships: [String: Pairs]
  let fetchedProperties: [String: StatedFetchedProperty]
  let fetchIndexes: [String: [[String: String]]]
  let uniqueness: [[String]]
  let userInfo: [String: String]

  /// Attributes of an element as text, and its user info.
  struct Pairs: Decodable, Sendable {
    var texts: [String: String] = [:]
    var userInfo: [String: String] = [:]

    private struct Key: CodingKey {
      var stringValue: String
      init(stringValue: String) { self.stringValue = stringValue }
      var intValue: Int? { nil }
      init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      for key in container.allKeys {
        if key.stringValue == "userInfo" {
          self.userInfo = try container.decode([String: String].self, forKey: key)
        } else if try !container.decodeNil(forKey: key) {
          self.texts[key.stringValue] = try container.decode(String.self, forKey: key)
        }
      }
    }
  }
}

struct StatedFetchedProperty: Decodable, Sendable {
  let optional: String?
  let fetchRequest: [String: String]
  let userInfo: [String: String]?
}

@Suite(.enabled(if: TestFiles.corpus != nil, "no corpus beside the package"))
struct CorpusModelTests {
  private struct Entry: Decodable {
    let kind: String
    let files: [File]
    struct File: Decodable { let path: String }
  }
  private struct Facts<Content: Decodable>: Decodable { let facts: Content }
  private struct Model: Decodable {
    let entities: [String: StatedEntity]
    let configurations: [String: [String]]
    let fetchRequestTemplates: [String: [String: String]]
    let composites: [String: IgnoredContent]
    let layoutElements: Int
  }
  private struct IgnoredContent: Decodable { init(from decoder: any Decoder) {} }

  static let models: [StatedModel] = {
    guard let corpus = TestFiles.corpus else { return [] }
    do {
      let data = try Data(contentsOf: corpus.appending(path: "facts.json"))
      let all = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
      return try all.sorted { $0.key < $1.key }.compactMap { name, value in
        let part = try JSONSerialization.data(withJSONObject: value)
        let entry = try JSONDecoder().decode(Entry.self, from: part)
        guard entry.kind == "model" else { return nil }
        let facts = try JSONDecoder().decode(Facts<Model>.self, from: part).facts
        return StatedModel(
          testDescription: name, url: corpus.appending(path: entry.files[0].path), entities: facts.entities,
          configurations: facts.configurations, templates: facts.fetchRequestTemplates,
          composites: Set(facts.composites.keys), layoutElements: facts.layoutElements)
      }
    } catch {
      Issue.record(error)
      return []
    }
  }()

  @Test("the corpus has fifteen models or more")
  func count() { #expect(Self.models.count >= 15) }

  @Test("entities are as stated", arguments: models)
  func entities(stated: StatedModel) throws {
    let model = try ModelFile.load(at: stated.url)
    #expect(model.problems.isEmpty, "\(model.problems)")
    #expect(Set(model.entities.map(\.name)) == Set(stated.entities.keys))
    for (name, facts) in stated.entities {
      let entity = try #require(model.entity(named: name))
      #expect(entity.parent.map { model[$0].name } == facts.parent)
      #expect(entity.isAbstract == facts.abstract)
      #expect(entity.description.managedObjectClassName == facts.class)
      #expect(entity.description.renamingIdentifier == facts.elementID)
      #expect(entity.description.userInfo == facts.userInfo)
      #expect(entity.description.uniquenessConstraints == facts.uniqueness)
      let indexes = Dictionary(
        uniqueKeysWithValues: entity.description.indexes.map { index in
          (
            index.name,
            index.elements.map { element in
              [
                "property": element.property, "type": element.kind,
                "order": element.ascending ? "ascending" : "descending",
              ].compactMapValues(\.self)
            }
          )
        })
      #expect(indexes == facts.fetchIndexes)
    }
  }

  @Test("attributes are as stated", arguments: models)
  func attributes(stated: StatedModel) throws {
    let draft = try ModelFile.draft(at: stated.url)
    for entity in draft.entities {
      let facts = try #require(stated.entities[entity.name]).attributes
      let attributes = entity.properties.compactMap { $0 as? AttributeDescription }
      #expect(Set(attributes.map(\.name)) == Set(facts.keys))
      for attribute in attributes {
        let fact = try #require(facts[attribute.name])
        let place = Comment(rawValue: "\(entity.name).\(attribute.name)")
        #expect(attribute.userInfo == fact.userInfo, place)
        var texts = fact.texts
        #expect(Self.name(of: attribute.type) == texts.removeValue(forKey: "type"), place)
        #expect(attribute.isOptional == (texts.removeValue(forKey: "optional") == "YES"), place)
        #expect(attribute.isTransient == (texts.removeValue(forKey: "transient") == "YES"), place)
        #expect(attribute.isIndexed == (texts.removeValue(forKey: "indexed") == "YES"), place)
        #expect(attribute.renamingIdentifier == texts.removeValue(forKey: "elementID"), place)
        #expect(attribute.versionHashModifier == texts.removeValue(forKey: "versionHashModifier"), place)
        #expect(attribute.valueClassName == texts.removeValue(forKey: "customClassName"), place)
        #expect(attribute.derivationExpression == texts.removeValue(forKey: "derivationExpression"), place)
        #expect(
          (attribute.derivationExpression != nil) == (texts.removeValue(forKey: "derived") == "YES"), place)
        #expect(
          attribute.preservesValueInHistoryOnDeletion
            == (texts.removeValue(forKey: "preserveAfterDeletion") == "YES"),
          place)
        if let text = texts.removeValue(forKey: "valueTransformerName"), !text.isEmpty {
          #expect(attribute.type == .transformable(codec: text), place)
        }
        if let text = texts.removeValue(forKey: "composite") {
          #expect(attribute.type == .composite(name: text))
        }
        let number = texts.removeValue(forKey: "minValueString").flatMap { Int64($0) }
        #expect(attribute.validation.minimum == number.map(Value.int) ?? .null, place)
        let text = texts.removeValue(forKey: "defaultValueString")
        let seconds = texts.removeValue(forKey: "defaultDateTimeInterval").flatMap(Double.init)
        if let seconds {
          #expect(attribute.defaultValue == .date(Date(timeIntervalSinceReferenceDate: seconds)), place)
        } else {
          #expect(try attribute.defaultValue == Self.value(text, of: attribute.type), place)
        }
        #expect(texts.isEmpty, "\(place): nothing reads \(texts)")
      }
    }
  }

  private static func value(_ text: String?, of type: AttributeType) throws -> Value {
    guard let text else { return .null }
    switch type {
    case .string: return .string(text)
    case .boolean: return .bool(text == "YES" || text == "1")
    case .double, .float: return .double(try #require(Double(text)))
    case .decimal: return .decimal(try #require(Decimal(string: text)))
    // One real model gives a number the default of a flag.
    default: return .int(text == "NO" ? 0 : Int64(try #require(Double(text))))
    }
  }

  private static func name(of type: AttributeType) -> String? {
    switch type {
    case .undefined: "Undefined"
    case .integer16: "Integer 16"
    case .integer32: "Integer 32"
    case .integer64: "Integer 64"
    case .transformable: "Transformable"
    case .composite: "Composite"
    case .uuid: "UUID"
    case .uri: "URI"
    default: "\(type)".capitalized
    }
  }

  @Test("relationships are as stated", arguments: models)
  func relationships(stated: StatedModel) throws {
    let model = try ModelFile.load(at: stated.url)
    for (name, entityFacts) in stated.entities {
      let entity = try #require(model.entity(named: name))
      let own = entity.relationships.filter { $0.declaringEntity == entity.id }
      #expect(Set(own.map(\.name)) == Set(entityFacts.relationships.keys))
      for relationship in own {
        let place = Comment(rawValue: "\(name).\(relationship.name)")
        let fact = try #require(entityFacts.relationships[relationship.name])
        var texts = fact.texts
        #expect(
          relationship.description.isOptional == (texts.removeValue(forKey: "optional") == "YES"), place)
        #expect(relationship.isTransient == (texts.removeValue(forKey: "transient") == "YES"), place)
        #expect(relationship.isToMany == (texts.removeValue(forKey: "toMany") == "YES"), place)
        #expect(
          relationship.description.maxCount == texts.removeValue(forKey: "maxCount").flatMap { Int($0) } ?? 0,
          place)
        #expect(
          relationship.description.minCount == texts.removeValue(forKey: "minCount").flatMap { Int($0) } ?? 0,
          place)
        #expect(relationship.description.isOrdered == (texts.removeValue(forKey: "ordered") == "YES"), place)
        #expect(relationship.description.isIndexed == (texts.removeValue(forKey: "indexed") == "YES"), place)
        #expect(model[relationship.destination].name == texts.removeValue(forKey: "destinationEntity"), place)
        let inverse = relationship.inverse.map { model.relationship($0).name }
        #expect(inverse == texts.removeValue(forKey: "inverseName"), place)
        #expect(relationship.description.renamingIdentifier == texts.removeValue(forKey: "elementID"), place)
        #expect(
          relationship.description.versionHashModifier == texts.removeValue(forKey: "versionHashModifier"),
          place)
        let rule = ["Nullify": "nullify", "Cascade": "cascade", "Deny": "deny", "No Action": "noAction"]
        #expect(
          relationship.description.deleteRule.rawValue
            == rule[texts.removeValue(forKey: "deletionRule") ?? "Nullify"], place)
        #expect(texts.isEmpty, "\(place): nothing reads \(texts)")
      }
    }
  }

  @Test(
    "fetched properties, configurations, templates, composites and diagram are as stated", arguments: models)
  func questions(stated: StatedModel) throws {
    let model = try ModelFile.load(at: stated.url)
    for (name, facts) in stated.entities {
      let entity = try #require(model.entity(named: name))
      let own = entity.fetchedProperties.filter { $0.declaringEntity == entity.id }
      #expect(Set(own.map(\.name)) == Set(facts.fetchedProperties.keys))
      for fetched in own {
        let fact = try #require(facts.fetchedProperties[fetched.name])
        #expect(fetched.description.isOptional == (fact.optional == "YES"))
        #expect(fetched.description.userInfo == fact.userInfo ?? [:])
        #expect(fetched.destination.map { model[$0].name } == fact.fetchRequest["entity"])
        #expect(fetched.description.predicateFormat == fact.fetchRequest["predicateString"])
      }
    }
    #expect(
      Dictionary(uniqueKeysWithValues: model.configurations.map { ($0.name, $0.entities) })
        == stated.configurations)
    #expect(Set(model.composites.map(\.name)) == stated.composites)
    let layout = model.draft.fileElements.first { $0.name == "elements" }?.children.count ?? 0
    #expect(layout == stated.layoutElements)
    #expect(Set(model.templates.map(\.name)) == Set(stated.templates.keys))
    for template in model.templates {
      var fact = try #require(stated.templates[template.name])
      let request = template.request
      #expect(request.entityName == fact.removeValue(forKey: "entity"))
      #expect(template.predicateFormat == fact.removeValue(forKey: "predicateString"))
      #expect("\(request.resultType.rawValue)" == fact.removeValue(forKey: "resultType") ?? "0")
      #expect(request.includesSubentities == (fact.removeValue(forKey: "includeSubentities") != "NO"))
      #expect(request.includesPropertyValues == (fact.removeValue(forKey: "includePropertyValues") != "NO"))
      #expect(request.includesPendingChanges == (fact.removeValue(forKey: "includesPendingChanges") != "NO"))
      #expect(request.returnsObjectsAsFaults == (fact.removeValue(forKey: "returnObjectsAsFaults") != "NO"))
      #expect(request.returnsDistinctResults == (fact.removeValue(forKey: "returnDistinctResults") == "YES"))
      #expect(fact.isEmpty, "nothing reads \(fact)")
    }
  }

  @Test("the current version of a package is followed, others are listed and can be chosen")
  func versions() throws {
    let corpus = try #require(TestFiles.corpus)
    let package = corpus.appending(path: "models/bundle-ddg-bookmarks/BookmarksModel.xcdatamodeld")
    let versions = try ModelFile.versions(at: package)
    #expect(versions.count == 6)
    #expect(versions.filter(\.isCurrent).map(\.name) == ["BookmarksModel 6"])
    let counts = try ["BookmarksModel", "BookmarksModel 3", "BookmarksModel 5"].map { name in
      try ModelFile.load(at: package, version: name).entities[0].attributes.count
    }
    #expect(counts == [5, 6, 7])
    let current = try ModelFile.load(at: package).entities[0]
    #expect(current.attributes.count == 8)
    #expect(current.relationships.count == 4)
  }
}
