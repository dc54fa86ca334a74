import Foundation
import TestSupport
import Testing

@testable import FederatedTool

/// Files of other programs, by the tool alone.
@Suite("federate over files of others", .enabled(if: TestFiles.corpus != nil, "no corpus beside the package"))
struct ForeignFileTests {
  let folder: TemporaryFolder

  init() throws { self.folder = try TemporaryFolder() }

  private func corpus(_ name: String) -> String {
    TestFiles.corpus?.appending(path: "foreign/\(name)").path(percentEncoded: false) ?? ""
  }

  @Test("inspect lists tables and views with columns, keys, foreign keys and counts")
  func inspect() {
    let run = ToolRun("inspect", self.corpus("Chinook_Sqlite.sqlite"))
    #expect(run.status == .done)
    let lines = run.output.split(separator: "\n")
    let album = lines.firstIndex { $0.hasPrefix("  Album ") }
    #expect(album.map { lines[$0].hasSuffix(" 347") } == true)
    #expect(
      album.map { Array(lines[($0 + 1)...($0 + 3)]) } == [
        "    AlbumId INTEGER, key, required", "    Title NVARCHAR(160), required",
        "    ArtistId INTEGER, required, leads to Artist.ArtistId",
      ])
    let views = ToolRun("inspect", self.corpus("zeitgeist_activity.sqlite"), "--json")
    #expect(
      views.output.contains(#"{"name": "event_view", "rows": 44, "view": true, "columns": [{"name": "id""#))
  }

  @Test("fetch answers over a federation file with a mapping, through a link into a file of the own layout")
  func fetch() throws {
    let model = self.folder.file("Music.xcdatamodel")
    try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
    try Data(
      """
      <model><entity name="Artist"><attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="albums" optional="YES" toMany="YES" destinationEntity="Album" inverseName="artist"
          inverseEntity="Album"/></entity>
        <entity name="Album"><attribute name="title" optional="YES" attributeType="String"/>
          <relationship name="artist" optional="YES" maxCount="1" destinationEntity="Artist" inverseName="albums"
            inverseEntity="Artist"/></entity></model>
      """.utf8
    ).write(to: model.appending(path: "contents"))
    func run(_ table: String) throws -> ToolRun {
      let federation = self.folder.file("music.json")
      try Data(
        """
        {"model": "Music.xcdatamodel", "stores": [
          {"type": "sqlite", "path": "\(self.corpus("Chinook_Sqlite.sqlite"))", "readOnly": true, "mapping": {
            "entities": {"Artist": {"table": "\(table)", "attributes": {"name": "Name"}},
                         "Album": {"table": "Album", "attributes": {"title": "Title"}}}}}]}
        """.utf8
      ).write(to: federation)
      return ToolRun(
        "fetch", "Album", "--where", "artist.name BEGINSWITH 'Antônio'", "--with", "artist", "--federation",
        federation.path(percentEncoded: false))
    }
    let found = try run("Artist")
    #expect(found.status == .done, "\(found.messages)")
    #expect(found.output.contains("Warner 25 Anos"), "\(found.output)")
    let wrong = try run("Artists")
    #expect(wrong.status == .failed)
    #expect(
      wrong.messages.contains(
        "music.json: stores[0].mapping.entities.Artist.table: the file has no table or view Artists (did you mean Artist?)"
      ),
      "\(wrong.messages)")
  }
}
