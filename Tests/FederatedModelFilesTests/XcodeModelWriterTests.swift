import FederatedModel
import FederatedModelFiles
import Foundation
import TestSupport
import Testing

@Suite struct XcodeModelWriterTests {
  private func contents(of draft: ModelDraft) throws -> Data {
    try XcodeModelWriter.contents(of: draft, for: URL(filePath: "contents"))
  }

  @Test(
    "a real model is written as it was read, byte for byte",
    .enabled(if: TestFiles.corpus != nil, "no corpus beside the package"), arguments: CorpusModelTests.models)
  func corpus(stated: StatedModel) throws {
    let written = try self.contents(of: ModelFile.draft(at: stated.url))
    let lines = { (data: Data) in String(decoding: data, as: UTF8.self).split(separator: "\n") }
    // The order of attributes of the root has changed over the years; all else has not.
    let original = try lines(Data(contentsOf: stated.url))
    #expect(lines(written).count == original.count)
    for (one, other) in zip(lines(written), original) where !other.hasPrefix("<model ") {
      #expect(one == other)
    }
  }

  @Test("our own model is written as it was read, byte for byte")
  func ownModel() throws {
    let draft = try ModelFile.draft(at: FixtureModelTests.everything)
    let file = FixtureModelTests.everything.appending(path: "Everything 2.xcdatamodel/contents")
    #expect(try self.contents(of: draft) == Data(contentsOf: file))
  }

  /// Descriptions built in Swift.
  static let built = ModelDraft {
    EntityDescription("Customer") {
      AttributeDescription("number", .integer64)
      AttributeDescription("name", .string, optional: true, default: "a < b & \"c\"\t").length(1...20)
        .matching("[^0-9]+").satisfying("SELF != \"x\"", else: "x is taken")
        .satisfying("number > 0", else: "")
      AttributeDescription("balance", .decimal, default: 0.1)
      AttributeDescription("since", .date, default: Date(timeIntervalSinceReferenceDate: 0.1))
      AttributeDescription("id", .uuid, default: UUID(uuidString: "00000000-0000-0000-0000-00000000000A")!)
      FetchedPropertyDescription(
        "invoices", of: "Invoice", where: "customer == $FETCH_SOURCE.number", order: .descending("date"),
        limit: 10)
    }.unique(on: "number")
    EntityDescription("Invoice") {
      AttributeDescription("customer", .integer64)
      AttributeDescription("date", .date)
      RelationshipDescription("lines", to: "Line", .orderedMany, inverse: "invoice", deleteRule: .cascade)
    }
    EntityDescription("Line") { RelationshipDescription("invoice", to: "Invoice", inverse: "lines") }
    ModelConfiguration("CRM", entities: ["Customer"])
    FetchRequestTemplate("late", FetchRequest("Invoice", order: [.ascending("date")]), where: "date < $NOW")
  }

  @Test("descriptions built in Swift read back equal, through a package on disk")
  func readsBack() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("Shop.xcdatamodeld")
    try ModelFile.save(Self.built, at: url)
    let versions = try ModelFile.versions(at: url)
    #expect(versions.map(\.name) == ["Shop"])
    let read = try ModelFile.draft(at: url)
    let frozen = try ManagedObjectModel(Self.built)
    let isEqual = read.entities == frozen.draft.entities
    #expect(isEqual)
    #expect(read.configurations == Self.built.configurations)
    #expect(read.templates == Self.built.templates)
    #expect(try ModelFile.load(at: url).versionHashes() == frozen.versionHashes())
  }

  @Test("a second version becomes current beside the first")
  func secondVersion() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("Shop.xcdatamodeld")
    try ModelFile.save(Self.built, at: url)
    var draft = Self.built
    draft.versionIdentifiers = ["2"]
    try ModelFile.save(draft, at: url, version: "Shop 2")
    #expect(try ModelFile.versions(at: url).filter(\.isCurrent).map(\.name) == ["Shop 2"])
    #expect(try ModelFile.load(at: url).versionIdentifiers == ["2"])
    #expect(try ModelFile.load(at: url, version: "Shop").versionIdentifiers.isEmpty)
  }

  @Test("equal descriptions give equal bytes, and one change changes one line")
  func stable() throws {
    let before = try self.contents(of: Self.built)
    #expect(try self.contents(of: Self.built) == before)
    var draft = Self.built
    draft.entities[0].properties[0].isOptional = true
    let lines = { (data: Data) in String(decoding: data, as: UTF8.self).split(separator: "\n") }
    let after = try self.contents(of: draft)
    #expect(zip(lines(before), lines(after)).count { $0 != $1 } == 1)
  }

  @Test("an edited value is written anew, though the file spelt it otherwise")
  func editedSpelling() throws {
    var draft = try ModelFile.draft(at: FixtureModelTests.standalone)
    #expect(
      try String(decoding: self.contents(of: draft), as: UTF8.self).contains(
        #"optional="NO" attributeType="Integer 32" defaultValueString="NO""#))
    let place = try #require(draft.entities[0].properties.firstIndex { $0.name == "count" })
    var count = try #require(draft.entities[0].properties[place] as? AttributeDescription)
    count.isOptional = true
    count.defaultValue = .int(3)
    draft.entities[0].properties[place] = count
    #expect(
      try String(decoding: self.contents(of: draft), as: UTF8.self).contains(
        #"optional="YES" attributeType="Integer 32" defaultValueString="3""#))
  }

  /// What the format has no place for, and a word of the error.
  static let homeless: [(String, @Sendable (inout ModelDraft) -> Void)] = [
    ("version identifier", { $0.versionIdentifiers = ["1", "2"] }),
    ("default", { $0.entities[2].properties.append(AttributeDescription("d", .binary, default: Data([1]))) }),
    (
      "paths to prefetch",
      {
        var request = FetchRequest("Line")
        request.relationshipKeyPathsForPrefetching = ["invoice"]
        $0.templates = [FetchRequestTemplate("t", request)]
      }
    ),
    ("U+1", { $0.entities[0].userInfo = ["a": "\u{1}"] }),
  ]

  @Test("what the format has no place for is refused, never dropped", arguments: homeless.indices)
  func refuses(index: Int) throws {
    var draft = Self.built
    Self.homeless[index].1(&draft)
    let error = try #require(throws: ModelFileError.self) { try self.contents(of: draft) }
    #expect(error.code == .unwritable)
    #expect(error.detail.contains(Self.homeless[index].0))
  }
}
