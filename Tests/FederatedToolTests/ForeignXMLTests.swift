import Foundation
import TestSupport
import Testing

@testable import FederatedTool

/// Documents of well-known formats through the mappings in `Fixtures/Foreign`.
@Suite("federate over foreign XML")
struct ForeignXMLTests {
  private func objects(_ folder: String, _ words: String...) throws -> [[String: Any]] {
    let file = TestFiles.fixtures.appending(path: "Foreign/\(folder)/federation.json")
    let run = ToolRun(["fetch"] + words + ["--federation", file.path(percentEncoded: false)])
    #expect(run.status == .done, "\(run.messages)")
    return try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]])
  }

  @Test("a GPX file has waypoints, and tracks with their points in order")
  func gpx() throws {
    let waypoints = try self.objects("GPX", "Waypoint", "--sort", "name")
    #expect(waypoints.compactMap { $0["name"] as? String } == ["Hut", "Jetty"])
    #expect(waypoints[1]["elevation"] as? Double == 803)
    #expect(waypoints[1]["time"] as? String == "2023-07-01T08:15:00Z")
    #expect(waypoints[0]["symbol"] is NSNull)
    let track = try #require(try self.objects("GPX", "Track", "--with", "points").first)
    let points = try #require(track["points"] as? [[String: Any]])
    #expect(points.compactMap { $0["latitude"] as? Double } == [47.5612, 47.5631, 47.566])
    #expect(points[0]["heart"] as? Int == 92)
    #expect(points[2]["time"] as? String == "2023-07-01T08:31:00Z")
    let high = try self.objects("GPX", "Point", "--where", "elevation > 804 AND track.name == 'Lake'")
    #expect(high.count == 2)
  }

  @Test("an RSS feed has items with the dates of mail")
  func rss() throws {
    let items = try self.objects("RSS", "Item", "--sort", "published", "--with", "channel")
    #expect(items.compactMap { $0["guid"] as? String } == ["harbour-2", "harbour-3"])
    #expect(items[0]["published"] as? String == "2023-06-04T16:00:00Z")
    #expect(items[0]["title"] is NSNull)
    #expect(items[1]["title"] as? String == "Ferry & tide")
    #expect(items[1]["body"] as? String == "The <b>ferry</b> waits for the tide.")
    #expect((items[1]["channel"] as? [String: Any])?["title"] as? String == "Harbour news")
  }

  @Test("a CycloneDX bill has parts inside parts, and what each needs")
  func cycloneDX() throws {
    let components = try self.objects(
      "CycloneDX", "Component", "--sort", "name", "--with", "parts,licences,whole")
    #expect(components.compactMap { $0["name"] as? String } == ["kettle", "spout", "steam"])
    #expect((components[0]["parts"] as? [[String: Any]])?.compactMap { $0["name"] as? String } == ["spout"])
    #expect((components[1]["whole"] as? [String: Any])?["reference"] as? String == "kettle")
    let licences = try #require(components[1]["licences"] as? [[String: Any]])
    #expect(licences.compactMap { $0["identifier"] as? String } == ["MIT", "Apache-2.0"])
    let kettle = try self.objects(
      "CycloneDX", "Dependency", "--where", "reference == 'kettle'", "--with", "needs")
    let needs = try #require(kettle.first?["needs"] as? [[String: Any]])
    #expect(Set(needs.compactMap { $0["name"] as? String }) == ["spout", "steam"])
  }

  @Test("a JUnit report has suites, cases, and properties by name")
  func junit() throws {
    let suites = try self.objects("JUnit", "Suite", "--sort", "name", "--with", "cases")
    #expect(suites.compactMap { $0["name"] as? String } == ["Kettle", "Lid"])
    #expect(suites[0]["system"] as? String == "linux")
    #expect(suites[0]["started"] as? String == "2023-06-05T06:30:00Z")
    let failed = try self.objects("JUnit", "Case", "--where", "failure != nil")
    #expect(failed.first?["failureText"] as? String == "expected 80\ngot 12")
    let output = try self.objects("JUnit", "Case", "--where", "output != nil")
    #expect(output.first?["output"] as? String == "<splash>")
  }

  @Test("every fault of a mapping in a federation file is told with its JSON path")
  func faults() throws {
    let folder = try TemporaryFolder()
    let source = TestFiles.fixtures.appending(path: "Foreign/RSS")
    for name in ["News.xcdatamodeld", "news.rss"] {
      try FileManager.default.copyItem(at: source.appending(path: name), to: folder.file(name))
    }
    let text = try String(contentsOf: source.appending(path: "federation.json"), encoding: .utf8)
    func run(_ text: String) throws -> ToolRun {
      try Data(text.utf8).write(to: folder.file("federation.json"))
      return ToolRun([
        "fetch", "Item", "--federation", folder.file("federation.json").path(percentEncoded: false),
      ])
    }
    #expect(try run(text).status == .done)
    let wrong = try run(
      text.replacing("\"guid\": \"guid\"", with: "\"gid\": \"guid\"").replacing(
        "\"link\": \"link\"", with: "\"link\": \"li]\""))
    #expect(wrong.status != .done)
    let message = wrong.messages
    #expect(
      message.contains(
        "stores[0].mapping.entities.Channel.attributes.link: column 3 of the path 'li]': expected /"))
    #expect(
      message.contains(
        "stores[0].mapping.entities.Item.attributes.gid: Item has no stored attribute of that name."))
    let key = try run(text.replacing("\"records\": \"item\"", with: "\"record\": \"item\""))
    #expect(
      key.messages.contains(
        "stores[0].mapping.entities.Channel.relationships.items.record: the key is unknown"))
    let zone = try run(text.replacing("\"mapping\": {", with: "\"mapping\": {\"zone\": \"Mars\","))
    #expect(zone.messages.contains("stores[0].mapping.zone: 'Mars' is no time zone"))
    let type = try run(text.replacing("\"type\": \"xml\"", with: "\"type\": \"auto\""))
    #expect(type.messages.contains("takes no mapping"))
  }
}
