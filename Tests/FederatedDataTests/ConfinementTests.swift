import Testing

@Suite("Confinement")
struct ConfinementTests {
  @Test("what crosses by identifier, value and container compiles")
  func crossing() throws {
    let complaints = try ClientCompiler.complaints(
      about: """
        import FederatedData

        func copy(_ container: PersistentContainer) async throws -> [Value] {
          let ids = try await container.withContext { context in
            try context.fetch(FetchRequest("Item")).map(\\.objectID)
          }
          return try await container.withContext { context in
            try ids.map { try context.existingObject(with: $0).value("name") }
          }
        }
        """)
    #expect(complaints == [])
  }

  @Test(
    "handing a context or an object to another task does not compile",
    arguments: [
      "func f(_ context: ManagedObjectContext) { Task.detached { _ = context.hasChanges } }",
      "func f(_ object: ManagedObject) { Task.detached { _ = object.isFault } }",
      """
      func f(_ container: PersistentContainer) async throws -> ManagedObject {
        try await container.withContext { context in try context.insert("Item") }
      }
      """,
      """
      func f(_ container: PersistentContainer) async throws {
        let context = container.makeContext()
        try await container.withContext { _ in _ = context.hasChanges }
      }
      """,
    ])
  func handing(body: String) throws {
    let complaints = try ClientCompiler.complaints(about: "import FederatedData\n" + body)
    #expect(!complaints.isEmpty)
    #expect(complaints.allSatisfy { $0.contains("data race") || $0.contains("Sendable") }, "\(complaints)")
  }
}
