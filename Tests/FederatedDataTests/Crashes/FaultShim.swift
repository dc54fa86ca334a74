import Foundation
import TestSupport

/// A library that stands between a process and the C library and lets the n-th call that changes a folder go wrong.
///
/// Compiled from C when a test first needs it; nil where there is no C compiler.
struct FaultShim {
  let library: URL
  private let folder: TemporaryFolder

  /// What happens at the n-th call.
  enum Fault: String, CaseIterable, Sendable {
    /// The call fails: the device has an error.
    case inputOutput = "eio"
    /// The call fails: the device is full.
    case full = "enospc"
    /// The process is killed, a write half done.
    case kill = "torn"
    /// Power goes: what was not synced is lost, names included.
    case powerWithNames = "drop"
    /// Power goes: names are kept, contents that were not synced are lost.
    case powerWithoutContents = "keep"

    /// Whether the process goes on afterwards.
    var isSurvived: Bool { self == .inputOutput || self == .full }
  }

  static let shared: FaultShim? = {
    do { return try FaultShim() } catch {
      FileHandle.standardError.write(Data("no C compiler, so faults are not tried: \(error)\n".utf8))
      return nil
    }
  }()

  private init() throws {
    self.folder = try TemporaryFolder()
    let source = self.folder.file("faults.c")
    self.library = self.folder.file("faults.so")
    try Data(Self.source.utf8).write(to: source)
    let compiler = Process()
    compiler.executableURL = URL(filePath: "/usr/bin/env")
    compiler.arguments = [
      "cc", "-shared", "-fPIC", "-O1", "-w", "-o", self.library.path(percentEncoded: false),
      source.path(percentEncoded: false), "-ldl",
    ]
    try compiler.run()
    compiler.waitUntilExit()
    guard compiler.terminationStatus == 0 else { throw CocoaError(.featureUnsupported) }
  }

  /// What a process needs in its environment for no folder ever to reach the disk.
  func environmentWithoutFolders(_ folder: URL) -> [String: String] {
    var environment = self.environment(nil, at: 0, in: folder, shadow: folder)
    environment["FAULT_KIND"] = "folders"
    return environment
  }

  /// What a process needs in its environment. Without a fault its calls are counted only.
  func environment(_ fault: Fault?, at number: Int, in folder: URL, shadow: URL) -> [String: String] {
    [
      "LD_PRELOAD": self.library.path(percentEncoded: false),
      "FAULT_KIND": fault?.rawValue ?? "none", "FAULT_AT": String(number),
      "FAULT_FOLDER": folder.path(percentEncoded: false), "FAULT_SHADOW": shadow.path(percentEncoded: false),
    ]
  }
}
