import FederatedModel
import FederatedModelFiles
import Foundation
import TestSupport
import Testing

/// Archives that are wrong: each is refused with its object, or its loss is told.
@Suite struct DamagedArchiveTests {
  private let folder: TemporaryFolder
  init() throws { self.folder = try TemporaryFolder() }

  private func file(_ data: Data) throws -> URL {
    let file = self.folder.file("Model.mom")
    try data.write(to: file)
    return file
  }

  private func refusal(_ data: Data) throws -> ModelFileError {
    let file = try self.file(data)
    return try #require(throws: ModelFileError.self) { try ModelFile.load(at: file) }
  }

  /// A model of one entity `E` with one property, and what else its object holds.
  private static func model(
    property: [String], _ fields: [String: Any], _ archive: ArchiveBuilder = ArchiveBuilder()
  ) throws -> Data {
    var fields = fields
    fields["NSPropertyName"] = ArchiveBuilder.reference(archive.text("p"))
    let property = archive.record(property + ["NSPropertyDescription"], fields)
    let entity = archive.record(
      ["NSEntityDescription"],
      [
        "NSEntityName": ArchiveBuilder.reference(archive.text("E")),
        "NSProperties": ArchiveBuilder.reference(archive.dictionary([("p", property)])),
      ])
    let model = archive.record(
      ["NSManagedObjectModel"], ["NSEntities": ArchiveBuilder.reference(archive.dictionary([("E", entity)]))])
    return try archive.data(root: model)
  }

  @Test("an archive of something else, and a list that is no archive, are told apart")
  func others() throws {
    let archive = ArchiveBuilder()
    let mapping = archive.record(["NSMappingModel"], [:])
    let other = try self.refusal(try archive.data(root: mapping))
    #expect(other.code == .notAModel)
    #expect(other.detail.contains("NSMappingModel"))
    #expect(other.object == mapping)
    let list = try self.refusal(try ArchiveBuilder.data(of: ["a": 1]))
    #expect(list.code == .malformedArchive)
    #expect(list.detail.contains("no keyed archive"))
  }

  @Test("a property of an unknown class is an error that names it and its object")
  func unknownProperty() throws {
    let error = try self.refusal(try Self.model(property: ["NSCompositeAttributeDescription"], [:]))
    #expect(error.code == .unsupportedObject)
    #expect(error.detail.contains("NSCompositeAttributeDescription"))
    #expect(error.object != nil)
    let type = try self.refusal(
      try Self.model(property: ["NSAttributeDescription"], ["NSAttributeType": 2000]))
    #expect(type.code == .unsupportedObject)
    #expect(type.detail.contains("2000"))
  }

  @Test("a reference to no object, and a wrong kind of value, are errors with the object's number")
  func wrongObjects() throws {
    let lost = try self.refusal(
      try Self.model(
        property: ["NSAttributeDescription"],
        ["NSAttributeType": 700, "NSDefaultValue": ArchiveBuilder.reference(4000)]))
    #expect(lost.code == .malformedArchive)
    #expect(lost.detail.contains("4000"))
    #expect(lost.object != nil)
    let wrong = try self.refusal(
      try Self.model(property: ["NSAttributeDescription"], ["NSAttributeType": "seven"]))
    #expect(wrong.code == .malformedArchive)
    #expect(wrong.detail.contains("whole number"))
  }

  @Test("a default of a class of somebody's own is left out, and told")
  func unreadableDefault() throws {
    let archive = ArchiveBuilder()
    let value = archive.record(["Shop.Cover"], ["text": ArchiveBuilder.reference(archive.text("c"))])
    let data = try Self.model(
      property: ["NSAttributeDescription"],
      ["NSAttributeType": 1800, "NSDefaultValue": ArchiveBuilder.reference(value), "NSIsOptional": true],
      archive)
    let model = try ModelFile.load(at: try self.file(data))
    let problem = try #require(model.problems.first)
    #expect(model.problems.count == 1)
    #expect(problem.rule == .unreadableValue)
    #expect(problem.entity == "E" && problem.property == "p")
    #expect(problem.detail.contains("Shop.Cover") && problem.detail.contains("object \(value)"))
    #expect(throws: ModelError.self) { try ManagedObjectModel(model.draft) }
  }

