import TestSupport
import Testing

/// What must not compile: snippets against the modules of this very build.
@Suite struct ConfinementTests {
  static let allowed = [
    """
    func use(_ coordinator: PersistentStoreCoordinator) async throws -> Int {
      try await Task.detached {
        let context = ManagedObjectContext(coordinator: coordinator)
        return try context.count(for: FetchRequest("Customer"))
      }.value
    }
    """,
    """
    func send(_ object: ManagedObject) async {
      let id = object.objectID
      await Task.detached { print(id) }.value
    }
    """,
  ]

  static let refused = [
    "a context to another task": """
    func hand(_ context: ManagedObjectContext) async {
      await Task.detached { _ = context.hasChanges }.value
    }
    """,
    "an object to another task": """
    func hand(_ object: ManagedObject) async {
      await Task.detached { _ = object.isFault }.value
    }
    """,
    "objects out of a task": """
    func fetch(_ coordinator: PersistentStoreCoordinator) async throws -> [ManagedObject] {
      try await Task.detached {
        try ManagedObjectContext(coordinator: coordinator).fetch(FetchRequest("Customer"))
      }.value
    }
    """,
    "a context that is used on both sides": """
    func share(_ coordinator: PersistentStoreCoordinator) async throws {
      let context = ManagedObjectContext(coordinator: coordinator)
      async let first = context.count(for: FetchRequest("Customer"))
      _ = try context.count(for: FetchRequest("Customer"))
      _ = try await first
    }
    """,
    "a context into an actor": """
    actor Keeper {
      var context: ManagedObjectContext?
      func keep(_ context: ManagedObjectContext) { self.context = context }
    }
    func hand(_ context: ManagedObjectContext, to keeper: Keeper) async { await keeper.keep(context) }
    """,
  ]

  @Test(
    "identifiers and coordinators may be handed to another task",
    .enabled(if: ClientCompiler.modules != nil, "the modules of this build are not beside the tests"),
    arguments: allowed)
  func compiles(_ code: String) throws {
    #expect(try self.errors(in: code) == [])
  }

  @Test(
    "NO-26: contexts and objects may not",
    .enabled(if: ClientCompiler.modules != nil, "the modules of this build are not beside the tests"),
    arguments: refused.sorted { $0.key < $1.key }.map(\.key))
  func refuses(_ what: String) throws {
    let errors = try self.errors(in: ConfinementTests.refused[what] ?? "")
    #expect(!errors.isEmpty)
    #expect(errors.allSatisfy { $0.contains("data race") || $0.contains("Sendable") }, "\(errors)")
  }

  private func errors(in code: String) throws -> [String] {
    try ClientCompiler.errors(in: "import FederatedModel\nimport FederatedRuntime\n\(code)")
  }
}
