import Foundation
import TestSupport
import Testing

/// What must not compile: snippets against the modules of this very build.
@Suite struct ConfinementTests {
  private static let modules: URL? = {
    let candidates = sequence(first: Bundle.main.bundleURL.absoluteURL) { url in
      url.path(percentEncoded: false) == "/" ? nil : url.deletingLastPathComponent()
    }
    return candidates.map { $0.appending(path: "Modules") }.first { folder in
      FileManager.default.fileExists(
        atPath: folder.appending(path: "FederatedRuntime.swiftmodule").path(percentEncoded: false))
    }
  }()

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
    .enabled(if: modules != nil, "the modules of this build are not beside the tests"), arguments: allowed)
  func compiles(_ code: String) throws {
    #expect(try self.messages(of: code) == "")
  }

  @Test(
    "NO-26: contexts and objects may not",
    .enabled(if: modules != nil, "the modules of this build are not beside the tests"),
    arguments: refused.sorted { $0.key < $1.key }.map(\.key))
  func refuses(_ what: String) throws {
    let messages = try self.messages(of: ConfinementTests.refused[what] ?? "")
    #expect(messages.contains("error:"))
    #expect(messages.contains("data race") || messages.contains("Sendable"), "\(messages)")
  }

  /// What the compiler says of a snippet.
  private func messages(of code: String) throws -> String {
    let folder = try TemporaryFolder()
    let file = folder.file("snippet.swift")
    try Data("import FederatedModel\nimport FederatedRuntime\n\(code)\n".utf8).write(to: file)
    let output = folder.file("messages.txt")
    try Data().write(to: output)
    let compiler = Process()
    compiler.executableURL = URL(filePath: "/usr/bin/env")
    compiler.arguments = [
      "swiftc", "-emit-sil", "-parse-as-library", "-o", "/dev/null", "-swift-version", "6", "-I",
      ConfinementTests.modules?.path(percentEncoded: false) ?? "", file.path(percentEncoded: false),
    ]
    let handle = try FileHandle(forWritingTo: output)
    compiler.standardError = handle
    compiler.standardOutput = handle
    try compiler.run()
    compiler.waitUntilExit()
    let text = String(decoding: try Data(contentsOf: output), as: UTF8.self)
    return compiler.terminationStatus == 0 ? text : "error: \(text)"
  }
}