  @Test("a question of an unknown kind is never asked in part: reading the property throws what is wrong")
  func unreadableQuestion() throws {
    let archive = ArchiveBuilder()
    let predicate = archive.record(["NSBlockPredicate", "NSPredicate"], [:])
    let entity = archive.record(
      ["NSEntityDescription"], ["NSEntityName": ArchiveBuilder.reference(archive.text("E"))])
    let request = archive.record(
      ["NSFetchRequest"],
      ["NSEntity": ArchiveBuilder.reference(entity), "NSPredicate": ArchiveBuilder.reference(predicate)])
    let data = try Self.model(
      property: ["NSFetchedPropertyDescription"], ["NSFetchRequest": ArchiveBuilder.reference(request)],
      archive)
    let file = try self.file(data)
    let model = try ModelFile.load(at: file)
    let fetched = try #require(model.entity(named: "E")?.fetchedProperty(named: "p"))
    #expect(fetched.request == nil)
    #expect(fetched.problems.map(\.rule) == [.invalidFetchedProperty])
    #expect(fetched.problems[0].detail.contains("NSBlockPredicate"))
    let unwritable = try #require(throws: ModelFileError.self) {
      try XcodeModelWriter.contents(of: model.draft, for: file)
    }
    #expect(unwritable.code == .unwritable)
  }

  @Test("predicates in a circle, and trees that unfold without end, are refused at once")
  func endless() throws {
    for isCircle in [true, false] {
      let archive = ArchiveBuilder()
      var inner = archive.reserve()
      let first = inner
      archive.record(["NSTruePredicate", "NSPredicate"], at: inner, [:])
      for _ in 0..<90 {
        let terms = archive.array([inner, inner])
        inner = archive.record(
          ["NSCompoundPredicate", "NSPredicate"],
          ["NSCompoundPredicateType": 1, "NSSubpredicates": ArchiveBuilder.reference(terms)])
      }
      if isCircle {
        let terms = archive.array([inner])
        archive.record(
          ["NSCompoundPredicate", "NSPredicate"], at: first,
          ["NSCompoundPredicateType": 0, "NSSubpredicates": ArchiveBuilder.reference(terms)])
      }
      let list = archive.array([inner])
      let error = try self.refusal(
        try Self.model(
          property: ["NSAttributeDescription"],
          ["NSAttributeType": 700, "NSValidationPredicates": ArchiveBuilder.reference(list)], archive))
      #expect(error.code == .malformedArchive)
      #expect(error.detail.contains(isCircle ? "in a circle" : "too often"), "\(error)")
    }
  }

  @Test("an entity that inherits from itself is an error")
  func inheritance() throws {
    let archive = ArchiveBuilder()
    let entity = archive.reserve()
    archive.record(
      ["NSEntityDescription"], at: entity,
      [
        "NSEntityName": ArchiveBuilder.reference(archive.text("E")),
        "NSSuperentity": ArchiveBuilder.reference(entity),
      ])
    let model = archive.record(
      ["NSManagedObjectModel"], ["NSEntities": ArchiveBuilder.reference(archive.dictionary([("E", entity)]))])
    let error = try self.refusal(try archive.data(root: model))
    #expect(error.code == .malformedArchive)
    #expect(error.object == entity)
  }

  @Test("binary lists whose parts hold themselves, or unfold to too many values, never reach Foundation")
  func unfolding() throws {
    func list(_ parts: [[UInt8]]) -> Data {
      var data = Data("bplist00".utf8)
      var offsets: [UInt8] = []
      for part in parts {
        offsets.append(UInt8(data.count))
        data.append(contentsOf: part)
      }
      let table = UInt8(data.count)
      data.append(contentsOf: offsets)
      data.append(contentsOf: [0, 0, 0, 0, 0, 0, 1, 1])
      for number in [UInt8(parts.count), 0, table] { data.append(contentsOf: [0, 0, 0, 0, 0, 0, 0, number]) }
      return data
    }
    let bomb = (0..<40).map { [0xA2, UInt8($0 + 1), UInt8($0 + 1)] } + [[0x51, 0x61]]
    for (data, word) in [
      (list(bomb), "unfolds"), (list([[0xA1, 0]]), "holds itself"), (list([[0xA1, 9]]), "damaged"),
      (list([[0xC1, 1], [0x80, 1]]), "a set"), (list([[0xB1, 1], [0x80, 1]]), "a set"),
    ] {
      let error = try self.refusal(data)
      #expect(error.code == .malformedArchive)
      #expect(error.detail.contains(word), "\(error)")
    }
  }

  private struct Damage: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      self.state = self.state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return self.state ^ self.state >> 29
    }
  }

  @Test(
    "a damaged archive is read or refused, and never stops the program",
    arguments: 1...8 as ClosedRange<UInt64>)
  func survives(seed: UInt64) throws {
    var damage = Damage(state: seed)
    let original = [UInt8](try CompiledModel.data(of: try AuthorStack.model().draft))
    var refused = 0
    for _ in 0..<60 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...4, using: &damage) {
        let place = Int.random(in: 8..<bytes.count, using: &damage)
        switch Int.random(in: 0..<3, using: &damage) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &damage)
        case 1: bytes.swapAt(place, Int.random(in: 8..<bytes.count, using: &damage))
        default: bytes[place] &+= 1
        }
      }
      do { _ = try ModelFile.load(at: try self.file(Data(bytes))) } catch let error as ModelFileError {
        refused += 1
        #expect(!error.detail.isEmpty)
      }
    }
    #expect(refused > 0)
  }
}
