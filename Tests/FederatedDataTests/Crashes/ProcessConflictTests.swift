import FederatedData
import Foundation
import TestSupport
import Testing

@testable import CrashingSaver

/// Another process saves between the moment when a context reads a row and the moment when it saves it.
@Suite("Conflicts with another process")
struct ProcessConflictTests {
  private static let files = ["a.xml", "b.sqlite"]

  private let folder: TemporaryFolder
  init() throws { self.folder = try TemporaryFolder() }

  /// Has a process of its own save one entry, and move its mark on to that number.
  private func saveElsewhere(_ number: Int, _ file: String) throws {
    let lines = try SaverProcess(self.folder.url, first: number, count: 1, names: [file]).lines()
    #expect(lines.contains("ok \(number)"), "\(lines)")
  }

  private func federation(_ file: String) -> CrashingFederation {
    CrashingFederation(self.folder.url, names: [file])
  }

  @Test(
    "each policy decides about a row that it changed, and what it inserted stays (MG-02 to MG-06)",
    arguments: files)
  func changed(_ file: String) throws {
    let policies: [(policy: MergePolicy, last: Int)] = [
      (.storeTrump, 0), (.objectTrump, 1000), (.overwrite, 1000), (.rollback, 0),
    ]
    try self.saveElsewhere(1, file)
    let container = try self.federation(file).open()
    for (step, (policy, wanted)) in policies.enumerated() {
      let number = step + 2
      let context = container.makeContext()
      let mark = try #require(try context.fetch(FetchRequest("Mark")).first)
      let read = try mark.value("last")
      try self.saveElsewhere(number, file)
      try mark.set("last", to: 1000 + step)
      let error = #expect(throws: SaveError.self) { try context.save() }
      guard case .conflicts(let conflicts)? = error, let conflict = conflicts.first else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(conflicts.count == 1 && conflict.objectSnapshot["last"] == read)
      #expect(conflict.storedSnapshot?["last"] == .int(Int64(number)))
      context.mergePolicy = policy
      try context.save()
      let expected = wanted == 0 ? number : wanted + step
      #expect(try mark.value("last") == .int(Int64(expected)), "\(policy)")
      let contents = try self.federation(file).contents()
      #expect(contents.map(\.last) == [expected] && contents.map(\.numbers) == [Array(1...number)])
      #expect(contents.allSatisfy { $0.broken.isEmpty })
    }
  }

  @Test("a file that is open here can be looked at in every way, and keeps its locks: no save is lost")
  func lookedAt() throws {
    let file = "b.sqlite"
    try self.saveElsewhere(1, file)
    let context = try self.federation(file).open().makeContext()
    let mark = try #require(try context.fetch(FetchRequest("Mark")).first)
    let url = self.folder.file(file)
    for number in 2...4 {
      _ = try StoreType.sqlite.metadata(ofStoreAt: url)
      #expect(try FileInspection(of: url).kind == .coreDataSQLite)
      #expect(try BuiltInStoreTypes.type(ofFileAt: url).name == StoreType.sqlite.name)
      for readOnly in [true, false] {
        let other = try self.federation(file).open(readOnly: readOnly).makeContext()
        #expect(try other.count(for: FetchRequest("Entry")) == number - 1)
      }
      try self.saveElsewhere(number, file)
      context.refreshAll()
      #expect(try mark.value("last") == .int(Int64(number)))
      try mark.set("writer", to: 0)
      try mark.set("last", to: number * 10)
      try context.save()
      #expect(try self.federation(file).contents().map(\.last) == [number * 10])
    }
  }

  @Test("a policy decides about a row that it changed and that is deleted here (MG-10)", arguments: files)
  func deleted(_ file: String) throws {
    for (policy, isBack) in [(MergePolicy.storeTrump, true), (.objectTrump, false)] {
      let number = isBack ? 1 : 3
      try self.saveElsewhere(number, file)
      let context = try self.federation(file).open().makeContext()
      let mark = try #require(try context.fetch(FetchRequest("Mark")).first)
      _ = try mark.value("last")
      try self.saveElsewhere(number + 1, file)
      context.delete(mark)
      context.mergePolicy = policy
      try context.save()
      #expect(try self.federation(file).contents().map(\.last) == [isBack ? number + 1 : nil], "\(policy)")
    }
  }
}
