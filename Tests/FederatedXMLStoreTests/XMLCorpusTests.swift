import FederatedModel
import FederatedStore
import Foundation
import TestSupport
import Testing

@testable import FederatedXMLStore

/// Real files of the original framework and of programs that imitate it.
@Suite(.enabled(if: TestFiles.corpus != nil, "no corpus beside the package"))
struct XMLCorpusTests {
  private func file(_ name: String, _ model: ManagedObjectModel) throws -> XMLStoreFile {
    let folder = try #require(TestFiles.corpus).appending(path: "xmlstores")
    return try XMLStoreFile(model, copying: folder.appending(path: name))
  }

  private static let files: [(String, @Sendable () throws -> ManagedObjectModel)] = [
    ("things-Database.xml", XMLCorpusModels.things), ("cdp-V2toV3-xcmapping.xml", XMLCorpusModels.mapping),
    ("template.mslice", XMLCorpusModels.mslice), ("vehicle-with-pictures.xml", XMLCorpusModels.vehicle),
  ]

  @Test func `a file of an application reads with all its objects, links and escapes`() throws {
    let model = try XMLCorpusModels.things()
    let file = try self.file("things-Database.xml", model)
    let store = try file.open(readOnly: true)
    let counts = try ["Focus", "SyncedCalendar", "Globals", "ToDo", "Tag"].map {
      try store.rows($0, of: model).count
    }
    #expect(counts == [18, 11, 1, 41, 5])
    #expect(store.metadata.uuid == UUID(uuidString: "B4FC79D0-E654-43EF-9020-A5273B3F104A"))
    #expect(store.metadata.type == "XML")
    #expect(store.metadata.entries["BuildNumber"] == .int(591))
    #expect(store.metadata.entries["NSStoreModelVersionIdentifiers"] == .array([]))
    #expect(store.metadata.versionHashes["ToDo"]?.count == 32)
    #expect(store.metadata.versionHashes.count == 14)

    let toDos = try store.rows("ToDo", of: model)
    let titles = toDos.map { $0.value("title", in: model) }
    let calendars = try store.rows("SyncedCalendar", of: model).map { $0.value("title", in: model) }
    #expect(calendars.contains(.string("& Konst & Teknik")))
    let texts = toDos.map { $0.value("content", in: model) } + titles
    #expect(!texts.contains { if case .string(let text) = $0 { text.contains("\\u") } else { false } })
    #expect(
      texts.contains { if case .string(let text) = $0 { text.contains("<note xml:space") } else { false } })

