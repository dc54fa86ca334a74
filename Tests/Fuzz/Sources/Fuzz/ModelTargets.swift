import FederatedData
import Foundation

/// Model files as Xcode writes them.
enum ModelTarget {
  static func run(_ input: Data) throws {
    try self.check(ModelFile.load(at: Scratch.file("contents", input)))
  }

  /// Looks at all of a model. What reads is written, or refused in words, and reads back as the same model.
  static func check(_ model: ManagedObjectModel) throws {
    _ = model.warnings
    for format in ModelDiagram.Format.allCases { _ = ModelDiagram(of: model).text(format) }
    let copy = Scratch.folder.appending(path: "Copy.xcdatamodel")
    try ModelFile.save(model.draft, at: copy)
    do {
      let difference = ModelDifference(from: model, to: try ModelFile.load(at: copy))
      precondition(difference.changes.isEmpty, "reads back with \(difference.changes)")
    } catch { preconditionFailure("what was written does not read: \(error)") }
  }

  /// Something of every kind that a model says.
  static let draft = ModelDraft {
    EntityDescription("A", abstract: true) {
      AttributeDescription("text", .string, optional: true, default: "x").length(1...9).matching("[a-z]*")
      AttributeDescription("number", .integer32, default: 5).range(1...9)
    }.unique(on: "text").indexed("byNumber", on: "number")
    EntityDescription("B", parent: "A") {
      RelationshipDescription("others", to: "C", .orderedMany, inverse: "b", deleteRule: .cascade)
      FetchedPropertyDescription(
        "found", of: "C", where: "amount == $FETCH_SOURCE.number", order: .descending("day"), limit: 3)
    }
    EntityDescription("C") {
      RelationshipDescription("b", to: "B", inverse: "others")
      AttributeDescription("amount", .integer32, default: 0)
      AttributeDescription("day", .date, default: Date(timeIntervalSinceReferenceDate: 0))
    }
    ModelConfiguration("One", entities: ["A", "B", "C"])
    FetchRequestTemplate("late", FetchRequest("C"), where: "day > $NOW")
  }

  static func seeds() throws -> [Data] {
    [
      try XcodeModelWriter.contents(of: self.draft, for: URL(filePath: "contents")),
      Data("<model><entity name=\"A\"/></model>".utf8),
    ]
  }
}

/// Compiled models, which are keyed archives.
enum ArchiveTarget {
  static func run(_ input: Data) throws {
    try ModelTarget.check(ModelFile.load(at: Scratch.file("model.mom", input)))
  }

  static func seeds() throws -> [Data] {
    let small = ModelDraft { EntityDescription("A") { AttributeDescription("b", .string) } }
    return try [small, ModelTarget.draft].flatMap { draft in
      try CompiledModel.Form.allCases.map { try CompiledModel.data(of: draft, $0) }
    }
  }
}
