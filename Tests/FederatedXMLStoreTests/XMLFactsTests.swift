import FederatedModel
import FederatedStore
import Foundation
import TestSupport
import Testing

@testable import FederatedXMLStore

/// Real XML stores, fact by fact. Their models are made from what is stated: names, types and destinations. Nothing is
/// stated of inverses, so links are as each object has them.
@Suite("Facts about real XML stores", .enabled(if: TestFiles.corpus != nil, "no corpus beside the package"))
struct XMLFactsTests {
  static let entries = CorpusEntry.all("coredata-xml")
  /// A link may lead to any entity that inherits from the one that it names.
  private static let parents = ["FOCUS": "THING", "TODO": "NOTE", "TAG": "THING", "NOTE": "THING"]

  private static func model(_ entry: CorpusEntry) throws -> ManagedObjectModel {
    let types: [String: AttributeType] = [
      "int16": .integer16, "int32": .integer32, "int64": .integer64, "bool": .boolean, "string": .string,
      "date": .date, "float": .float, "double": .double, "binary": .binary, "decimal": .decimal,
    ]
    var entities: [String: EntityDescription] = [:]
    func entity(_ name: String) -> EntityDescription {
      entities[name] ?? EntityDescription(name, parent: self.parents[name])
    }
    for name in entry.facts["objectsByType"].map.keys {
      var description = entity(name)
      for (attribute, fact) in entry.facts["attributes"][name].map {
        let type = try #require(types[fact["type"].text ?? ""])
        description.properties.append(AttributeDescription(attribute, type, optional: true))
      }
      for (relationship, fact) in entry.facts["relationships"][name].map {
        let destination = try #require(fact["destination"].text)
        description.properties.append(
          RelationshipDescription(
            relationship, to: destination, fact["type"].text?.hasSuffix("/1") == true ? .one : .many))
        entities[destination] = entity(destination)
      }
      entities[name] = description
    }
    for name in Array(entities.keys) {
      if let parent = self.parents[name] { entities[parent] = entity(parent) }
    }
    // Entities of one family have one attribute of a name; the file repeats it in each.
    let ancestors = Set(entities.values.compactMap(\.parent))
    for name in ancestors.sorted(by: { a, _ in entities[a]?.parent == nil })
    where entities[name]?.parent == nil {
      var shared: [String: any PropertyDescription] = [:]
      let family = entities.values.filter { $0.parent == name || entities[$0.parent ?? ""]?.parent == name }
      for property in family.flatMap(\.properties) { shared[property.name] = property }
      entities[name]?.properties = shared.values.sorted { $0.name < $1.name }
      for member in family { entities[member.name]?.properties = [] }
    }
    return try ManagedObjectModel(entities: entities.values.sorted { $0.name < $1.name })
  }

  private static func open(_ entry: CorpusEntry) throws -> (XMLStoreFile, WholeFileStore) {
    let file = try XMLStoreFile(try self.model(entry), copying: entry.url())
    return (file, try file.open(readOnly: true))
  }