    let children = try store.rows("Thing", of: model).reduce(0) {
      try $0 + store.related("children", of: $1, in: model).count
    }
    #expect(children == 30)
    let tags = try toDos.reduce(0) { try $0 + store.related("tags", of: $1, in: model).count }
    let notes = try store.rows("Tag", of: model).reduce(0) {
      try $0 + store.related("notes", of: $1, in: model).count
    }
    #expect(tags == 18 && notes == 18)
    let focus = try store.rows("Focus", of: model)
    #expect(try focus.reduce(0) { try $0 + store.related("focusToDos", of: $1, in: model).count } == 36)
    // Two lists are wrong: the to-one side is trusted, and the repairs are reported.
    #expect(store.repairs.map(\.repair) == [.removed, .added])
    // The file's counter says 189, an object has 190: the next one is 191.
    #expect(try store.reserveReferences(for: focus[0].entity, count: 1).lowerBound == 191)
  }

  @Test func `base64 over many lines decodes`() throws {
    let model = try XMLCorpusModels.mapping()
    let store = try self.file("cdp-V2toV3-xcmapping.xml", model).open(readOnly: true)
    #expect(try store.rows("XDDevPropertyMapping", of: model).count == 26)
    let root = try #require(try store.rows("XDDevMappingModel", of: model).first)
    guard case .data(let data) = root.value("sourceModelData", in: model) else {
      Issue.record("no data")
      return
    }
    #expect(data.starts(with: Data("bplist00".utf8)))
    #expect(try store.related("entityMappings", of: root, in: model).count == 5)
    let entity = try #require(try store.rows("XDDevEntityMapping", of: model).first { $0.reference == 103 })
    #expect(try Set(store.related("attributeMappings", of: entity, in: model)) == [114, 113, 133])
  }

  @Test func `identifiers without a number stay names and are the same at every opening`() throws {
    let model = try XMLCorpusModels.mslice()
    let file = try self.file("template.mslice", model)
    let stores = [try file.open(readOnly: true), try file.open(readOnly: true)]
    let references = try stores.map { try $0.rows("Detector", of: model).map(\.reference) }
    #expect(references[0] == references[1] && references[0].count == 3)
    let texts = references[0].map { stores[0].referenceText($0) }
    #expect(texts.sorted() == ["ABF", "HAADF", "LAADF"])
    #expect(texts.map { stores[1].reference(fromText: $0) } == references[0])
    #expect(stores[0].reference(fromText: "z106") == 106 && stores[0].reference(fromText: "106") == 106)
    #expect(stores[0].referenceText(106) == "106")
    #expect(stores[0].reference(fromText: "nobody") == nil)
    let parameters = try #require(try stores[0].rows("SimParameters", of: model).first)
    #expect(parameters.value("saveSlices", in: model) != .null, "the file spells it saveSlices")
    let structure = try #require(try stores[0].rows("Structure", of: model).first)
    #expect(structure.value("aParam", in: model) == .double(35.95809669))
  }

  @Test func `links of the smallest file`() throws {
    let model = try XMLCorpusModels.vehicle()
    let store = try self.file("vehicle-with-pictures.xml", model).open(readOnly: true)
    let vehicle = try #require(try store.rows("Vehicle", of: model).first)
    #expect(vehicle.reference == 102 && vehicle.value("year", in: model) == .int(2006))
    #expect(try Set(store.related("vehiclePictures", of: vehicle, in: model)) == [103, 104])
    #expect(store.metadata.entries.isEmpty && store.repairs.isEmpty)
  }

  @Test(arguments: XMLCorpusTests.files.indices)
  func `one changed value changes one line, and changing it back gives the file back`(index: Int) throws {
    let (name, makeModel) = XMLCorpusTests.files[index]
    let model = try makeModel()
    let file = try self.file(name, model)
    let original = try file.text
    let store = try file.open()
    let entity = try #require(
      try model.entities.first { entity in
        try !entity.isAbstract && entity.layout.columns.contains { $0.kind == .string }
          && !store.rows(entity.name, of: model).isEmpty
      })
    let column = try #require(entity.layout.columns.first { $0.kind == .string })
    let row = try #require(
      try store.rows(entity.name, of: model).first {
        guard case .string(let text) = $0.value(column.name, in: model) else { return false }
        return !text.contains("&")
      })
    let value = row.value(column.name, in: model)
    var changes = ChangeSet()
    try changes.update(row, [column.name: .string("changed & <new>")])
    try store.save(changes)
    let difference = XMLStoreFile.difference(original, try file.text)
    #expect(difference.count == 2, "\(difference)")
    #expect(difference.contains { $0.hasPrefix("+") && $0.contains(">changed &amp; &lt;new&gt;<") })

    let again = try #require(try store.rows(entity.name, of: model).first { $0.reference == row.reference })
    changes = ChangeSet()
    try changes.update(again, [column.name: value])
    try store.save(changes)
    #expect(try file.text == original)
  }

  @Test(arguments: XMLCorpusTests.files.indices)
  func `load, save, load loses nothing that a model without properties does not know`(index: Int) throws {
    let (name, _) = XMLCorpusTests.files[index]
    let model = try ManagedObjectModel(entities: [
      EntityDescription("Stranger", properties: [AttributeDescription("name", .string, optional: true)])
    ])
    let file = try self.file(name, model)
    let original = try file.text
    let store = try file.open()
    var changes = ChangeSet()
    let reference = try store.reserveReferences(for: EntityID(0), count: 1).lowerBound
    try changes.insert("Stranger", reference, ["name": .string("new")], in: model)
    try store.save(changes)
    let difference = XMLStoreFile.difference(original, try file.text).filter { !$0.contains("nextObjectID") }
    #expect(
      difference.filter { $0.hasPrefix("-") && !$0.contains("<data>") && !$0.contains("metadata") }.count
        <= 80)
    let row = try #require(try file.open().rows("Stranger", of: model).first)
    changes = ChangeSet()
    changes.delete(row)
    let second = try file.open()
    try second.save(changes)
    let left = XMLStoreFile.difference(original, try file.text)
    #expect(!left.contains { $0.contains("<object") || $0.contains("<attribute") || $0.contains("idrefs") })
  }
}
