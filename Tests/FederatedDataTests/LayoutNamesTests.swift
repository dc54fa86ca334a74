import Foundation
import TestSupport
import Testing

@Suite("Layouts are values")
struct LayoutNamesTests {
  /// Lines of sources that match, comments left out.
  private static func lines(matching pattern: Regex<Substring>, outside folders: [String]) throws -> [String]
  {
    let sources = TestFiles.package.appending(path: "Sources")
    let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
    var found: [String] = []
    while let file = files?.nextObject() as? URL {
      let path = file.path(percentEncoded: false)
      guard file.pathExtension == "swift", !folders.contains(where: path.contains) else { continue }
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        guard !line.drop(while: \.isWhitespace).hasPrefix("//"), line.contains(pattern) else { continue }
        found.append("\(file.lastPathComponent): \(line)")
      }
    }
    return found
  }

  @Test("no table or column name of the tradition stands outside the schema of the SQLite store")
  func tables() throws {
    let names = /\bZ_(?:ENT|PK|OPT|MAX|NAME|SUPER|UUID|PLIST|VERSION|METADATA|PRIMARYKEY|MODELCACHE|FOK)\b/
    #expect(
      try Self.lines(matching: names, outside: ["/FederatedSQLiteStore/Schema/", "/FederatedBenchmarks/"])
        == [])
  }

  @Test("no element name of the tradition stands outside the XML store")
  func elements() throws {
    let names = /"(?:databaseInfo|nextObjectID|idrefs)"/
    #expect(try Self.lines(matching: names, outside: ["/FederatedXMLStore/", "/FederatedBenchmarks/"]) == [])
  }
}
