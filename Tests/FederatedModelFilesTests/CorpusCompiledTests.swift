import FederatedModel
import Foundation
import TestSupport
import Testing

@testable import FederatedModelFiles

/// Compiled models of real programs, fact by fact.
@Suite(.enabled(if: TestFiles.corpus != nil, "no corpus beside the package"))
struct CorpusCompiledTests {
  private static func files(_ entry: CorpusEntry) -> [String: Fact] { entry.facts["files"].map }

  private func url(_ path: String) throws -> URL { try #require(TestFiles.corpus).appending(path: path) }

  @Test("every fact about compiled models holds", arguments: CorpusEntry.all("compiled-model"))
  func models(entry: CorpusEntry) throws {
    let package = try self.url(try #require(entry.paths.first)).deletingLastPathComponent()
    for (path, facts) in Self.files(entry) {
      var rest = facts.map
      let file = try self.url(path)
      if let stated = rest.removeValue(forKey: "model") {
        let model = try ModelFile.load(at: file)
        #expect(model.problems.isEmpty, "\(model.problems)")
        try StatedCompiledModel.check(model, stated, inherited: false)
        #expect(rest.removeValue(forKey: "archiver")?.text == "NSKeyedArchiver")
        let name = file.deletingPathExtension().lastPathComponent
        let version = try ModelFile.load(at: package, version: name)
        #expect(version.entities.map(\.description) == model.entities.map(\.description))
      }
      if let magic = rest.removeValue(forKey: "magic")?.text {
        #expect(try Data(contentsOf: file).starts(with: magic.utf8))
        let error = try #require(throws: ModelFileError.self) { try ModelFile.load(at: file) }
        #expect(error.code == .notAModel)
      }
      if let current = rest.removeValue(forKey: "NSManagedObjectModel_CurrentVersionName")?.text {
        #expect(try ModelFile.versions(at: package).filter(\.isCurrent).map(\.name) == [current])
      }
      for (version, hashes) in rest.removeValue(forKey: "NSManagedObjectModel_VersionHashes")?.map ?? [:] {
        let model = try ModelFile.load(at: package, version: version)
        #expect(Set(model.entities.map(\.name)) == Set(hashes.map.keys))
      }
      #expect(rest.isEmpty, "\(path): nothing reads \(rest)")
    }
  }

  @Test(
    "a compiled mapping model is an archive with the objects stated, and no model",
    arguments: CorpusEntry.all("compiled-mapping"))
  func mappings(entry: CorpusEntry) throws {
    for (path, facts) in Self.files(entry) {
      let file = try self.url(path)
      let archive = try KeyedArchive(try Data(contentsOf: file), from: file)
      #expect(archive.classCounts == facts["classCounts"].map.compactMapValues(\.int))
      let error = try #require(throws: ModelFileError.self) { try ModelFile.load(at: file) }
      #expect(error.code == .notAModel)
      #expect(error.detail.contains("NSMappingModel"))
    }
  }

  @Test("a compiled model has the version hashes of its source, so stores of the one open under the other")
  func sources() throws {
    let source = try ModelFile.load(
      at: try self.url("models/model-cdp-sample3/SampleModel.xcdatamodeld"))
    let compiled = try ModelFile.load(
      at: try self.url("compiled/SampleModel.momd"), version: "SampleModel3")
    #expect(source.entities.map(\.name) == compiled.entities.map(\.name))
    #expect(source.entities.map(\.versionHash) == compiled.entities.map(\.versionHash))
  }
}
