import FederatedStore
import Foundation
import TestSupport
import Testing

@Suite struct AtomicFileWriteTests {
  let folder: TemporaryFolder
  init() throws { self.folder = try TemporaryFolder() }

  private func write(_ text: String, to url: URL) throws -> AtomicFileWrite {
    try AtomicFileWrite(replacing: url) { $0.write(text) }
  }

  private func text(_ url: URL) throws -> String {
    String(decoding: try Data(contentsOf: url), as: UTF8.self)
  }

  private func mode(_ url: URL) -> mode_t {
    var status = stat()
    return stat(url.path(percentEncoded: false), &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  private var names: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: self.folder.url.path(percentEncoded: false))
        .sorted()
    }
  }

  @Test("the old file stands until commit, and no other file after it")
  func commit() throws {
    let url = self.folder.file("a.txt")
    try Data("old".utf8).write(to: url)
    let file = try self.write("new", to: url)
    #expect(try self.text(url) == "old")
    #expect(try self.names.count == 2)
    try file.commit()
    #expect(try self.text(url) == "new")
    #expect(try self.names == ["a.txt"])
  }

  @Test("abandoning leaves the old file alone")
  func abandon() throws {
    let url = self.folder.file("a.txt")
    try Data("old".utf8).write(to: url)
    try self.write("new", to: url).abandon()
    #expect(try self.text(url) == "old")
    #expect(try self.names == ["a.txt"])
  }

  @Test("a writer that throws leaves nothing behind")
  func writerThrows() throws {
    let url = self.folder.file("a.txt")
    #expect(throws: StoreError.self) {
      _ = try AtomicFileWrite(replacing: url) { (sink) throws(StoreError) in
        sink.write("half")
        throw StoreError(.unstorableValue, store: nil, "no")
      }
    }
    #expect(try self.names == [])
  }

  @Test("the mode of the file is kept (BR-83)", arguments: [0o640, 0o600, 0o444, 0o664] as [mode_t])
  func keepsMode(mode: mode_t) throws {
    let url = self.folder.file("a.txt")
    try Data("old".utf8).write(to: url)
    #expect(chmod(url.path(percentEncoded: false), mode) == 0)
    try self.write("new", to: url).commit()
    #expect(self.mode(url) == mode)
  }

  @Test("a new file has what the umask leaves (BR-83)")
  func newFile() throws {
    let plain = self.folder.file("plain")
    let descriptor = open(plain.path(percentEncoded: false), O_CREAT | O_WRONLY, 0o666)
    close(descriptor)
    let url = self.folder.file("a.txt")
    try self.write("new", to: url).commit()
    #expect(self.mode(url) == self.mode(plain))
  }

  @Test("a symbolic link stays a link, and the file that it names is replaced", arguments: [true, false])
  func followsLinks(isRelative: Bool) throws {
    let inner = self.folder.file("inner")
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: false)
    let target = inner.appending(path: "a.txt")
    try Data("old".utf8).write(to: target)
    let link = self.folder.file("link")
    let destination = isRelative ? "inner/a.txt" : target.path(percentEncoded: false)
    #expect(symlink(destination, link.path(percentEncoded: false)) == 0)
    try self.write("new", to: link).commit()
    #expect(try self.text(target) == "new")
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: link.path(percentEncoded: false))
        == destination)
  }

  @Test("a folder that does not exist is an error with the file's name")
  func missingFolder() throws {
    let url = self.folder.file("none/a.txt")
    let error = #expect(throws: StoreError.self) { _ = try self.write("new", to: url) }
    #expect(error?.store?.lastPathComponent == "a.txt")
  }

  @Test("large content arrives whole")
  func large() throws {
    let url = self.folder.file("a.txt")
    let line = String(repeating: "x", count: 999) + "\n"
    try AtomicFileWrite(replacing: url) { sink in for _ in 0..<1000 { sink.write(line) } }.commit()
    let data = try Data(contentsOf: url)
    #expect(data.count == 1_000_000)
    var count = 0
    try ByteSource(file: url).read { chunk in
      #expect(chunk.count <= ByteSource.chunkSize)
      count += chunk.count
      return true
    }
    #expect(count == 1_000_000)
  }
}
