import FederatedData
import Foundation

/// `federate recover`: shows saves over several stores that broke off, and finishes them.
struct RecoverCommand: ToolCommand {
  static let description = CommandDescription(
    name: "recover",
    summary:
      "Shows saves over several stores that have happened and that not every store has yet, as a crash leaves\n"
      + "them, and finishes them with --apply.",
    operands: "[STORE…]",
    options: [
      .init(name: "--federation", value: "FILE", help: "look at all stores of a federation file"),
      .init(name: "--apply", value: nil, help: "give every store that is there its part"),
    ],
    notes: """
      One store of the save is enough to find the others. One that was moved is found when it is named, too: its
      identifier proves it. A store that is missing is never given up; the others get their part.

      Exit status: 0 nothing is pending any more, 1 failed, 2 wrong usage, 3 something is pending.

      Examples:
        federate recover --federation shop.federation.json
        federate recover --apply customers.xml backup/ledger.sqlite
      """)

  let stores: [URL]
  let applies: Bool

  init(_ arguments: ParsedArguments) throws {
    var stores = arguments.operands.map { URL(filePath: $0) }
    if let file = arguments.value("--federation") {
      stores += try FederationFile(at: URL(filePath: file)).stores.map(\.url)
    }
    guard !stores.isEmpty else {
      throw ToolError.usage("STORE", "is missing; name a store, or a federation with --federation")
    }
    self.stores = stores
    self.applies = arguments.has("--apply")
  }

  func run(_ console: Console) throws {
    var isPending = false
    for save in try self.pending() {
      var save = save
      if self.applies {
        do { save = try save.finished(types: BuiltInStoreTypes.all, alsoAt: self.stores) } catch {
          console.report(ToolError(error))
        }
      }
      let isDone = save.participants.allSatisfy { $0.state == .done }
      if self.applies && isDone {
        try console.output.write("finished \(save)\n")
      } else {
        isPending = true
        try console.output.write("pending \(save)\n")
      }
    }
    if isPending { console.note(.pending) }
  }

  /// Every save once, however many of its stores were named.
  private func pending() throws -> [PendingSave] {
    var saves: [PendingSave] = []
    for store in self.stores {
      guard FileManager.default.fileExists(atPath: store.path(percentEncoded: false)) else {
        throw ToolError.failed(store.relativePath, "there is no such file; check the path")
      }
      let found = try PendingSave.all(ofStoreAt: store, types: BuiltInStoreTypes.all, alsoAt: self.stores)
      saves += found.filter { save in !saves.contains { $0.save == save.save } }
    }
    return saves
  }
}
