import FederatedModel
import FederatedRuntime
import FederatedStore
import TestSupport
import Testing

@Suite("Rows by identifier over several stores")
struct CoordinatedRowsTests {
  @Test("rows come in the order asked, one query for each store, nil where there is none")
  func mixed() throws {
    let stores = try NoteStores([("a", 1), ("b", 2)], [("c", 3)])
    let read = stores.coordinator.beginRead()
    defer { read.end() }
    let identities = try read.identities(stores.request())
    for spy in stores.spies { spy.forgetCalls() }
    let gone = ManagedObjectID(store: stores.spies[0].id, entity: stores.note, reference: 999)
    let detached = ManagedObjectID(store: StoreID(9999), entity: stores.note, reference: 1)
    let asked = [
      identities[2], gone, identities[0], .temporary(stores.note), detached, identities[1], identities[0],
    ]
    let rows = try read.rows(for: asked)
    #expect(
      rows.map { $0?.reference } == [
        identities[2].reference, nil, identities[0].reference, nil, nil, identities[1].reference,
        identities[0].reference,
      ])
    #expect(stores.spies.map { $0.calls.queries.count } == [1, 1])
    #expect(try read.rows(for: []).isEmpty)
  }

  @Test("rows of several entities of one hierarchy come by one query, each with its own entity")
  func hierarchy() throws {
    let model = try RouterModels.office()
    let coordinator = PersistentStoreCoordinator(model: model)
    let description = PersistentStoreDescription(.spying(on: .inMemory), at: nil, configuration: "People")
    let spy = try #require(try coordinator.add(description) as? SpyStore)
    var changes = ChangeSet()
    var identifiers: [ManagedObjectID] = []
    for name in ["Person", "Manager"] {
      let entity = try model.id(name)
      let reference = try coordinator.reserveIdentifiers(in: spy.id, for: entity, count: 1).lowerBound
      var builder = RowBlockBuilder(layout: model[entity].layout)
      builder.beginRow(reference: reference, version: 1)
      changes.inserted.append(builder.finish())
      identifiers.append(ManagedObjectID(store: spy.id, entity: entity, reference: reference))
    }
    try coordinator.save([spy.id: changes], save: SaveIdentifier())
    spy.forgetCalls()
    let read = coordinator.beginRead()
    defer { read.end() }
    #expect(try read.rows(for: identifiers).map { $0?.entity } == identifiers.map(\.entity))
    #expect(spy.calls.queries.count == 1)
    let wrongEntity = ManagedObjectID(
      store: spy.id, entity: identifiers[1].entity, reference: identifiers[0].reference)
    #expect(try read.rows(for: [wrongEntity])[0] == nil, "an identifier keeps its concrete entity (A2.31)")
  }

  @Test("destinations of owners in several stores come in the owners' order, one look-up for each store")
  func related() throws {
    let model = try RouterModels.office()
    let coordinator = PersistentStoreCoordinator(model: model)
    let person = try model.id("Person")
    let team = try model.id("Team")
    let slot = try #require(model[person].relationship(named: "team")?.slot)
    var owners: [ManagedObjectID] = []
    var spies: [SpyStore] = []
    for name in ["one", "two"] {
      var description = PersistentStoreDescription(.spying(on: .inMemory), at: nil, configuration: "People")
      description.name = name
      let spy = try #require(try coordinator.add(description) as? SpyStore)
      var teams = RowBlockBuilder(layout: model[team].layout)
      var people = RowBlockBuilder(layout: model[person].layout)
      let teamReferences = try coordinator.reserveIdentifiers(in: spy.id, for: team, count: 2)
      for (count, reference) in zip([1, 2], teamReferences) {
        teams.beginRow(reference: reference, version: 1)
        owners.append(ManagedObjectID(store: spy.id, entity: team, reference: reference))
        for member in try coordinator.reserveIdentifiers(in: spy.id, for: person, count: count) {
          people.beginRow(reference: member, version: 1)
          people.set(reference: reference, entity: team, at: slot)
        }
      }
      var changes = ChangeSet()
      changes.inserted = [teams.finish(), people.finish()]
      try coordinator.save([spy.id: changes], save: SaveIdentifier())
      spy.forgetCalls()
      spies.append(spy)
    }
    let read = coordinator.beginRead()
    defer { read.end() }
    let members = try model.relationship("members", of: "Team")
    let asked = [owners[3], owners[0], owners[2], owners[1]]
    let related = try read.related(members, of: asked)
    #expect(related.count == 4)
    #expect((0..<4).map { related[$0].count } == [2, 1, 1, 2])
    for number in 0..<4 { #expect(related[number].allSatisfy { $0.store == asked[number].store }) }
    #expect(spies.map { $0.calls.related.map(\.owners) } == [[2], [2]])
    #expect(try read.related(members, of: []).count == 0)
  }
}
