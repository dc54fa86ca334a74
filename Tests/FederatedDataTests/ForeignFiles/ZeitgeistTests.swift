import FederatedData
import Foundation
import TestSupport
import Testing

/// An event log of the corpus: a table whose key no declaration keeps unique, a view, dates in milliseconds.
@Suite("Foreign SQLite: Zeitgeist", .enabled(if: TestFiles.corpus != nil, "no corpus beside the package"))
struct ZeitgeistTests {
  let container: PersistentContainer

  init() throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Event",
        properties: [
          AttributeDescription("date", .date),
          RelationshipDescription("actor", to: "Actor", inverse: "events"),
          RelationshipDescription("subject", to: "Resource"),
        ]),
      EntityDescription(
        "Actor",
        properties: [
          AttributeDescription("value", .string),
          RelationshipDescription("events", to: "Event", .many, inverse: "actor"),
        ]),
      EntityDescription("Resource", properties: [AttributeDescription("value", .uri)]),
      EntityDescription(
        "Seen", properties: [AttributeDescription("address", .string, optional: true)]),
      EntityDescription(
        "Version",
        properties: [AttributeDescription("schema", .string), AttributeDescription("number", .integer64)]),
    ])
    let corpus = try #require(TestFiles.corpus)
    var log = PersistentStoreDescription(
      .sqlite, at: corpus.appending(path: "foreign/zeitgeist_activity.sqlite"), readOnly: true)
    log.mapping = SQLiteMapping(entities: [
      "Event": SQLiteEntityMapping(
        table: "event", key: ["id"],
        attributes: ["date": SQLiteAttributeMapping("timestamp", format: .unixMilliseconds)],
        relationships: ["actor": .columns(["actor"]), "subject": .columns(["subj_id"])]),
      "Actor": SQLiteEntityMapping(table: "actor", attributes: ["value": "value"]),
      "Resource": SQLiteEntityMapping(table: "uri", attributes: ["value": "value"]),
      "Seen": SQLiteEntityMapping(table: "event_view", key: ["id"], attributes: ["address": "subj_uri"]),
      "Version": SQLiteEntityMapping(
        table: "schema_version", attributes: ["schema": "schema", "number": "version"]),
    ])
    self.container = try PersistentContainer(model: model, stores: [log])
  }

  @Test("events, their actors and subjects are what the facts say, and the view agrees")
  func reading() throws {
    let context = self.container.makeContext()
    let events = try context.fetch(FetchRequest("Event"))
    #expect(events.count == 44)
    #expect(try context.count(for: FetchRequest("Resource")) == 21)
    guard case .date(let first) = try events[0].value("date") else {
      Issue.record("no date")
      return
    }
    #expect(Int((first.timeIntervalSince1970 * 1000).rounded()) == 1_382_431_999_477)
    #expect(try events.filter { try $0.object("actor") != nil }.count == 44)
    let actors = try context.fetch(FetchRequest("Actor"))
    #expect(try actors.reduce(0) { try $0 + $1.objects("events").count } == 44)
    for event in events {
      let uri = self.container.coordinator.uriString(for: event.objectID).replacing("/Event/", with: "/Seen/")
      let place = try #require(URL(string: uri))
      let seen = try #require(try context.existingObject(for: place))
      let address = try event.object("subject")?.value("value")
      let shown = try seen.value("address")
      if case .uri(let text)? = address { #expect(shown == .string(text)) } else { #expect(shown == .null) }
    }
  }

  @Test("a table of a text key answers by it")
  func textKey() throws {
    let context = self.container.makeContext()
    let versions = try context.fetch(FetchRequest("Version", where: "schema == 'core'"))
    #expect(try versions.map { try $0.value("number") } == [.int(6)])
    #expect(self.container.coordinator.uriString(for: versions[0].objectID).hasSuffix("/Version/pcore"))
  }
}
