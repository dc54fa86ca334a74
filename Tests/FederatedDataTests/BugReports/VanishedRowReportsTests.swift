import FederatedData
import Foundation
import TestSupport
import Testing

@Suite("Bug reports: rows that another program deleted")
struct VanishedRowReportsTests {
  /// Who deletes the rows.
  enum Deleter: String, CaseIterable, Sendable {
    case library = "another coordinator"
    case shell = "the sqlite3 command"

    static let command = ["/usr/bin/sqlite3", "/usr/local/bin/sqlite3", "/bin/sqlite3"].first {
      FileManager.default.isExecutableFile(atPath: $0)
    }

    static var available: [Deleter] { self.command == nil ? [.library] : self.allCases }

    func deleteInfos(_ stack: TwoFileStack) throws {
      switch self {
      case .library:
        let context = try TwoFileStack.open(stack.folder).makeContext()
        for info in try context.fetch(FetchRequest("Info")) { context.delete(info) }
        try context.save()
      case .shell:
        let shell = Process()
        shell.executableURL = URL(filePath: try #require(Self.command))
        shell.arguments = [
          stack.folder.file("infos.sqlite").path(percentEncoded: false), "DELETE FROM ZINFO",
        ]
        try shell.run()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 0)
      }
    }
  }

  @Test(
    "BR-99: an element of a kept array whose row another process deleted is a typed error with its identifier, and a refresh heals",
    arguments: Deleter.available)
  func vanished(_ deleter: Deleter) throws {
    let stack = try TwoFileStack()
    try stack.fill([("Emma", "a")], [("a", "first"), ("a", "second")])
    let context = stack.container.makeContext()
    let book = try stack.books(in: context)[0]
    let infos = try book.fetched("info")
    #expect(infos.count == 2)
    try deleter.deleteInfos(stack)
    // What was fetched stays readable: nothing fails at random.
    #expect(try TwoFileStack.texts(infos) == ["first", "second"])
    for info in infos { context.refresh(info, mergeChanges: false) }
    #expect(try book.fetched("info") == infos)
    for info in infos {
      let error = #expect(throws: ManagedObjectError.self) { try info.value("text") }
      #expect(error?.code == .inaccessibleFault && error?.code.legacyCode == 133000)
      #expect(error?.object == info.objectID && error?.entity == "Info")
    }
    context.refresh(book, mergeChanges: true)
    #expect(try book.fetched("info").isEmpty)
    try context.save()
  }
}
