public import Foundation

/// A folder of one test's own, removed when the value goes.
public final class TemporaryFolder: Sendable {
  public let url: URL

  public init() throws {
    self.url = FileManager.default.temporaryDirectory
      .appending(path: "FederatedDataTests-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: self.url, withIntermediateDirectories: true)
  }

  deinit {
    do { try FileManager.default.removeItem(at: self.url) } catch {
      FileHandle.standardError.write(Data("temporary folder stays: \(error)\n".utf8))
    }
  }

  public func file(_ name: String) -> URL { self.url.appending(path: name) }
}
