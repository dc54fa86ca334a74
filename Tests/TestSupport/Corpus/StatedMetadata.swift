public import FederatedStore
public import Foundation
import Testing

/// What is stated about a store's metadata.
public enum StatedMetadata {
  /// Checks every entry; hashes are stated in hexadecimal digits.
  /// - Parameter type: what the store says of its type beside the property list.
  public static func check(_ metadata: StoreMetadata, _ facts: Fact) {
    var rest = facts.map
    if let type = rest.removeValue(forKey: "NSStoreType")?.text { #expect(metadata.type == type) }
    let hashes = rest.removeValue(forKey: "NSStoreModelVersionHashes")?.map.compactMapValues(\.text) ?? [:]
    #expect(metadata.versionHashes.mapValues(self.hex) == hashes)
    #expect(Set(metadata.entries.keys) == Set(rest.keys))
    for (key, fact) in rest {
      #expect(metadata.entries[key].map(self.fact) == fact, "\(key)")
    }
  }

  public static func hex(_ data: Data) -> String { data.map { String(format: "%02x", $0) }.joined() }

  private static func fact(_ value: MetadataValue) -> Fact {
    switch value {
    case .string(let text): .text(text)
    case .int(let number): .whole(number)
    case .double(let number): .real(number)
    case .bool(let flag): .flag(flag)
    case .date(let date): .real(date.timeIntervalSinceReferenceDate)
    case .data(let data): .text(self.hex(data))
    case .array(let values): .list(values.map(self.fact))
    case .dictionary(let values): .map(values.mapValues(self.fact))
    }
  }
}
