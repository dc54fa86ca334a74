import FederatedModel
import FederatedRuntime
import FederatedStore
import TestSupport
import Testing

@Suite("A sort along a path over several stores")
struct CoordinatedSortTests {
  /// Persons and their teams in two stores; the names are of the teams.
  private func stores(_ teams: [[String?]]) throws -> (PersistentStoreCoordinator, [SpyStore]) {
    let model = try RouterModels.office()
    let coordinator = PersistentStoreCoordinator(model: model)
    let person = model[try model.id("Person")]
    let team = model[try model.id("Team")]
    let link = try #require(person.relationship(named: "team")?.slot)
    let name = try #require(team.attribute(named: "name")?.slot)
    var spies: [SpyStore] = []
    for (number, names) in teams.enumerated() {
      var description = PersistentStoreDescription(.spying(on: .inMemory), at: nil, configuration: "People")
      description.name = "store \(number)"
      let spy = try #require(try coordinator.add(description) as? SpyStore)
      var people = RowBlockBuilder(layout: person.layout)
      var rows = RowBlockBuilder(layout: team.layout)
      for text in names {
        let own = try coordinator.reserveIdentifiers(in: spy.id, for: person.id, count: 1).lowerBound
        people.beginRow(reference: own, version: 1)
        guard let text else { continue }
        let other = try coordinator.reserveIdentifiers(in: spy.id, for: team.id, count: 1).lowerBound
        rows.beginRow(reference: other, version: 1)
        rows.set(string: text, at: name)
        people.set(reference: other, entity: team.id, at: link)
      }
      var changes = ChangeSet()
      changes.inserted = [rows.finish(), people.finish()]
      try coordinator.save([spy.id: changes], save: SaveIdentifier())
      spy.forgetCalls()
      spies.append(spy)
    }
    return (coordinator, spies)
  }

  @Test("F28, F32: what the path leads to decides, over all stores; a person without a team comes first")
  func byTeam() throws {
    let (coordinator, spies) = try self.stores([["d", "a", nil], ["c", "b"]])
    let model = coordinator.model
    let person = model[try model.id("Person")]
    let sort = try FetchSortDescriptor("team.name").bound(to: person, in: model)
    let read = coordinator.beginRead()
    defer { read.end() }
    let rows = try read.fetch(BoundRequest(person.id, order: [sort]))
    let link = try #require(person.relationship(named: "team")?.slot)
    let name = try #require(model.entity(named: "Team")?.attribute(named: "name")?.slot)
    let names = try rows.map { row -> String? in
      guard let team = row.snapshot.destination(link) else { return nil }
      let id = ManagedObjectID(store: row.store, entity: team.entity, reference: team.reference)
      return try read.rows(for: [id])[0]?.string(name)
    }
    #expect(names == [nil, "a", "b", "c", "d"])
    // The rows of a request, those that its path leads to, and one for each team that the test itself asked for.
    #expect(spies.map { $0.calls.queries.count } == [2 + 2, 2 + 2])
  }
}
