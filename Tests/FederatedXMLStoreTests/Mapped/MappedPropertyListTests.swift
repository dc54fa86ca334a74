import FederatedModel
import FederatedStore
import Foundation
import TestSupport
import Testing

@testable import FederatedXMLStore

/// Dictionaries of property lists as records.
struct MappedPropertyListTests {
  static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription(
        "Track",
        properties: [
          AttributeDescription("id", .integer32), AttributeDescription("name", .string, optional: true),
          AttributeDescription("added", .date, optional: true),
          AttributeDescription("loved", .boolean, optional: true),
          AttributeDescription("place", .string, optional: true),
          AttributeDescription("size", .integer64, optional: true),
        ]),
      EntityDescription(
        "Playlist",
        properties: [
          AttributeDescription("name", .string), AttributeDescription("hidden", .boolean, optional: true),
          RelationshipDescription("tracks", to: "Track", .orderedMany),
        ]),
    ])
  }

  static let mapping = XMLMapping(entities: [
    "Track": XMLEntityMapping(
      records: "/plist/dict/key('Tracks')/dict", key: ["id"],
      attributes: [
        "id": "key('Track ID')", "name": "key('Name')", "added": "key('Date Added')", "loved": "key('Loved')",
        "size": "key('Size')", "place": "key()",
      ]),
    "Playlist": XMLEntityMapping(
      records: "/plist/dict/key('Playlists')/dict", key: ["name"],
      attributes: ["name": "key('Name')", "hidden": "key('Hidden')"],
      relationships: ["tracks": .reference("key('Playlist Items')/dict/key('Track ID')")]),
  ])

  static let text = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple Computer//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    \t<key>Major Version</key><integer>1</integer>
    \t<key>Tracks</key>
    \t<dict>
    \t\t<key>634</key>
    \t\t<dict>
    \t\t\t<key>Track ID</key><integer>634</integer>
    \t\t\t<key>Name</key><string>Tess &amp; Co</string>
    \t\t\t<key>Loved</key><true/>
    \t\t\t<key>Date Added</key><date>2014-04-24T09:28:38Z</date>
    \t\t</dict>
    \t\t<key>636</key>
    \t\t<dict>
    \t\t\t<key>Track ID</key><integer>636</integer>
    \t\t\t<key>Loved</key><false/>
    \t\t</dict>
    \t</dict>
    \t<key>Playlists</key>
    \t<array>
    \t\t<dict>
    \t\t\t<key>Name</key><string>Library</string>
    \t\t\t<key>Playlist Items</key>
    \t\t\t<array>
    \t\t\t\t<dict>
    \t\t\t\t\t<key>Track ID</key><integer>636</integer>
    \t\t\t\t</dict>
    \t\t\t\t<dict>
    \t\t\t\t\t<key>Track ID</key><integer>634</integer>
    \t\t\t\t</dict>
    \t\t\t</array>
    \t\t</dict>
    \t</array>
    </dict>
    </plist>

    """

  static func document() throws -> MappedDocument { try MappedDocument(text, mapping, model()) }

  @Test("keys of dictionaries lead to values, and arrays of dictionaries to records and references")
  func reading() throws {
    let document = try Self.document()
    let store = try document.open()
    #expect(try document.values("id", of: "Track", in: store) == [.int(634), .int(636)])
    #expect(try document.values("name", of: "Track", in: store) == [.string("Tess & Co"), .null])
    #expect(try document.values("loved", of: "Track", in: store) == [.bool(true), .bool(false)])
    #expect(try document.values("place", of: "Track", in: store) == [.string("634"), .string("636")])
    let added = try #require(try document.values("added", of: "Track", in: store).first)
    #expect(added == .date(Date(timeIntervalSince1970: 1_398_331_718)))
    #expect(try document.links("tracks", of: "Playlist", in: store) == ["Library": ["636", "634"]])
    #expect(store.diagnostics.isEmpty)
  }

  @Test("a key that stands elsewhere in a dictionary is another one")
  func otherKeys() throws {
    let document = try Self.document()
    document.mapping.entities["Track"]?.records = ["/plist/dict/key('Trucks')/dict"]
    let store = try document.open()
    #expect(try store.rows("Track", of: document.model).isEmpty)
    #expect(store.diagnostics.contains { $0.code == .noRecords && $0.entity == "Track" })
  }

  @Test("values, keys and records of a property list are written as such")
  func writing() throws {
    let document = try Self.document()
    let store = try document.open()
    let model = document.model
    func difference(_ key: String, _ values: [String: Value]) throws -> [String] {
      let before = try document.text
      try MappedWritingTests.change(document, store, key, "Track", values)
      return XMLStoreFile.difference(before, try document.text).sorted()
    }
    #expect(
      try difference("634", ["loved": .bool(false)]) == [
        "+<key>Loved</key><false/>", "-<key>Loved</key><true/>",
      ])
    #expect(
      try difference("634", ["name": .string("<T>")]) == [
        "+<key>Name</key><string>&lt;T&gt;</string>", "-<key>Name</key><string>Tess &amp; Co</string>",
      ])
    #expect(try difference("634", ["name": .null]) == ["-<key>Name</key><string>&lt;T&gt;</string>"])
    let added = try difference("636", ["size": .int(7), "name": .string("n")])
    #expect(
      added.contains("+<integer>7</integer>") || added.contains("+<key>Size</key><integer>7</integer>"),
      "\(added)")
    let tracks = try #require(model.entity(named: "Track")).id
    let reference = try #require(try store.references(forKeys: [[.int(640)]], of: tracks).first)
    #expect(reference == 640)
    var changes = ChangeSet()
    try changes.insert(
      "Track", reference, ["id": .int(640), "place": .string("640"), "loved": .bool(true)], in: model)
    try store.save(changes)
    let again = try document.open()
    #expect(try document.values("id", of: "Track", in: again) == [.int(634), .int(636), .int(640)])
    #expect(
      try document.values("loved", of: "Track", in: again) == [.bool(false), .bool(false), .bool(true)])
    #expect(try document.values("size", of: "Track", in: again) == [.null, .int(7), .null])
    let before = try document.text
    changes = ChangeSet()
    changes.delete(try MappedWritingTests.row("640", "Track", store, model))
    try store.save(changes)
    #expect(!(try document.text.contains("640")))
    #expect(XMLStoreFile.difference(before, try document.text).allSatisfy { $0.hasPrefix("-") })
  }
}
