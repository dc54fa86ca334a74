import FederatedData
import FederatedStore
import Foundation
import TestSupport
import Testing

/// Relationships of a mapped document that only one end tells.
@Suite("A link that a document tells at one end")
struct OneSidedLinkTests {
  let folder: TemporaryFolder
  let file: URL

  init() throws {
    self.folder = try TemporaryFolder()
    self.file = self.folder.file("teams.xml")
    try self.write(
      #"<team id="a" badge="x"><m ref="p"/><m ref="q"/></team>"# + "\n  "
        + #"<team id="b"><m ref="r"/></team>"#)
  }

  private func write(_ teams: String) throws {
    let text = """
      <all>
        \(teams)
        <person id="p"/><person id="q"/><person id="r"/><person id="s"/>
        <badge id="x"/><badge id="y"/>
      </all>

      """
    try Data(text.utf8).write(to: self.file)
  }

  private static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel {
      EntityDescription("Team") {
        AttributeDescription("id", .string)
        RelationshipDescription("members", to: "Person", .many, inverse: "team")
        RelationshipDescription("badge", to: "Badge", .one, inverse: "team")
      }
      EntityDescription("Person") {
        AttributeDescription("id", .string)
        RelationshipDescription("team", to: "Team", .one, inverse: "members")
      }
      EntityDescription("Badge") {
        AttributeDescription("id", .string)
        RelationshipDescription("team", to: "Team", .one, inverse: "badge")
      }
    }
  }

  private func makeContext(_ loading: XMLLoading = .resident) throws -> ManagedObjectContext {
    var description = PersistentStoreDescription(.xml, at: self.file, readOnly: loading == .streamed)
    description.mapping = XMLMapping(
      entities: [
        "Team": XMLEntityMapping(
          records: "/all/team", key: ["id"], attributes: ["id": "@id"],
          relationships: ["members": .reference("m/@ref"), "badge": .reference("@badge")]),
        "Person": XMLEntityMapping(records: "/all/person", key: ["id"], attributes: ["id": "@id"]),
        "Badge": XMLEntityMapping(records: "/all/badge", key: ["id"], attributes: ["id": "@id"]),
      ], loading: loading)
    return try PersistentContainer(model: try Self.model(), stores: [description]).makeContext()
  }

  private func ids(_ request: FetchRequest, in context: ManagedObjectContext) throws -> [String] {
    try context.fetch(request).map { try $0.value("id").description }.sorted()
  }

  private func members(_ context: ManagedObjectContext) throws -> [String: [String]] {
    var members: [String: [String]] = [:]
    for team in try context.fetch(FetchRequest("Team")) {
      members[try team.value("id").description] = try team.objects("members").map {
        try $0.value("id").description
      }.sorted()
    }
    return members
  }

  @Test("the other end is known too, in memory and streamed", arguments: XMLLoading.allCases)
  func otherEnd(loading: XMLLoading) throws {
    let context = try self.makeContext(loading)
    #expect(try self.members(context) == [#""a""#: [#""p""#, #""q""#], #""b""#: [#""r""#]])
    #expect(
      try self.ids(FetchRequest("Person", where: "team.id == 'a'"), in: context) == [#""p""#, #""q""#])
    #expect(try self.ids(FetchRequest("Person", where: "team == nil"), in: context) == [#""s""#])
    #expect(try self.ids(FetchRequest("Badge", where: "team.id == 'a'"), in: context) == [#""x""#])
    #expect(try self.ids(FetchRequest("Team", where: "badge == nil"), in: context) == [#""b""#])
    #expect(try self.ids(FetchRequest("Team", where: "ANY members.id == 'r'"), in: context) == [#""b""#])
  }

  @Test("a link is moved from the end that the document does not tell")
  func moving() throws {
    let context = try self.makeContext()
    let teams = try context.fetch(FetchRequest("Team", where: "id == 'b'"))
    let person = try #require(try context.fetch(FetchRequest("Person", where: "id == 'q'")).first)
    #expect(teams.count == 1)
    try person.set("team", to: teams.first)
    try context.save()
    let text = try String(contentsOf: self.file, encoding: .utf8)
    #expect(text.contains(#"<team id="a" badge="x"><m ref="p"/></team>"#), "\(text)")
    let fresh = try self.makeContext()
    #expect(try self.members(fresh) == [#""a""#: [#""p""#], #""b""#: [#""q""#, #""r""#]])
  }

  @Test("two owners of one destination are refused with both lines", arguments: XMLLoading.allCases)
  func twoOwners(loading: XMLLoading) throws {
    try self.write(#"<team id="a"><m ref="p"/></team>"# + "\n  " + #"<team id="b"><m ref="p"/></team>"#)
    let error = #expect(throws: StoreError.self) {
      let context = try self.makeContext(loading)
      _ = try self.ids(FetchRequest("Person", where: "team.id == 'a'"), in: context)
    }
    #expect(error?.code == .malformed)
    #expect(error?.place == .text(line: 3, column: 0))
    #expect(
      error?.detail.contains("the record of line 2 has the same destination") == true,
      "\(error?.detail ?? "")")
  }
}
