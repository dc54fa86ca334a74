import FederatedModel
import FederatedModelFiles
import Foundation
import TestSupport
import Testing

/// Every model that there is, read, written and read again.
@Suite struct ModelRewritingTests {
  /// A version of a model, shown by the end of its path.
  struct Version: CustomTestStringConvertible {
    let url: URL
    var testDescription: String { self.url.pathComponents.suffix(2).joined(separator: "/") }
  }

  /// Every version of every model below a folder, in the order of their paths.
  static func versions(below folder: URL, besides left: String? = nil) -> [Version] {
    let path = folder.path(percentEncoded: false)
    let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    return names.filter { name in
      name.hasSuffix(".xcdatamodel") && !(left.map { name.hasPrefix($0) } ?? false)
        && FileManager.default.fileExists(atPath: path + "/" + name + "/contents")
    }.sorted().map { Version(url: folder.appending(path: $0, directoryHint: .isDirectory)) }
  }

  /// A file has attributes first, then relationships, then fetched properties.
  private static func inWrittenOrder(_ entity: EntityDescription) -> EntityDescription {
    var entity = entity
    let properties = entity.properties
    entity.properties =
      properties.filter { $0 is AttributeDescription } + properties.filter { $0 is RelationshipDescription }
      + properties.filter { $0 is FetchedPropertyDescription }
    return entity
  }

  private func check(_ version: Version) throws {
    let model = try ModelFile.load(at: version.url)
    let folder = try TemporaryFolder()
    let copy = folder.file("Copy.xcdatamodeld")
    try ModelFile.save(model.draft, at: copy)
    let read = try ModelFile.load(at: copy)
    let isEqual = read.draft.entities == model.draft.entities.map(Self.inWrittenOrder)
    #expect(isEqual)
    #expect(read.configurations == model.configurations)
    #expect(read.templates == model.templates)
    #expect(read.composites == model.composites)
    #expect(read.versionIdentifiers == model.versionIdentifiers)
    // Written for every model; empty where there is no identifier.
    let identifier = "userDefinedModelVersionIdentifier"
    #expect(
      read.draft.fileAttributes.filter { $0.key != identifier }
        == model.draft.fileAttributes.filter { $0.key != identifier })
    #expect(read.draft.fileElements == model.draft.fileElements)
    #expect(read.problems == model.problems)
    #expect(ModelOutline(of: read) == ModelOutline(of: model))
    let difference = ModelDifference(from: model, to: read)
    #expect(difference.changes.isEmpty && difference.hashesAreEqual, "\(difference.changes)")
  }

  @Test(
    "a model of our own is written so that it reads back equal, without any difference",
    arguments: versions(below: TestFiles.fixtures, besides: "Invalid/"))
  func fixtures(version: Version) throws { try self.check(version) }

  @Test(
    "a real model is written so that it reads back equal, without any difference",
    .enabled(if: TestFiles.corpus != nil, "no corpus beside the package"),
    arguments: TestFiles.corpus.map { versions(below: $0) } ?? [])
  func corpus(version: Version) throws { try self.check(version) }

  @Test("there are models to check, in packages and alone")
  func found() {
    let names = Self.versions(below: TestFiles.fixtures, besides: "Invalid/").map(\.testDescription)
    #expect(
      names == [
        "Bill.xcdatamodeld/Bill.xcdatamodel", "Walk.xcdatamodeld/Walk.xcdatamodel",
        "Report.xcdatamodeld/Report.xcdatamodel", "Music.xcdatamodeld/Music.xcdatamodel",
        "News.xcdatamodeld/News.xcdatamodel",
        "Everything.xcdatamodeld/Everything 2.xcdatamodel", "Everything.xcdatamodeld/Everything.xcdatamodel",
        "Models/Standalone.xcdatamodel", "Shop.xcdatamodeld/Shop.xcdatamodel",
      ])
  }
}
