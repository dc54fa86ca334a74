import Foundation
import TestSupport
import Testing

@testable import FederatedTool

/// The documents of `Fixtures/Foreign`, streamed: the same lines as when they are held.
@Suite("federate over streamed XML")
struct StreamedFetchTests {
  private func run(_ folder: String, streamed: Bool, _ words: [String]) throws -> ToolRun {
    let source = TestFiles.fixtures.appending(path: "Foreign/\(folder)")
    let copy = try TemporaryFolder()
    for name in try FileManager.default.contentsOfDirectory(atPath: source.path(percentEncoded: false)) {
      try FileManager.default.copyItem(at: source.appending(path: name), to: copy.file(name))
    }
    let file = copy.file("federation.json")
    if streamed {
      let text = try String(contentsOf: file, encoding: .utf8)
      let changed = text.replacing("\"mapping\": {", with: "\"mapping\": {\"loading\": \"streamed\",")
      #expect(changed != text)
      try Data(changed.utf8).write(to: file)
    }
    return withExtendedLifetime(copy) {
      ToolRun(["fetch"] + words + ["--federation", file.path(percentEncoded: false)])
    }
  }

  /// The lines without the store's identifier, which is that of its folder.
  private func lines(_ run: ToolRun) throws -> [String] {
    #expect(run.status == .done, "\(run.messages)")
    return run.output.split(separator: "\n").map {
      String($0).replacing(/[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}/, with: "store")
    }
  }

  @Test(
    "objects, what they lead to, columns and counts are printed as of a document that is held",
    arguments: [
      ("GPX", "Waypoint --sort name"), ("GPX", "Track --sort name --with points"),
      ("GPX", "Point --limit 2"), ("GPX", "Point --where elevation>804 --count"),
      ("GPX", "Point --columns heart,most=max(elevation) --group-by heart --sort heart"),
      ("RSS", "Item --sort published --with channel"), ("RSS", "Channel --with items"),
      ("CycloneDX", "Component --sort name --with parts,licences,whole"),
      ("JUnit", "Suite --sort name --with cases"), ("JUnit", "Case --where output!=nil"),
    ])
  func fetch(folder: String, words: String) throws {
    var words = words.split(separator: " ").map(String.init)
    if !words.contains("--count") { words += ["--format", "jsonl"] }
    let held = try self.lines(try self.run(folder, streamed: false, words))
    let streamed = try self.lines(try self.run(folder, streamed: true, words))
    #expect(!held.isEmpty)
    #expect(streamed == held)
  }

  @Test("an explanation says that the document is gone through once")
  func explain() throws {
    let run = try self.run("GPX", streamed: true, ["Point", "--where", "elevation > 804", "--explain"])
    #expect(run.output.contains("one pass over the records of Point in walk.gpx"), "\(run.output)")
    let linked = try self.run(
      "GPX", streamed: true, ["Point", "--where", "track.name == 'Lake'", "--explain"])
    #expect(linked.output.contains("into memory"), "\(linked.output)")
  }
}
