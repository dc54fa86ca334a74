import Foundation

/// The files of one size, and where a task may write.
struct DataFiles: Sendable {
  let customerCount: Int
  /// Records of the document that is streamed.
  let recordCount: Int
  let folder: URL

  init(customerCount: Int, recordCount: Int, in root: URL) {
    self.customerCount = customerCount
    self.recordCount = recordCount
    self.folder = root.appending(path: String(customerCount), directoryHint: .isDirectory)
  }

  var invoiceCount: Int { self.customerCount * 10 }
  var customers: URL { self.folder.appending(path: "customers.xml") }
  var entries: URL { self.folder.appending(path: "entries-\(self.recordCount).xml") }
  var entryFacts: URL { self.folder.appending(path: "entries-\(self.recordCount).json") }
  var invoices: URL { self.folder.appending(path: "invoices.sqlite") }

  /// A file of this process's own, gone at first, in the same folder.
  func output(_ suffix: String) throws -> URL {
    let url = self.folder.appending(path: "out-\(getpid()).\(suffix)")
    try Self.remove(url)
    return url
  }

  /// Removes a file and what SQLite leaves beside it.
  static func remove(_ url: URL) throws {
    for suffix in ["", "-wal", "-shm", "-journal"] {
      let path = url.path(percentEncoded: false) + suffix
      if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
    }
  }
}

extension URL {
  /// The path that C wants.
  var filePath: String { self.path(percentEncoded: false) }
}
