import FederatedData
import Foundation
import TestSupport
import Testing

/// Damaged, mislabelled and hostile files: one file is refused as a whole and with its place, the other store works on.
@Suite("Bug reports: broken files")
struct HostileFileReportsTests {
  private let folder: TemporaryFolder
  init() throws { self.folder = try TemporaryFolder() }

  private static func document(_ objects: String, declaration: String = "<?xml version=\"1.0\"?>") -> String {
    "\(declaration)\n<database>\n\(objects)</database>\n"
  }

  private static func book(_ id: Int, _ title: String) -> String {
    "<object type=\"BOOK\" id=\"z\(id)\"><attribute name=\"title\" type=\"string\">\(title)</attribute></object>\n"
  }

  private func write(_ text: String) throws { try Data(text.utf8).write(to: self.folder.file("books.xml")) }

  /// Opens the books for reading, and the infos to see that they are not concerned.
  private func open(_ change: (inout PersistentStoreDescription) -> Void = { _ in }) throws
    -> PersistentContainer
  {
    var books = PersistentStoreDescription(
      .xml, at: self.folder.file("books.xml"), name: "books", configuration: "Books", readOnly: true)
    books.ignoresModelVersion = true
    change(&books)
    return try PersistentContainer(model: TwoFileStack.model(), stores: [books], missingDestinations: .allow)
  }

