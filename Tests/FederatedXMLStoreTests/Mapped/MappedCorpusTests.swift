import FederatedModel
import FederatedStore
import Foundation
import TestSupport
import Testing

@testable import FederatedXMLStore

/// Real documents of other people through mappings.
@Suite(.enabled(if: TestFiles.corpus != nil, "no corpus beside the package"))
struct MappedCorpusTests {
  private func open(_ name: String, _ mapping: XMLMapping, _ model: ManagedObjectModel) throws
    -> WholeFileStore
  {
    let file = try #require(TestFiles.corpus).appending(path: "foreign/\(name)")
    var description = PersistentStoreDescription(.xml, at: file, readOnly: true)
    description.mapping = mapping
    return try #require(try StoreType.xml.open(description, model) as? WholeFileStore)
  }

  private static func entity(
    _ name: String, _ attributes: [(String, AttributeType)], _ others: [any PropertyDescription] = []
  ) -> EntityDescription {
    let optional = attributes.map {
      AttributeDescription($0.0, $0.1, optional: true) as any PropertyDescription
    }
    return EntityDescription(name, properties: optional + others)
  }

  @Test("a GPX route has its 120 points")
  func gpx() throws {
    let model = try ManagedObjectModel(entities: [
      Self.entity("Point", [("latitude", .double), ("elevation", .double)])
    ])
    let mapping = XMLMapping(
      entities: [
        "Point": XMLEntityMapping(
          records: "/g:gpx/g:rte/g:rtept", attributes: ["latitude": "@lat", "elevation": "g:ele"])
      ], namespaces: ["g": "http://www.topografix.com/GPX/1/0"])
    let points = try self.open("trek.gpx", mapping, model).rows("Point", of: model)
    #expect(points.count == 120)
    #expect(points.first?.value("latitude", in: model) == .double(44.907783722))
    #expect(points.first?.value("elevation", in: model) == .double(1298))
  }

