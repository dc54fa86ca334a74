import FederatedData
import Foundation
import TestSupport
import Testing

/// The music store of the corpus, read and written through a federation file.
@Suite("Foreign SQLite: Chinook", .enabled(if: TestFiles.corpus != nil, "no corpus beside the package"))
struct ChinookTests {
  let folder: TemporaryFolder
  let federation: URL

  init() throws {
    self.folder = try TemporaryFolder()
    self.federation = self.folder.file("music.json")
    if let corpus = TestFiles.corpus {
      try FileManager.default.copyItem(
        at: corpus.appending(path: "foreign/Chinook_Sqlite.sqlite"), to: self.folder.file("Chinook.sqlite"))
    }
    try ModelFile.save(ModelDraft(entities: Self.entities), at: self.folder.file("Music.xcdatamodel"))
    try Data(Self.text.utf8).write(to: self.federation)
  }

  private static let entities: [EntityDescription] = [
    EntityDescription(
      "Artist",
      properties: [
        AttributeDescription("name", .string, optional: true),
        RelationshipDescription("albums", to: "Album", .many, inverse: "artist"),
      ]),
    EntityDescription(
      "Album",
      properties: [
        AttributeDescription("title", .string),
        RelationshipDescription("artist", to: "Artist", inverse: "albums"),
        RelationshipDescription("tracks", to: "Track", .many, inverse: "album"),
      ]),
    EntityDescription(
      "Track",
      properties: [
        AttributeDescription("name", .string), AttributeDescription("milliseconds", .integer32),
        AttributeDescription("unitPrice", .decimal),
        AttributeDescription("composer", .string, optional: true),
        AttributeDescription("mediaType", .integer64, optional: true),
        RelationshipDescription("album", to: "Album", inverse: "tracks"),
        RelationshipDescription("playlists", to: "Playlist", .many, inverse: "tracks"),
      ]),
    EntityDescription(
      "Playlist",
      properties: [
        AttributeDescription("name", .string, optional: true),
        RelationshipDescription("tracks", to: "Track", .many, inverse: "playlists"),
      ]),
    EntityDescription(
      "Invoice",
      properties: [AttributeDescription("date", .date), AttributeDescription("total", .decimal)]),
  ]

  private static let text = """
    {"model": "Music.xcdatamodel", "stores": [
      {"name": "chinook", "type": "sqlite", "path": "Chinook.sqlite", "mapping": {
        "zone": "UTC",
        "entities": {
          "Artist": {"table": "Artist", "attributes": {"name": "Name"}},
          "Album": {"table": "Album", "key": "AlbumId", "attributes": {"title": "Title"},
                    "relationships": {"artist": {"column": "ArtistId"}, "tracks": {"inverse": "album"}}},
          "Track": {"table": "Track",
                    "attributes": {"name": "Name", "milliseconds": "Milliseconds", "unitPrice": "UnitPrice",
                                   "composer": "Composer", "mediaType": "MediaTypeId"},
                    "relationships": {"playlists": {"table": "PlaylistTrack", "owner": "TrackId",
                                                    "destination": "PlaylistId"}}},
          "Playlist": {"table": "Playlist", "attributes": {"name": "Name"}},
          "Invoice": {"table": "Invoice",
                      "attributes": {"date": {"column": "InvoiceDate", "format": "iso8601"}, "total": "Total"}}}}}]}
    """

  @Test("objects, links and sums are what the facts say")
  func reading() throws {
    let before = try Data(contentsOf: self.folder.file("Chinook.sqlite"))
    let container = try PersistentContainer(federation: self.federation, readOnly: true)
    let context = container.makeContext()
    for (entity, count) in [
      ("Artist", 275), ("Album", 347), ("Track", 3503), ("Playlist", 18), ("Invoice", 412),
    ] {
      #expect(try context.count(for: FetchRequest(entity)) == count, "\(entity)")
    }
    let tracks = try context.fetch(
      FetchRequest("Track", where: "album.title == 'For Those About To Rock We Salute You'"))
    let track = try #require(try tracks.first { try $0.value("name") == .string("Put The Finger On You") })
    #expect(try track.value("milliseconds") == .int(205_662))
    #expect(try track.value("unitPrice") == .decimal(Decimal(string: "0.99")!))
    let maiden = try #require(try context.fetch(FetchRequest("Artist", where: "name == 'Iron Maiden'")).first)
    #expect(try maiden.objects("albums").count == 21)
    #expect(container.coordinator.uriString(for: maiden.objectID).hasSuffix("/Artist/p90"))
    #expect(
      try context.count(for: FetchRequest("Track", where: "ANY playlists.name == 'Music'")) == 3290)
    let invoices = try context.fetch(FetchRequest("Invoice", order: [FetchSortDescriptor("date")]))
    #expect(try invoices[0].value("date") == .date(Date(timeIntervalSince1970: 1_609_459_200)))
    let total = try invoices.reduce(Decimal(0)) { sum, invoice in
      guard case .decimal(let total) = try invoice.value("total") else { return sum }
      return sum + total
    }
    #expect(total == Decimal(string: "2328.6"))
    #expect(try Data(contentsOf: self.folder.file("Chinook.sqlite")) == before)
  }

  @Test("new, changed and deleted objects and pairs stand in the file; its own constraints hold")
  func writing() throws {
    let container = try PersistentContainer(federation: self.federation)
    let context = container.makeContext()
    let maiden = try #require(try context.fetch(FetchRequest("Artist", where: "name == 'Iron Maiden'")).first)
    let album = try context.insert("Album")
    try album.set("title", to: "Senjutsu")
    try album.set("artist", to: maiden)
    let track = try context.insert("Track")
    try track.set("name", to: "Stratego")
    try track.set("milliseconds", to: 300_000)
    try track.set("unitPrice", to: Value.decimal(Decimal(string: "1.29")!))
    try track.set("mediaType", to: 1)
    try track.set("album", to: album)
    let music = try #require(try context.fetch(FetchRequest("Playlist", where: "name == 'Music'")).first)
    try track.set("playlists", to: [music])
    try maiden.set("name", to: "Iron Maiden (band)")
    try context.save()
    #expect(container.coordinator.uriString(for: album.objectID).hasSuffix("/Album/p348"))

    let other = try PersistentContainer(federation: self.federation, readOnly: true).makeContext()
    let found = try #require(
      try other.fetch(
        FetchRequest("Track", where: "album.artist.name == 'Iron Maiden (band)' AND name == 'Stratego'")
      )
      .first)
    #expect(try found.value("unitPrice") == .decimal(Decimal(string: "1.29")!))
    #expect(try found.objects("playlists").count == 1)

    // Again, and away with it.
    try track.set("name", to: "Stratego (live)")
    try context.save()
    context.delete(track)
    context.delete(album)
    try context.save()
    #expect(try context.count(for: FetchRequest("Track")) == 3503)

    // Track.MediaTypeId is NOT NULL and has a foreign key.
    let wrong = try context.insert("Track")
    try wrong.set("name", to: "x")
    try wrong.set("milliseconds", to: 1)
    try wrong.set("unitPrice", to: Value.decimal(1))
    #expect {
      try context.save()
    } throws: { error in
      "\(error)".contains("NOT NULL constraint failed: Track.MediaTypeId")
    }
    try wrong.set("mediaType", to: 99)
    #expect {
      try context.save()
    } throws: { error in
      "\(error)".contains("FOREIGN KEY constraint failed") && "\(error)".contains("MediaType")
    }
    let last = try PersistentContainer(federation: self.federation, readOnly: true).makeContext()
    #expect(try last.count(for: FetchRequest("Track")) == 3503)
  }
}
