import FederatedModel
import FederatedRuntime
import Testing

@Suite("Store router")
struct StoreRouterTests {
  let crm = StoreID(901)
  let ledger = StoreID(902)

  private func router(
    _ stores: (StoreID, String, String?, writable: Bool)...
  ) throws -> StoreRouter {
    var router = StoreRouter(model: try RouterModels.office())
    for (id, name, configuration, writable) in stores {
      router = try router.adding(id, name: name, configuration: configuration, isWritable: writable)
    }
    return router
  }

  @Test("PS-02: a store without a configuration holds every entity")
  func nilConfiguration() throws {
    let router = try self.router((self.crm, "crm", nil, writable: true))
    for entity in router.model.entities {
      #expect(router.writers(of: entity.id) == [self.crm], "\(entity.name)")
    }
  }

  @Test("PS-03: each entity is written to the store whose configuration has it")
  func namedConfigurations() throws {
    let router = try self.router(
      (self.crm, "crm", "People", writable: true), (self.ledger, "ledger", "Notes", writable: true))
    #expect(router.writers(of: try router.model.id("Person")) == [self.crm])
    #expect(router.writers(of: try router.model.id("Note")) == [self.ledger])
  }

  @Test("an unknown configuration is refused, and the known ones are named")
  func unknownConfiguration() throws {
    let error = #expect(throws: CoordinatorError.self) {
      try self.router((self.crm, "crm", "Peopel", writable: true))
    }
    #expect(error?.code == .unknownConfiguration)
    #expect(error?.store == "crm")
    #expect(error?.detail.contains("People, Managers") == true)
  }

  @Test(
    "PS-14: a store that holds only a subentity is read for its parent, not when subentities are left out")
  func readersOfParent() throws {
    let router = try self.router((self.crm, "crm", "Managers", writable: true))
    let person = try router.model.id("Person")
    #expect(router.readers(of: person, includingSubentities: true) == [self.crm])
    #expect(router.readers(of: person, includingSubentities: false).isEmpty)
    #expect(router.writers(of: person).isEmpty)
  }

  @Test("PS-05: an insert skips a read-only store that was added first")
  func readOnlySkipped() throws {
    let router = try self.router(
      (self.crm, "crm", nil, writable: false), (self.ledger, "ledger", nil, writable: true))
    let note = try router.model.id("Note")
    #expect(try router.stores(forNew: [NewObject(.temporary(note))]) == [self.ledger])
    #expect(router.readers(of: note, includingSubentities: true) == [self.crm, self.ledger])
  }

  @Test("PS-06, A2.6, BR-11: an assigned store wins over the first one")
  func assigned() throws {
    let router = try self.router(
      (self.crm, "crm", nil, writable: true), (self.ledger, "ledger", nil, writable: true))
    let note = try router.model.id("Note")
    let stores = try router.stores(
      forNew: [NewObject(.temporary(note)), NewObject(.temporary(note), assigned: self.ledger)])
    #expect(stores == [self.crm, self.ledger])
  }

  @Test("PS-01: without a store, or with a read-only one alone, a new object has nowhere to go")
  func nowhere() throws {
    let none = try self.router()
    let note = try none.model.id("Note")
    let error = #expect(throws: CoordinatorError.self) {
      try none.stores(forNew: [NewObject(.temporary(note))])
    }
    #expect(error?.code == .noStoreForEntity)
    #expect(error?.entity == "Note")

    let readOnly = try self.router((self.crm, "crm", nil, writable: false))
    let second = #expect(throws: CoordinatorError.self) {
      try readOnly.stores(forNew: [NewObject(.temporary(note))])
    }
    #expect(second?.code == .noStoreForEntity)
    #expect(second?.detail.contains("crm") == true)
  }

  @Test("PS-07, A2.8: assignment is checked at once")
  func assignmentChecks() throws {
    let router = try self.router(
      (self.crm, "crm", "People", writable: true), (self.ledger, "ledger", "Notes", writable: false))
    let note = try router.model.id("Note")
    let cases: [(ManagedObjectID, StoreID, CoordinatorError.Code)] = [
      (.temporary(note), self.crm, .entityNotInStore),
      (ManagedObjectID(store: self.ledger, entity: note, reference: 1), self.crm, .alreadyStored),
      (.temporary(note), self.ledger, .readOnlyStore),
      (.temporary(note), StoreID(999), .unknownStore),
    ]
    for (object, store, code) in cases {
      let error = #expect(throws: CoordinatorError.self) { try router.checkAssignment(of: object, to: store) }
      #expect(error?.code == code)
    }
    #expect(throws: Never.self) {
      try router.checkAssignment(of: .temporary(try router.model.id("Person")), to: self.crm)
    }
  }
}