  @Test("an RSS feed has its items, one of them without a title")
  func rss() throws {
    let model = try ManagedObjectModel(entities: [
      Self.entity("Item", [("guid", .string), ("title", .string), ("published", .date)])
    ])
    let mapping = XMLMapping(entities: [
      "Item": XMLEntityMapping(
        records: "/rss/channel/item", key: ["guid"],
        attributes: [
          "guid": "guid", "title": "title",
          "published": XMLAttributeMapping(
            "pubDate", format: .datePattern("EEE, dd MMM yyyy HH:mm:ss zzz", .required)),
        ])
    ])
    let store = try self.open("rss2sample.xml", mapping, model)
    let items = try store.rows("Item", of: model)
    #expect(items.count == 4)
    let titles = Set(items.map { $0.value("title", in: model) })
    #expect(
      titles == [
        .string("Star City"), .null, .string("The Engine That Does More"),
        .string("Astronauts' Dirty Laundry"),
      ])
    #expect(store.reference(fromText: "http://liftoff.msfc.nasa.gov/2003/06/03.html#item573") != nil)
  }

  @Test("KML placemarks have their typed fields, found by name")
  func kml() throws {
    let model = try ManagedObjectModel(entities: [
      Self.entity("Trail", [("name", .string), ("length", .double), ("gain", .integer32)])
    ])
    let data = "k:ExtendedData/k:SchemaData/k:SimpleData"
    let mapping = XMLMapping(
      entities: [
        "Trail": XMLEntityMapping(
          records: "/k:kml/k:Document/k:Placemark", key: ["name"],
          attributes: [
            "name": "k:name", "length": XMLAttributeMapping("\(data)[@name='TrailLength']"),
            "gain": XMLAttributeMapping("\(data)[@name='ElevationGain']"),
          ])
      ], namespaces: ["k": "http://www.opengis.net/kml/2.2"])
    let trails = try self.open("simpledata.kml", mapping, model).rows("Trail", of: model)
    #expect(
      Set(trails.map { $0.value("name", in: model) }) == [.string("Easy trail"), .string("Difficult trail")])
    #expect(Set(trails.map { $0.value("length", in: model) }) == [.double(3.14159), .double(347.45)])
    #expect(Set(trails.map { $0.value("gain", in: model) }) == [.int(10), .int(10_000)])
  }

  @Test("a CycloneDX bill has its components wherever they stand")
  func cycloneDX() throws {
    let model = try ManagedObjectModel(entities: [
      Self.entity("Component", [("name", .string), ("version", .string), ("purl", .string)])
    ])
    let mapping = XMLMapping(
      entities: [
        "Component": XMLEntityMapping(
          records: "//component", attributes: ["name": "name", "version": "version", "purl": "purl"])
      ], namespaces: ["": "http://cyclonedx.org/schema/bom/1.5"])
    let components = try self.open("cyclonedx-valid-bom-1.5.xml", mapping, model).rows("Component", of: model)
    #expect(components.count == 5)
    #expect(components[0].value("name", in: model) == .string("Acme Application"))
    #expect(components[0].value("version", in: model) == .string("9.1.1"))
    #expect(components[0].value("purl", in: model) == .null)
    let purl = "pkg:maven/com.acme/tomcat-catalina@9.0.14?packaging=jar"
    #expect(components.contains { $0.value("purl", in: model) == .string(purl) })
  }

  @Test("a JUnit report has its cases, three of them with an error")
  func junit() throws {
    let model = try ManagedObjectModel(entities: [
      Self.entity("Case", [("name", .string), ("seconds", .decimal), ("error", .string), ("kind", .string)])
    ])
    let mapping = XMLMapping(entities: [
      "Case": XMLEntityMapping(
        records: "//testcase", key: ["name"],
        attributes: ["name": "@name", "seconds": "@time", "error": "error", "kind": "error/@type"])
    ])
    let cases = try self.open("junit-report-20090516.xml", mapping, model).rows("Case", of: model)
    #expect(cases.count == 8)
    #expect(cases.count { $0.value("error", in: model) != .null } == 3)
    let name = "org.twia.vendor.VendorManagerTest.testGetVendorFirmKeyForVendorRep"
    let first = try #require(cases.first { $0.value("name", in: model) == .string(name) })
    #expect(first.value("seconds", in: model) == .decimal(try #require(Decimal(string: "3.377"))))
    #expect(first.value("kind", in: model) == .string("java.lang.NullPointerException"))
  }

  @Test("an iTunes library has tracks, and playlists that name them in order")
  func itunes() throws {
    let model = try ManagedObjectModel(entities: [
      Self.entity(
        "Track",
        [("id", .integer32), ("name", .string), ("album", .string), ("time", .integer64), ("added", .date)]),
      Self.entity(
        "Playlist", [("name", .string)], [RelationshipDescription("tracks", to: "Track", .orderedMany)]),
    ])
    let mapping = XMLMapping(entities: [
      "Track": XMLEntityMapping(
        records: "/plist/dict/key('Tracks')/dict", key: ["id"],
        attributes: [
          "id": "key('Track ID')", "name": "key('Name')", "album": "key('Album')",
          "time": "key('Total Time')",
          "added": "key('Date Added')",
        ]),
      "Playlist": XMLEntityMapping(
        records: "/plist/dict/key('Playlists')/dict", key: ["name"], attributes: ["name": "key('Name')"],
        relationships: ["tracks": .reference("key('Playlist Items')/dict/key('Track ID')")]),
    ])
    let store = try self.open("itunes_library_unix.xml", mapping, model)
    let tracks = try store.rows("Track", of: model)
    #expect(
      tracks.map { $0.value("name", in: model) } == [
        .string("Tessellate"), .string("Breezeblocks"), .string("❦ (Ripe & Ruin)"),
      ])
    #expect(tracks.map { $0.value("time", in: model) } == [.int(182_674), .int(227_082), .int(72_097)])
    let playlists = try store.rows("Playlist", of: model)
    #expect(Set(playlists.map { $0.value("name", in: model) }) == [.string("Library"), .string("Music")])
    for playlist in playlists {
      #expect(try store.related("tracks", of: playlist, in: model) == [634, 636, 638])
    }
  }
}