  @Test("all four stores are there")
  func count() { #expect(Self.entries.count >= 4) }

  @Test("identifier, metadata and counts are as stated", arguments: entries)
  func metadata(entry: CorpusEntry) throws {
    let (file, store) = try Self.open(entry)
    let facts = entry.facts
    #expect(store.metadata.uuid.uuidString == facts["UUID"].text)
    StatedMetadata.check(store.metadata, facts["metadata"])
    #expect(facts["metadataPresent"].isTrue == !store.metadata.entries.isEmpty)
    #expect(XMLFileSummary(of: file.url).root == facts["root"].text)
    #expect(try file.text.contains("<version>\(facts["version"].text ?? "")</version>"))
    #expect(try file.text.contains("<nextObjectID>\(facts["nextObjectID"].int ?? -1)</nextObjectID>"))
    var total = 0
    for (name, count) in facts["objectsByType"].map {
      let entity = try #require(file.model.entity(named: name))
      let rows = try store.rows(name, of: file.model).filter { $0.entity == entity.id }
      #expect(rows.count == count.int, "\(name)")
      total += rows.count
    }
    #expect(total == facts["objects"].int)
    #expect(facts["danglingIdrefs"].int == 0 && store.repairs.isEmpty, "\(store.repairs)")
  }

  @Test("attributes are as many and of the types stated, escapes are read", arguments: entries)
  func attributes(entry: CorpusEntry) throws {
    let (file, store) = try Self.open(entry)
    var byType: [String: Int] = [:]
    for (name, attributes) in entry.facts["attributes"].map {
      let entity = try #require(file.model.entity(named: name))
      let rows = try store.rows(name, of: file.model).filter { $0.entity == entity.id }
      for (attribute, fact) in attributes.map {
        let found = rows.count { !$0.value(attribute, in: file.model).isNull }
        #expect(found == fact["count"].int, "\(name).\(attribute)")
        byType[fact["type"].text ?? "", default: 0] += found
      }
    }
    #expect(byType == entry.facts["attributeTypes"].map.compactMapValues(\.int))
    let escapes = entry.facts["backslashEscapes"].map
    let text = try file.text
    for (escape, count) in escapes { #expect(text.ranges(of: escape).count == count.int) }
    for sample in entry.facts["decodedSamples"].list {
      let row = try self.row(try #require(sample["id"].text), store, file.model)
      let value = row.value(try #require(sample["name"].text), in: file.model)
      #expect(value == .string(sample["decoded"].text ?? ""))
    }
    for sample in entry.facts["binaryAttributes"].list {
      let row = try self.row(try #require(sample["id"].text), store, file.model)
      guard case .data(let data) = row.value(try #require(sample["name"].text), in: file.model) else {
        Issue.record("no data in \(sample)")
        continue
      }
      #expect(data.count == sample["decodedBytes"].int)
      #expect(StatedMetadata.hex(Data(SHA256.hash([UInt8](data)))) == sample["sha256"].text)
      #expect(data.starts(with: (sample["prefix"].text ?? "").utf8))
    }
  }

  private func row(_ id: String, _ store: WholeFileStore, _ model: ManagedObjectModel) throws -> Snapshot {
    let reference = try #require(store.reference(fromText: id))
    for root in model.entities where root.parent == nil {
      if let row = try store.rows(root.name, of: model).first(where: { $0.reference == reference }) {
        return row
      }
    }
    throw Missing(id: id)
  }

  private struct Missing: Error { let id: String }

  @Test("links are as many as stated, and the first objects are as stated", arguments: entries)
  func links(entry: CorpusEntry) throws {
    let (file, store) = try Self.open(entry)
    for (name, relationships) in entry.facts["relationships"].map {
      let entity = try #require(file.model.entity(named: name))
      let rows = try store.rows(name, of: file.model).filter { $0.entity == entity.id }
      for (relationship, fact) in relationships.map {
        let lists = try rows.map { try store.related(relationship, of: $0, in: file.model) }
        let place = Comment(rawValue: "\(name).\(relationship)")
        #expect(rows.count == fact["owners"].int, place)
        #expect(lists.count { !$0.isEmpty } == fact["withIdrefs"].int, place)
        #expect(lists.map(\.count).reduce(0, +) == fact["links"].int, place)
      }
    }
    let text = try file.text
    let ids = text.matches(of: /<object type="[^"]*" id="([^"]*)"/).map { String($0.output.1) }
    let first = entry.facts["firstObjectIDs"].list.compactMap(\.text)
    #expect(Array(ids.prefix(first.count)) == first)
    for object in entry.facts["firstObjects"].list {
      let row = try self.row(try #require(object["id"].text), store, file.model)
      #expect(file.model[row.entity].name == object["type"].text)
      for (attribute, stated) in object["attributes"].map {
        #expect(Self.agrees(row.value(attribute, in: file.model), stated), "\(object) \(attribute)")
      }
      for (relationship, stated) in object["relationships"].map {
        let references = try store.related(relationship, of: row, in: file.model)
        let expected = stated.list.compactMap { $0.text.flatMap { store.reference(fromText: $0) } }
        #expect(Set(references) == Set(expected), "\(object) \(relationship)")
      }
    }
  }

  /// Values are stated as the texts of the file.
  private static func agrees(_ value: Value, _ fact: Fact) -> Bool {
    guard let text = fact.text else { return value.isNull }
    switch value {
    case .string(let found): return found == text
    case .int(let number): return String(number) == text
    case .bool(let flag): return text == (flag ? "1" : "0")
    case .double(let number): return Double(text) == number
    case .date(let date): return Double(text) == date.timeIntervalSinceReferenceDate
    default: return false
    }
  }
}
