import Foundation
import TestSupport
import Testing

@Suite("Confinement")
struct ConfinementTests {
  /// What the compiler says of a client of the library, in the language mode that its users have.
  private static func complaints(about body: String) throws -> [String] {
    let folder = try TemporaryFolder()
    let file = folder.file("client.swift")
    try Data("import FederatedData\n\(body)\n".utf8).write(to: file)
    let built = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    let sources = TestFiles.package.appending(path: "Sources")
    let compiler = Process()
    compiler.executableURL = URL(filePath: "/usr/bin/env")
    compiler.arguments =
      [
        "swiftc", "-emit-sil", "-o", "/dev/null", "-swift-version", "6", "-I",
        built.appending(path: "Modules").path(),
      ]
      + ["CSQLite", "CXML2"].flatMap { ["-I", sources.appending(path: $0).path()] }
      + ["-I", "/usr/include/libxml2", "-module-cache-path", folder.file("cache").path(), file.path()]
    let messages = Pipe()
    compiler.standardError = messages
    try compiler.run()
    let text = String(decoding: messages.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    compiler.waitUntilExit()
    return text.split(separator: "\n").filter { $0.contains("error:") }.map(String.init)
  }

  @Test("what crosses by identifier, value and container compiles")
  func crossing() throws {
    let complaints = try Self.complaints(
      about: """
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
    let complaints = try Self.complaints(about: body)
    #expect(!complaints.isEmpty)
    #expect(complaints.allSatisfy { $0.contains("data race") || $0.contains("Sendable") }, "\(complaints)")
  }
}
