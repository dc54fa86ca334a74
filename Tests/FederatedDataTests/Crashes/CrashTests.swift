import FederatedStoreTesting
import Foundation
import TestSupport
import Testing

@testable import CrashingSaver

@Suite("A process that saves over four files", .serialized)
struct CrashTests {
  /// Two saves, made once; every fault starts from a copy of them.
  private static let template = Result { () throws -> TemporaryFolder in
    let folder = try TemporaryFolder()
    _ = try SaverProcess(folder.url, first: 1, count: 2).lines()
    return folder
  }

  @Test(
    "leaves every store old or every store new when it is killed, and loses no save that it told of",
    arguments: LongTests.areWanted ? [1, 2, 3] : [1])
  func killed(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder()
    var record = SaveRecord()
    let kills = LongTests.areWanted ? 500 : 12
    for kill in 0..<kills {
      let saver = try SaverProcess(folder.url, first: record.next, count: 1_000_000)
      // Now and then while it opens the stores, that is, while it rolls forward what the one before left.
      if kill % 5 != 4 { saver.wait(for: "open") }
      saver.kill(after: UInt32.random(in: 0..<250_000, using: &random))
      record.take(saver.lines())
      try record.check(folder.url, mayHaveOneMore: true, "kill \(kill) of seed \(seed)")
    }
    #expect(record.refused == [])
    #expect(record.saved.count > kills / 4)
  }

  @Test(
    "keeps that when a call into the system goes wrong",
    .enabled(if: FaultShim.shared != nil, "there is no C compiler"), arguments: FaultShim.Fault.allCases)
  func faults(fault: FaultShim.Fault) throws {
    let shim = try #require(FaultShim.shared)
    let calls = try self.countCalls(shim)
    #expect(calls > 100)
    var random = SeededGenerator(seed: 7)
    let step = LongTests.areWanted ? 1 : calls / 12
    let first = LongTests.areWanted ? 1 : Int.random(in: 1...step, using: &random)
    for number in stride(from: first, through: calls, by: step) {
      try self.run(shim, fault, at: number)
    }
  }

  private func run(_ shim: FaultShim, _ fault: FaultShim.Fault, at number: Int) throws {
    let (folder, record) = try self.start()
    var after = record
    let shadow = try TemporaryFolder()
    let saver = try SaverProcess(
      folder.url, first: 3, count: 2,
      environment: shim.environment(fault, at: number, in: folder.url, shadow: shadow.url))
    after.take(saver.lines())
    try after.check(
      folder.url, mayHaveOneMore: !fault.isSurvived, "\(fault) at call \(number): \(saver.output.text)")
  }

  @Test("shares them with another one: every save that either told of is there, every refused one is not")
  func twoProcesses() throws {
    let (folder, first) = try self.start()
    let count = LongTests.areWanted ? 1_000_000 : 12
    let savers = try [1, 2].map { try SaverProcess(folder.url, writer: $0, first: 1, count: count) }
    if LongTests.areWanted {
      sleep(60)
      for saver in savers { saver.kill(after: 0) }
    }
    let lines = savers.map { $0.lines() }
    var before = first
    try before.check(folder.url, mayHaveOneMore: false, "the writer before")
    for (number, saver) in savers.enumerated() {
      var record = SaveRecord(writer: number + 1)
      record.take(lines[number])
      try record.check(
        folder.url, mayHaveOneMore: LongTests.areWanted, "writer \(number + 1): \(saver.output.text)")
      #expect(!record.saved.isEmpty, "\(saver.output.text)")
    }
  }

  @Test(
    "has saved when a file stands and its folder does not reach the disk, and is told that this is left to do",
    .enabled(if: FaultShim.shared != nil, "there is no C compiler"))
  func folders() throws {
    let shim = try #require(FaultShim.shared)
    let (folder, _) = try self.start()
    let saver = try SaverProcess(
      folder.url, first: 3, count: 2, names: ["a.xml"],
      environment: shim.environmentWithoutFolders(folder.url))
    let lines = saver.lines()
    #expect(lines.contains("ok 3 pending"), "\(lines)")
    let refusal = try #require(lines.first { $0.hasPrefix("no 4") }, "\(lines)")
    #expect(refusal.contains("not certain"), "\(refusal)")
    var record = SaveRecord(names: ["a.xml"])
    record.take(["ok 1", "ok 2"] + lines)
    try record.check(folder.url, mayHaveOneMore: false, "after a folder that does not reach the disk")
  }

  /// How many calls there are without a fault.
  private func countCalls(_ shim: FaultShim) throws -> Int {
    let (folder, _) = try self.start()
    let saver = try SaverProcess(
      folder.url, first: 3, count: 2,
      environment: shim.environment(nil, at: 0, in: folder.url, shadow: folder.url))
    let line = try #require(saver.lines().last { $0.hasPrefix("calls ") })
    return try #require(Int(line.dropFirst(6)))
  }

  private func start() throws -> (TemporaryFolder, SaveRecord) {
    let template = try Self.template.get()
    let folder = try TemporaryFolder()
    for name in CrashingFederation.allNames {
      try FileManager.default.copyItem(at: template.file(name), to: folder.file(name))
    }
    var record = SaveRecord()
    record.take(["ok 1", "ok 2"])
    return (folder, record)
  }
}

extension Data {
  fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}
