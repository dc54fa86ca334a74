import FederatedModel
import FederatedRuntime
import Testing

@Suite("Objects that relationships tie together")
struct StoreRouterTiesTests {
  let model: ManagedObjectModel
  let crm = StoreID(911)
  let ledger = StoreID(912)
  let team: RelationshipID
  let person: EntityID
  let teamEntity: EntityID

  init() throws {
    self.model = try RouterModels.office()
    self.team = try self.model.relationship("team", of: "Person")
    self.person = try self.model.id("Person")
    self.teamEntity = try self.model.id("Team")
  }

  private func router(ledgerWritable: Bool = true) throws -> StoreRouter {
    try StoreRouter(model: self.model)
      .adding(self.crm, name: "crm", configuration: nil, isWritable: true)
      .adding(self.ledger, name: "ledger", configuration: nil, isWritable: ledgerWritable)
  }

  @Test("PS-49: an unassigned object follows the assigned one that it is tied to, in either direction")
  func follows() throws {
    let teamID = ManagedObjectID.temporary(self.teamEntity)
    for assigned in [self.crm, self.ledger] {
      let person = NewObject(.temporary(self.person), assigned: assigned, ties: [.init(self.team, teamID)])
      #expect(try self.router().stores(forNew: [NewObject(teamID), person]) == [assigned, assigned])
      #expect(try self.router().stores(forNew: [person, NewObject(teamID)]) == [assigned, assigned])
    }
  }

  @Test("A2.9: a chain of new objects goes to one store, however long")
  func chain() throws {
    let teams = (0..<5).map { _ in ManagedObjectID.temporary(self.teamEntity) }
    var objects = teams.map { NewObject($0) }
    for (left, right) in zip(teams, teams.dropFirst()) {
      objects.append(
        NewObject(.temporary(self.person), ties: [.init(self.team, left), .init(self.team, right)]))
    }
    objects[3].assigned = self.ledger
    objects.append(NewObject(.temporary(self.person)))
    let stores = try self.router().stores(forNew: objects)
    #expect(stores.dropLast().allSatisfy { $0 == self.ledger })
    #expect(stores.last == self.crm)
  }

  @Test("PS-50: a saved neighbour pins the store")
  func pinned() throws {
    let saved = ManagedObjectID(store: self.ledger, entity: self.teamEntity, reference: 7)
    let person = NewObject(.temporary(self.person), ties: [.init(self.team, saved)])
    #expect(try self.router().stores(forNew: [person]) == [self.ledger])
  }

  @Test(
    "PS-51, PS-53: tied objects assigned to different stores are refused by both names, untied ones are not")
  func refused() throws {
    let teamID = ManagedObjectID.temporary(self.teamEntity)
    let team = NewObject(teamID, assigned: self.ledger)
    var person = NewObject(.temporary(self.person), assigned: self.crm, ties: [.init(self.team, teamID)])
    let error = #expect(throws: CoordinatorError.self) { try self.router().stores(forNew: [person, team]) }
    #expect(error?.code == .objectsInDifferentStores)
    #expect(error?.code.legacyCode == 133010)
    #expect(error?.property == "team")
    for word in ["crm", "ledger", "fetched property", "Person", "Team"] {
      #expect(error?.detail.contains(word) == true, "\(word)")
    }
    person.ties = []
    #expect(try self.router().stores(forNew: [person, team]) == [self.crm, self.ledger])
  }

  @Test("A3.2: three objects without a common store are all named")
  func threeWays() throws {
    let model = self.model
    let people = StoreID(921)
    let router = try StoreRouter(model: model)
      .adding(self.crm, name: "crm", configuration: nil, isWritable: true)
      .adding(people, name: "people", configuration: "PersonAlone", isWritable: true)
    let saved = ManagedObjectID(store: people, entity: self.person, reference: 1)
    let members = try model.relationship("members", of: "Team")
    let team = NewObject(.temporary(self.teamEntity), ties: [.init(members, saved)])
    let error = #expect(throws: CoordinatorError.self) { try router.stores(forNew: [team]) }
    #expect(error?.code == .objectsInDifferentStores)
    #expect(error?.detail.contains("people") == true)
  }

  @Test("a saved neighbour in a read-only store takes no new object")
  func pinnedReadOnly() throws {
    let saved = ManagedObjectID(store: self.ledger, entity: self.teamEntity, reference: 7)
    let person = NewObject(.temporary(self.person), ties: [.init(self.team, saved)])
    let error = #expect(throws: CoordinatorError.self) {
      try self.router(ledgerWritable: false).stores(forNew: [person])
    }
    #expect(error?.code == .objectsInDifferentStores)
  }

  @Test("A3.2: two saved rows of different stores are not tied")
  func savedRows() throws {
    let router = try self.router()
    let team = ManagedObjectID(store: self.ledger, entity: self.teamEntity, reference: 7)
    let person = ManagedObjectID(store: self.crm, entity: self.person, reference: 7)
    let error = #expect(throws: CoordinatorError.self) {
      try router.checkTie(self.team, from: person, to: team)
    }
    #expect(error?.code == .objectsInDifferentStores)
    #expect(throws: Never.self) {
      try router.checkTie(
        self.team, from: person, to: ManagedObjectID(store: self.crm, entity: self.teamEntity, reference: 7))
    }
  }
}
