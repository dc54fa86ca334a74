import Foundation
import TestSupport
import Testing

@testable import FederatedSQLiteStore
@testable import FederatedTool

/// A foreign XML file beside a foreign SQLite file, linked by one federation file: ours, and a real pair.
@Suite("federate over a music library and a shop")
struct MusicFederationTests {
  private func objects(_ file: URL, _ words: String...) throws -> [[String: Any]] {
    let run = ToolRun(["fetch"] + words + ["--federation", file.path(percentEncoded: false)])
    #expect(run.status == .done, "\(run.messages)")
    return try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]])
  }

  private func names(_ objects: Any?, _ key: String) -> [String?] {
    (objects as? [[String: Any]] ?? []).map { $0[key] as? String }
  }

  private static let federation = TestFiles.fixtures.appending(path: "Foreign/Music/federation.json")

  @Test("each song of a property list comes with what a database sells of its artist, cheapest first")
  func offers() throws {
    let songs = try self.objects(
      Self.federation, "Song", "--sort", "number", "--with", "offers,shelf")
    #expect(songs.compactMap { $0["number"] as? Int } == [11, 12, 15, 18])
    #expect(
      songs.map { self.names($0["offers"], "sku") } == [
        ["LK-001", "LK-002"], ["UD-117"], ["LK-001", "LK-002"], [],
      ])
    #expect(songs.map { self.names($0["shelf"], "name") } == [["Folk"], ["Jazz"], [], []])
    #expect(songs[0]["compilation"] as? Bool == true)
    let offer = try #require((songs[1]["offers"] as? [[String: Any]])?.first)
    #expect(offer["added"] as? String == "2024-03-09T16:00:00Z")
    #expect(offer["released"] as? String == "2021-01-29T00:00:00Z")
  }

  @Test("the way back leads from the database to the property list")
  func owned() throws {
    let products = try self.objects(
      Self.federation, "Product", "--where", "price < 15", "--sort", "sku", "--with", "owned,genre")
    #expect(products.compactMap { $0["sku"] as? String } == ["LK-001", "LK-002", "OP-900"])
    #expect(self.names(products[0]["owned"], "name") == ["Ferry in the Fog", "Second Breakfast"])
    #expect(self.names(products[2]["owned"], "name").isEmpty)
    #expect((products[2]["genre"] as? [String: Any])?["name"] as? String == "Opera")
  }

  @Test("a link that another spelling leaves empty is explained")
  func spelling() {
    let run = ToolRun([
      "why", "Song", "shelf", "--key", "number=15", "--federation",
      Self.federation.path(percentEncoded: false),
    ])
    #expect(run.status == .done, "\(run.messages)")
    #expect(run.output.contains(#""Folk" against "folk", apart by letter case"#))
  }

  @Test("the database of the fixture is what its statements make")
  func statements() throws {
    let folder = try TemporaryFolder()
    let copy = folder.file("federation.json")
    let fixture = Self.federation.deletingLastPathComponent()
    for name in ["federation.json", "library.xml", "Music.xcdatamodeld"] {
      try FileManager.default.copyItem(
        at: fixture.appending(path: name), to: copy.deletingLastPathComponent().appending(path: name))
    }
    let sql = try String(contentsOf: fixture.appending(path: "shop.sql"), encoding: .utf8)
    let database = try DatabaseFile(folder.file("shop.sqlite"), readOnly: false).writer(creating: true)
    try database.execute(sql)
    for entity in ["Genre", "Product"] {
      let made = ToolRun([
        "fetch", entity, "--format", "csv", "--federation", copy.path(percentEncoded: false),
      ])
      let kept = ToolRun([
        "fetch", entity, "--format", "csv", "--federation", Self.federation.path(percentEncoded: false),
      ])
      #expect(made.status == .done, "\(made.messages)")
      #expect(self.withoutIdentifiers(made.output) == self.withoutIdentifiers(kept.output))
    }
  }

  /// The store's identifier comes from its path.
  private func withoutIdentifiers(_ text: String) -> String {
    text.replacing(/x-coredata:\/\/[0-9A-F-]+/, with: "")
  }

  @Test(
    "songs of a real music library meet the genres of a real database",
    .enabled(if: TestFiles.corpus != nil, "no corpus beside the package"))
  func realPair() throws {
    let corpus = try #require(TestFiles.corpus).appending(path: "foreign")
    let folder = try TemporaryFolder()
    let model = """
      <?xml version="1.0" encoding="UTF-8"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Song">
          <attribute name="number" attributeType="Integer 64"/>
          <attribute name="name" attributeType="String"/>
          <attribute name="genre" optional="YES" attributeType="String"/>
          <fetchedProperty name="shelf" optional="YES">
            <fetchRequest name="shelf" entity="Genre" predicateString="name == $FETCH_SOURCE.genre"/>
          </fetchedProperty>
        </entity>
        <entity name="Genre">
          <attribute name="name" optional="YES" attributeType="String"/>
          <relationship name="tracks" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Track" inverseName="genre" inverseEntity="Track"/>
        </entity>
        <entity name="Track">
          <attribute name="name" attributeType="String"/>
          <relationship name="genre" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Genre" inverseName="tracks" inverseEntity="Genre"/>
        </entity>
        <configuration name="Library"><memberEntity name="Song"/></configuration>
        <configuration name="Shop"><memberEntity name="Genre"/><memberEntity name="Track"/></configuration>
      </model>
      """
    let package = folder.file("Music.xcdatamodel")
    try FileManager.default.createDirectory(at: package, withIntermediateDirectories: true)
    try Data(model.utf8).write(to: package.appending(path: "contents"))
    let federation = """
      {"model": "Music.xcdatamodel", "stores": [
        {"type": "xml", "path": "\(corpus.path(percentEncoded: false))/itunes_library_unix.xml",
         "configuration": "Library", "readOnly": true, "mapping": {"entities": {
          "Song": {"records": "/plist/dict/key('Tracks')/dict", "key": "number", "attributes": {
            "number": "key('Track ID')", "name": "key('Name')", "genre": "key('Genre')"}}}}},
        {"type": "sqlite", "path": "\(corpus.path(percentEncoded: false))/Chinook_Sqlite.sqlite",
         "configuration": "Shop", "readOnly": true, "mapping": {"entities": {
          "Genre": {"table": "Genre", "attributes": {"name": "Name"}},
          "Track": {"table": "Track", "attributes": {"name": "Name"},
                    "relationships": {"genre": {"column": "GenreId"}}}}}}]}
      """
    let file = folder.file("federation.json")
    try Data(federation.utf8).write(to: file)
    let songs = try self.objects(file, "Song", "--sort", "number", "--with", "shelf.tracks")
    #expect(songs.compactMap { $0["name"] as? String } == ["Tessellate", "Breezeblocks", "❦ (Ripe & Ruin)"])
    #expect(songs.map { self.names($0["shelf"], "name") } == [["Alternative"], ["Alternative"], []])
    let shelf = try #require((songs[0]["shelf"] as? [[String: Any]])?.first)
    #expect((shelf["tracks"] as? [[String: Any]])?.count == 40)
  }
}
