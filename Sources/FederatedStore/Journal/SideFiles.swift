package import Foundation

/// The hidden files that saves over several stores put beside a store, named after it.
///
/// For `ledger.sqlite`: the pointer `.ledger.sqlite.joint`, the lock `.ledger.sqlite.lock`, and, beside the first
/// participant of a save, the journal `.ledger.sqlite.joint-` followed by the save's identifier.
package struct SideFiles: Sendable, Hashable {
  /// The store's own file, links followed, so that one file has one set of side files.
  package let store: URL

  package init(of store: URL) {
    self.store = store.absoluteURL.resolvingSymlinksInPath().standardizedFileURL
  }

  package var folder: URL { self.store.deletingLastPathComponent() }
  package var pointer: URL { self.beside("joint") }
  package var lock: URL { self.beside("lock") }
  package func journal(of save: SaveIdentifier) -> URL { self.beside("joint-\(save.uuid.uuidString)") }

  private func beside(_ ending: String) -> URL {
    self.folder.appending(path: ".\(self.store.lastPathComponent).\(ending)")
  }

  /// Whether a pointer stands beside the store: one system call.
  package var hasPointer: Bool { access(self.pointer.path(percentEncoded: false), F_OK) == 0 }
}

extension URL {
  /// Whether there is a file of this name.
  package var isThere: Bool { access(self.path(percentEncoded: false), F_OK) == 0 }

  /// How a file is reached from a folder, so that both can move together.
  package func path(relativeTo folder: URL) -> String {
    let own = self.standardizedFileURL.pathComponents
    let base = folder.standardizedFileURL.pathComponents
    let shared = zip(own, base).prefix { $0 == $1 }.count
    return (Array(repeating: "..", count: base.count - shared) + own[shared...]).joined(separator: "/")
  }
}
