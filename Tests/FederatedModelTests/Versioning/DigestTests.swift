import Foundation
import TestSupport
import Testing

@testable import FederatedModel

@Suite struct DigestTests {
  private func hex(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02x", $0) }.joined() }

  @Test(
    "SHA-256 answers the standard's examples",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (
        String(repeating: "a", count: 1_000),
        "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"
      ),
    ])
  func sha256(text: String, expected: String) {
    #expect(self.hex(SHA256.hash(Array(text.utf8))) == expected)
  }

  @Test(
    "SHA-512 answers the standard's examples",
    arguments: [
      (
        "",
        "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
          + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"
      ),
      (
        "abc",
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
          + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
      ),
    ])
  func sha512(text: String, expected: String) {
    #expect(self.hex(SHA512.hash(Array(text.utf8))) == expected)
  }

  @Test("digest and checksum do not depend on the order of the dictionary")
  func order() {
    let one = ["B": Data([1]), "a": Data([2]), "A": Data([3])]
    let other = ["a": Data([2]), "A": Data([3]), "B": Data([1])]
    #expect(VersionHash.digest(of: one) == VersionHash.digest(of: other))
    #expect(VersionHash.checksum(of: one) == VersionHash.checksum(of: other))
    #expect(VersionHash.checksum(of: one) == Data(SHA256.hash([3, 1, 2])).base64EncodedString())
  }

  @Test(
    "digests and checksums of real stores come out the same",
    .enabled(if: TestFiles.corpus != nil, "no corpus beside the package"))
  func realStores() throws {
    let folder = try #require(TestFiles.corpus)
    let data = try Data(contentsOf: folder.appending(path: "facts.json"))
    let facts = try #require(try JSONSerialization.jsonObject(with: data) as? [String: [String: Any]])
    var digests = 0
    var checksums = 0
    for (name, entry) in facts {
      guard let metadata = (entry["facts"] as? [String: Any])?["metadata"] as? [String: Any] else { continue }
      let plist = metadata["plist"] as? [String: Any] ?? metadata
      guard let texts = plist["NSStoreModelVersionHashes"] as? [String: String] else { continue }
      let hashes = texts.mapValues { text in
        Data(
          stride(from: 0, to: text.utf8.count, by: 2).map { offset in
            let start = text.index(text.startIndex, offsetBy: offset)
            return UInt8(text[start..<text.index(start, offsetBy: 2)], radix: 16) ?? 0
          })
      }
      guard hashes.values.allSatisfy({ $0.count == 32 }) else { continue }
      if let digest = plist["NSStoreModelVersionHashesDigest"] as? String {
        #expect(VersionHash.digest(of: hashes) == digest, "\(name)")
        digests += 1
      }
      if let checksum = plist["NSStoreModelVersionChecksumKey"] as? String {
        #expect(VersionHash.checksum(of: hashes) == checksum, "\(name)")
        checksums += 1
      }
    }
    #expect(digests >= 5)
    #expect(checksums >= 2)
  }
}
