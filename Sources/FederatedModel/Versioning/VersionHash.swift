public import Foundation

/// The digests by which a store says which model it was written under.
///
/// Two models that store rows alike have equal hashes, in every process and on every machine. A hash is
/// SHA-256 over fields, each written as the count of its UTF-8 bytes, a colon and the bytes; flags are `0` or
/// `1`, numbers decimal, nil is `-` without a count.
///
/// | what | fields |
/// | --- | --- |
/// | every property | `property`, kind, name, optional, transient, read-only, version hash modifier |
/// | attribute | … and its type |
/// | relationship | … and destination, inverse, minimum, maximum, ordered (to-many alone) |
/// | entity | `entity`, name, hash of the parent, abstract, modifier, the hashes of its own attributes and relationships by name, the uniqueness constraints |
///
/// Hashes (as lower-case hexadecimal text), names and constraints stand in the order of their bytes. Not
/// in a hash: indexes, delete rules, defaults, validation, classes, user info, renaming identifiers, and all
/// fetched properties, which no store holds. The hashes are the library's own: no other program computes the
/// same ones.
public enum VersionHash {
  /// Base64 of SHA-512 over each name's UTF-8 bytes followed by its hash, in the byte order of the names: what
  /// the tradition's stores keep as the digest of their version hashes.
  public static func digest(of hashes: [String: Data]) -> String {
    var message: [UInt8] = []
    for (name, hash) in self.sorted(hashes) {
      message += name.utf8
      message += hash
    }
    return Data(SHA512.hash(message)).base64EncodedString()
  }

  /// Base64 of SHA-256 over the hashes alone, in the byte order of their names: the tradition's checksum of a
  /// model version.
  public static func checksum(of hashes: [String: Data]) -> String {
    Data(SHA256.hash(self.sorted(hashes).flatMap(\.value))).base64EncodedString()
  }

  private static func sorted(_ hashes: [String: Data]) -> [(key: String, value: Data)] {
    hashes.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }
}

extension ManagedObjectModel {
  /// The hash of each entity of a configuration; of all entities for nil, of none for an unknown name.
  public func versionHashes(forConfiguration name: String? = nil) -> [String: Data] {
    Dictionary(
      (self.entities(forConfiguration: name) ?? []).map { ($0.name, $0.versionHash) },
      uniquingKeysWith: { first, _ in first })
  }
}

extension Attribute {
  /// 32 bytes that change with what a store must know of the attribute.
  public var versionHash: Data { Data(VersionHash.bytes(of: self.description)) }
}

extension Relationship {
  /// 32 bytes that change with what a store must know of the relationship.
  public var versionHash: Data { Data(VersionHash.bytes(of: self.description)) }
}

extension FetchedProperty {
  /// 32 bytes of name, flags and modifier. The question does not count, nor is this a part of an entity's hash.
  public var versionHash: Data { Data(VersionHash.bytes(of: self.description)) }
}
