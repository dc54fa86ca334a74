import FederatedData
import Foundation
import TestSupport
import Testing

/// The built command over hostile files, with a second of processor time and 50 MB of memory that the shell enforces.
@Suite("Hostile files, by the built command")
struct HostileFileTests {
  private let folder: TemporaryFolder
  init() throws { self.folder = try TemporaryFolder() }

  private static let tool = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(
    path: "federate")

  /// Runs a line of the shell inside the limits.
  private func run(_ line: String) throws -> (status: Int32, text: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", "ulimit -t 1 -d 51200; \(line)"]
    process.currentDirectoryURL = self.folder.url
    process.environment = ["PATH": "/usr/bin:/bin", "FEDERATE": Self.tool.path(percentEncoded: false)]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let text = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: text, as: UTF8.self))
  }

  private func write(_ name: String, _ text: String) throws {
    let url = self.folder.file(name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  @Test("the shell does enforce its limits")
  func limits() throws {
    let memory = try self.run("head -c 200000000 /dev/zero | tail -c 150000000 | wc -c")
    #expect(!memory.text.hasPrefix("150000000\n"), "\(memory)")
    let time = try self.run("while :; do :; done")
    #expect(time.status != 0)
  }

  private static let levels = (1..<40).map { "<!ENTITY a\($0) \"&a\($0 - 1);&a\($0 - 1);\">" }.joined()
  private static let long = String(repeating: "x", count: 100_000)
  private static let many = String(repeating: "&e;", count: 100_000)

  /// What a document's type declaration may do, and what its text then says.
  static let bombs: [(name: String, declaration: String, text: String)] = [
    ("entity bomb", "<!DOCTYPE database [<!ENTITY a0 \"ha\">\(levels)]>", "&a39;"),
    ("entity bomb in an attribute", "<!DOCTYPE database [<!ENTITY a0 \"ha\">\(levels)]>", "<b c=\"&a39;\"/>"),
    ("quadratic blow-up", "<!DOCTYPE database [<!ENTITY e \"\(long)\">]>", many),
    (
      "bomb of parameter entities",
      "<!DOCTYPE database [<!ENTITY % a '\(long)'><!ENTITY % b '%a;%a;'>%b;]>", ""
    ),
    ("entity that holds itself", "<!DOCTYPE database [<!ENTITY e \"&f;\"><!ENTITY f \"&e;\">]>", "&e;"),
    ("depth", "", String(repeating: "<a>", count: 1_000_000)),
    ("attributes", "", "<a \((0..<100_000).map { "b\($0)=\"\"" }.joined(separator: " "))/>"),
  ]

  @Test(
    "a bomb is refused within a second and 50 MB by every reader of XML: inspect, fetch, model (BR-45)",
    arguments: bombs.indices)
  func refusesBombs(index: Int) throws {
    let bomb = Self.bombs[index]
    try ModelFile.save(
      ModelDraft { EntityDescription("Item") { AttributeDescription("text", .string, optional: true) } },
      at: self.folder.file("M.xcdatamodeld"))
    try self.write(
      "store.xml",
      "<?xml version=\"1.0\"?>\n\(bomb.declaration)<database><databaseInfo>\(bomb.text)</database>")
    try self.write(
      "Bomb.xcdatamodel/contents",
      bomb.declaration.replacing("DOCTYPE database", with: "DOCTYPE model") + "<model>\(bomb.text)</model>")
    for line in [
      "inspect store.xml", "fetch Item --model M.xcdatamodeld --store xml=store.xml,readonly",
      "model show Bomb.xcdatamodel", "inspect Bomb.xcdatamodel",
    ] {
      let run = try self.run("\"$FEDERATE\" \(line)")
      let isOther = run.text.hasPrefix("store.xml: none of these")
      #expect(run.status == (isOther ? 0 : 1), "\(line): \(run.text.prefix(500))")
      #expect(run.text.contains(/(store.xml|contents):[12]:\d+:\ /), "\(line): \(run.text.prefix(500))")
      #expect(run.text.utf8.count < 2000)
    }
  }

  @Test("a file that a document names is not opened: nothing of it is shown, and its absence is not noticed")
  func files() throws {
    try self.write("canary.txt", "CANARY")
    let folder = self.folder.url.absoluteString
    var answers: [String: [String]] = [:]
    for name in ["canary.txt", "absent.txt"] {
      for (declaration, text) in [
        ("[<!ENTITY e SYSTEM \"\(folder)\(name)\">]", "&e;"), ("SYSTEM \"\(folder)\(name)\"", "a"),
        ("[<!ENTITY % e SYSTEM \"\(folder)\(name)\"> %e;]", "a"), ("SYSTEM \"\(folder)\(name)\"", "&e;"),
      ] {
        try self.write("store.xml", "<!DOCTYPE database \(declaration)><database>\(text)</database>")
        let run = try self.run("\"$FEDERATE\" inspect store.xml")
        #expect(!run.text.contains("CANARY"), "\(run.text)")
        // Positions count the letters of the names, which are as many in both.
        answers[name, default: []].append(run.text)
      }
    }
    #expect(answers["canary.txt"] == answers["absent.txt"])
    #expect(answers["canary.txt"]?.count == 4)
  }

  @Test("no connection is made to an address that a document names")
  func network() throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #expect(listener >= 0)
    defer { close(listener) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && listen(listener, 8) == 0 && getsockname(listener, $0, &size) == 0
      }
    }
    #expect(bound)
    let place = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/x"
    let isAsked = {
      var waiting = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
      return poll(&waiting, 1, 0) == 1
    }
    for declaration in [
      "SYSTEM \"\(place)\"", "[<!ENTITY e SYSTEM \"\(place)\">]", "[<!ENTITY % e SYSTEM \"\(place)\"> %e;]",
    ] {
      try self.write("store.xml", "<!DOCTYPE database \(declaration)><database>&e;</database>")
      let run = try self.run("\"$FEDERATE\" inspect store.xml")
      #expect(run.text.hasPrefix("store.xml: none of these"), "\(run.text)")
      #expect(!isAsked())
    }
    // The ear does hear.
    _ = try self.run("exec 3<>/dev/tcp/127.0.0.1/\(UInt16(bigEndian: address.sin_port))")
    #expect(isAsked())
  }
}