  /// The error of the books; the infos are made, attached and asked beside it.
  private func refusal(_ place: SourceLocation = #_sourceLocation) throws -> StoreError {
    let coordinator = PersistentStoreCoordinator(model: try TwoFileStack.model())
    try coordinator.add(
      PersistentStoreDescription(.sqlite, at: self.folder.file("infos.sqlite"), configuration: "Infos"))
    let error = #expect(throws: StoreError.self, sourceLocation: place) {
      try coordinator.add(
        PersistentStoreDescription(
          .xml, at: self.folder.file("books.xml"), name: "books", configuration: "Books", readOnly: true))
    }
    #expect(coordinator.stores.count == 1, sourceLocation: place)
    let context = ManagedObjectContext(coordinator: coordinator)
    #expect(try context.count(for: FetchRequest("Info")) == 0, sourceLocation: place)
    return try #require(error, sourceLocation: place)
  }

  private func line(_ error: StoreError) -> Int? {
    if case .text(let line, _)? = error.place { line } else { nil }
  }

  @Test("a tag that is never closed is an error with its line, and no record before it is answered (BR-23)")
  func unclosed() throws {
    try self.write(
      Self.document(Self.book(1, "A") + Self.book(2, "B") + "<object type=\"BOOK\" id=\"z3\">\n"))
    let error = try self.refusal()
    #expect(error.code == .malformed && self.line(error) == 6, "\(error)")
  }

  @Test(
    "eleven million bytes of CDATA are an error that names line and limit, and not one record of three (BR-35)"
  )
  func longCDATA() throws {
    let long = "<![CDATA[\(String(repeating: "x", count: 11_000_000))]]>"
    try self.write(Self.document(Self.book(1, long) + Self.book(2, "B") + Self.book(3, "C")))
    let error = try self.refusal()
    #expect(error.code == .refusedContent && self.line(error) == 3, "\(error)")
    #expect(error.detail.contains("10000000"), "\(error)")
    try self.write(
      Self.document(
        Self.book(1, String(repeating: "x", count: 11_000_000)) + Self.book(2, "B") + Self.book(3, "C")))
    #expect(try self.open().makeContext().count(for: FetchRequest("Book")) == 3)
  }

  @Test(
    "UTF-8 that says to be UTF-16 is refused with both names, and read when the encoding is given (BR-37)")
  func mislabelled() throws {
    try self.write(
      Self.document(Self.book(1, "é"), declaration: "<?xml version=\"1.0\" encoding=\"UTF-16\"?>"))
    let error = try self.refusal()
    #expect(error.detail.contains("UTF-16") && error.detail.contains("UTF-8"), "\(error)")
    let context = try self.open { $0.encoding = "UTF-8" }.makeContext()
    #expect(try context.texts("title", of: "Book") == ["é"])
  }

  @Test(
    "a file that is in another encoding than it says can be read when that is given, and is not saved (BR-37)"
  )
  func mislabelledIsNotSaved() throws {
    let bytes = Data(Self.document(Self.book(1, "X")).utf8.map { $0 == UInt8(ascii: "X") ? 0xE9 : $0 })
    try bytes.write(to: self.folder.file("books.xml"))
    #expect(try self.refusal().detail.contains("windows-1252"))
    let context = try self.open {
      $0.encoding = "windows-1252"
      $0.isReadOnly = false
    }.makeContext()
    #expect(try context.texts("title", of: "Book") == ["é"])
    try context.insert("Book").set("title", to: "new")
    let error = #expect(throws: (any Error).self) { try context.save() }
    #expect("\(error as Any)".contains("windows-1252"), "\(error as Any)")
    #expect(try Data(contentsOf: self.folder.file("books.xml")) == bytes)
  }

  @Test("a character that XML has not is an error with its line, and not the records before it (BR-39)")
  func badCharacter() throws {
    let books = (1...5).map { Self.book($0, $0 == 2 ? "a\u{1C}b" : "c") }.joined()
    try self.write(Self.document(books))
    let error = try self.refusal()
    #expect(error.code == .malformed && self.line(error) == 4, "\(error)")
  }

  @Test("a control character is refused before the file is touched (BR-43)")
  func controlCharacter() throws {
    let stack = try TwoFileStack()
    try stack.fill([("A", "a")], [])
    let before = try FolderState(stack.folder.url)
    let context = stack.container.makeContext()
    try context.insert("Book").set("title", to: "a\u{FFFE}b")
    #expect(throws: (any Error).self) { try context.save() }
    #expect(try FolderState(stack.folder.url) == before)
    #expect(context.hasChanges)
  }

  @Test("external entities, parameter entities and external subsets are never read (BR-45)")
  func externalEntities() throws {
    let canary = self.folder.file("canary.txt")
    try Data("CANARY".utf8).write(to: canary)
    for (declarations, isAccepted) in [
      ("[<!ENTITY e SYSTEM \"\(canary.absoluteString)\">]", false),
      ("[<!ENTITY % e SYSTEM \"\(canary.absoluteString)\"> %e;]", false),
      ("SYSTEM \"\(canary.absoluteString)\"", true),
    ] {
      let title = isAccepted ? "A" : "&e;"
      try self.write(
        Self.document(
          Self.book(1, title), declaration: "<?xml version=\"1.0\"?><!DOCTYPE database \(declarations)>"))
      if isAccepted {
        #expect(try self.open().makeContext().texts("title", of: "Book") == ["A"])
      } else {
        let error = try self.refusal()
        #expect(error.code == .refusedContent && !error.description.contains("CANARY"), "\(error)")
      }
    }
  }

  @Test(
    "a database in write-ahead mode opens in a folder that cannot be written, and nothing is made there (BR-79)"
  )
  func readOnlyFolder() throws {
    let stack = try TwoFileStack()
    try stack.fill([], [("a", "one")])
    for store in stack.container.coordinator.stores { try stack.container.coordinator.remove(store) }
    let bundle = self.folder.file("bundle")
    try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
    let file = bundle.appending(path: "x.sqlite")
    try FileManager.default.copyItem(at: stack.folder.file("infos.sqlite"), to: file)
    // The header says write-ahead mode, and no log lies beside the file.
    #expect(try Array(Data(contentsOf: file)[18...19]) == [2, 2])
    let path = bundle.path(percentEncoded: false)
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: path)
    defer {
      do { try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path) } catch {
        Issue.record(error)
      }
    }
    let before = try FolderState(bundle)
    let container = try PersistentContainer(
      model: TwoFileStack.model(),
      stores: [PersistentStoreDescription(.sqlite, at: file, configuration: "Infos", readOnly: true)],
      missingDestinations: .allow)
    #expect(try container.makeContext().texts("text", of: "Info") == ["one"])
    #expect(try FileInspection(of: file).entities.map(\.rows) == [1])
    #expect(try FolderState(bundle) == before)
  }

  @Test(
    "a zeroed page, a cut file and a text in place of a database are damage, at opening or at the first read (BR-93)",
    arguments: ["page", "cut", "text"])
  func damagedDatabase(how: String) throws {
    let stack = try TwoFileStack()
    try stack.fill([("A", "a")], (0..<200).map { ("a", "text \($0)") })
    for store in stack.container.coordinator.stores { try stack.container.coordinator.remove(store) }
    let file = stack.folder.file("infos.sqlite")
    var bytes = try Data(contentsOf: file)
    switch how {
    case "page": for place in 4096..<(bytes.count) { bytes[place] = 0 }
    case "cut": bytes = bytes.prefix(100)
    default: bytes = Data("this is no database".utf8)
    }
    try bytes.write(to: file)
    let coordinator = PersistentStoreCoordinator(model: try TwoFileStack.model())
    try coordinator.add(
      PersistentStoreDescription(.xml, at: stack.folder.file("books.xml"), configuration: "Books"))
    let context = ManagedObjectContext(coordinator: coordinator)
    let error = #expect(throws: StoreError.self) {
      try coordinator.add(
        PersistentStoreDescription(.sqlite, at: file, configuration: "Infos", readOnly: true))
      _ = try context.fetch(FetchRequest("Info"))
    }
    #expect(error?.code == .malformed, "\(error as Any)")
    #expect(try context.texts("title", of: "Book") == ["A"])
  }
}
