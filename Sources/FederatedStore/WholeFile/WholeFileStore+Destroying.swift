internal import Foundation

extension WholeFileStore {
  /// Removes a store's file.
  static func destroy(_ url: URL) throws(StoreError) {
    guard unlink(url.path(percentEncoded: false)) == 0 else { throw StoreError.system(errno, "removed", url) }
  }
}
