import TestSupport
import Testing

/// What the container hands out stays where it is.
@Suite(
  "Confinement",
  .enabled(if: ClientCompiler.modules != nil, "the modules of this build are not beside the tests"))
struct ConfinementTests {
  @Test("identifiers and values cross from one context of a container to the next")
  func crossing() throws {
    let errors = try ClientCompiler.errors(
      in: """
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
    #expect(errors == [])
  }

  @Test(
    "an object does not leave its context, and no other context comes in",
    arguments: [
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
    let errors = try ClientCompiler.errors(in: "import FederatedData\n" + body)
    #expect(!errors.isEmpty)
    #expect(errors.allSatisfy { $0.contains("data race") || $0.contains("Sendable") }, "\(errors)")
  }
}
