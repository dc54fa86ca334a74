import Foundation
import TestSupport

/// The files of a folder, with their bytes: what must not change.
struct FolderState: Equatable, CustomStringConvertible {
  let files: [String: Data]

  init(_ folder: URL) throws {
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false)) {
      files[name] = try Data(contentsOf: folder.appending(path: name))
    }
    self.files = files
  }

  var description: String { self.files.map { "\($0): \($1.count) bytes" }.sorted().joined(separator: ", ") }
}

extension TemporaryFolder {
  /// Copies files into the folder.
  /// - Returns: where the first one is now.
  func copy(_ sources: URL...) throws -> URL {
    for source in sources {
      try FileManager.default.copyItem(at: source, to: self.file(source.lastPathComponent))
    }
    return self.file(sources[0].lastPathComponent)
  }
}
