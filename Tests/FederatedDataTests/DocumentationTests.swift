import FederatedData
import Foundation
import TestSupport
import Testing

@Suite("Documentation")
struct DocumentationTests {
  private static let catalogue = TestFiles.package.appending(path: "Sources/FederatedData/FederatedData.docc")

  private static func text(_ name: String) throws -> String {
    try String(contentsOf: self.catalogue.appending(path: name), encoding: .utf8)
  }

  @Test("every code of every error has its heading, and no heading is left over")
  func errors() throws {
    let codes =
      ModelError.Rule.allCases.map { "ModelError: \($0.rawValue)" }
      + ModelFileError.Code.allCases.map { "ModelFileError: \($0.rawValue)" }
      + PredicateFormatError.Code.allCases.map { "PredicateFormatError: \($0.rawValue)" }
      + FetchPredicateError.Code.allCases.map { "FetchPredicateError: \($0.rawValue)" }
      + CoordinatorError.Code.allCases.map { "CoordinatorError: \($0.rawValue)" }
      + FederationFileError.Code.allCases.map { "FederationFileError: \($0.rawValue)" }
      + ManagedObjectError.Code.allCases.map { "ManagedObjectError: \($0.rawValue)" }
      + ValidationError.Rule.allCases.map { "ValidationError: \($0.rawValue)" }
      + StoreError.Code.allCases.map { "StoreError: \($0.rawValue)" }
    let headings = try Self.text("Errors.md").split(separator: "\n").filter { $0.hasPrefix("### ") }
      .map { String($0.dropFirst(4)) }
    #expect(Set(codes).subtracting(headings) == [])
    #expect(Set(headings).subtracting(codes) == [])
  }

  @Test("every test that Differences.md names is there")
  func differences() throws {
    let named = try Self.text("Differences.md").matches(of: /“([^”]+)”/).map {
      $0.output.1.split { $0.isWhitespace }.joined(separator: " ")
    }
    #expect(!named.isEmpty)
    let tests = TestFiles.package.appending(path: "Tests")
    var sources = ""
    let files = FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil)
    while let file = files?.nextObject() as? URL {
      if file.pathExtension == "swift" { sources += try String(contentsOf: file, encoding: .utf8) }
    }
    let missing = named.filter { !sources.contains("\"\($0)") && !sources.contains("func `\($0)") }
    #expect(missing == [])
  }

  @Test("README names every target, and both commands alone in their blocks")
  func readme() throws {
    let text = try String(contentsOf: TestFiles.package.appending(path: "README.md"), encoding: .utf8)
    let package = try String(contentsOf: TestFiles.package.appending(path: "Package.swift"), encoding: .utf8)
    for match in package.matches(of: /name: "(\w+)"/) where match.output.1 != "TestSupport" {
      #expect(text.contains(match.output.1), "\(match.output.1) is not in the layout of the house")
    }
    for name in ["main job", "test"] {
      let block = try #require(text.split(separator: "<!-- command: \(name) -->\n```sh\n").dropFirst().first)
      #expect(block.prefix { $0 != "`" }.split(separator: "\n").count == 1, "\(name)")
    }
  }

  /// The Swift blocks of a page, one after another.
  private static func code(_ text: String) -> String {
    text.split(separator: "```swift\n").dropFirst().map { $0.prefix { $0 != "`" } }.joined(separator: "\n")
  }

  @Test(
    "the code of README and of the first page compiles as it stands",
    .enabled(if: ClientCompiler.modules != nil, "the modules of this build are not beside the tests"))
  func examples() throws {
    let readme = try String(contentsOf: TestFiles.package.appending(path: "README.md"), encoding: .utf8)
    for text in [readme, try Self.text("GettingStarted.md")] {
      let code = Self.code(text)
      #expect(code.contains("import FederatedData"))
      #expect(try ClientCompiler.errors(in: code) == [])
    }
  }
}
