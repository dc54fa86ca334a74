internal import FederatedModel
package import Foundation

extension StoreMetadata {
  /// What is known of a file made by others: it has no identifier and no version hashes of its own.
  ///
  /// The identifier is derived from the file's path, absolute and with every link resolved: it is the same in every
  /// process and over every change of the content, and another one when the file is moved.
  package static func foreign(_ type: String, at url: URL) -> StoreMetadata {
    let path = url.resolvingSymlinksInPath().standardizedFileURL.path(percentEncoded: false)
    var digest = Array(SHA256.hash(Array("FederatedData:\(path)".utf8)).prefix(16))
    // Version 8, made by a rule of its own, of RFC 9562.
    digest[6] = digest[6] & 0x0F | 0x80
    digest[8] = digest[8] & 0x3F | 0x80
    let uuid = digest.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    return StoreMetadata(uuid: uuid, type: type)
  }
}
