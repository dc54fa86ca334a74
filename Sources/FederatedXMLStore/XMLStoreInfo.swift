internal import FederatedStore
internal import Foundation
internal import XMLStream

/// What the `databaseInfo` of an XML store says.
struct XMLStoreInfo {
  var metadata: StoreMetadata
  /// The highest number of an object that the store has or had: the file calls it `nextObjectID`.
  var highestID: Int64

  static let typeName = "XML"

  /// - Throws: ``XMLRefusal`` or ``XMLError`` when the element does not hold what it should.
  init(_ element: XMLElementValue) throws {
    self.highestID = 0
    self.metadata = StoreMetadata(type: XMLStoreInfo.typeName)
    if let text = element.child(named: "UUID")?.trimmedText, !text.isEmpty {
      guard let uuid = UUID(uuidString: text) else { throw XMLRefusal("\(text) is no UUID") }
      self.metadata.uuid = uuid
    }
    if let text = element.child(named: "nextObjectID")?.trimmedText, !text.isEmpty {
      guard let number = Int64(text), number >= 0 else { throw XMLRefusal("\(text) is no nextObjectID") }
      self.highestID = number
    }
    guard let plist = element.child(named: "metadata")?.child(named: "plist"), let root = plist.children.first
    else {
      return
    }
    guard case .dictionary(var entries) = try MetadataValue(propertyList: root) else {
      throw XMLError(.content, at: root.position, "the metadata is no dictionary")
    }
    if case .dictionary(let hashes)? = entries[XMLStoreInfo.hashesKey] {
      for (name, value) in hashes {
        guard case .data(let hash) = value else { continue }
        self.metadata.versionHashes[name] = hash
      }
      entries[XMLStoreInfo.hashesKey] = nil
    }
    self.metadata.entries = entries
  }

  static let hashesKey = "NSStoreModelVersionHashes"
  /// The number that the layout has always had.
  static let version = 134_481_920

  /// The metadata as a property list has it.
  static func propertyList(_ metadata: StoreMetadata) -> [String: MetadataValue] {
    var entries = metadata.entries
    if !metadata.versionHashes.isEmpty {
      entries[XMLStoreInfo.hashesKey] = .dictionary(metadata.versionHashes.mapValues { .data($0) })
    }
    return entries
  }
}

extension XMLElementValue {
  var trimmedText: String { self.text.trimmingCharacters(in: .whitespacesAndNewlines) }
}
