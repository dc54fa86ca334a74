internal import FederatedModel
internal import FederatedStore
internal import Foundation

/// The references of records and of what they name, without remembering any name.
final class XMLRecordIdentities {
  private let names: StreamedNames
  private let url: URL?
  /// Of each record plan how its key is read.
  private let keys: [Key]
  /// Names of destinations that the current batch has met, for rows that are handed out.
  private(set) var met: [Int64: String] = [:]

  private enum Key {
    case place
    case number(slot: Int)
    case text(slot: Int)
    case several
  }

  init(_ plan: XMLMappingPlan, _ names: StreamedNames, url: URL?) {
    self.names = names
    self.url = url
    self.keys = plan.records.map { record in
      guard record.isKeyed else { return .place }
      guard record.key.count == 1, let slot = record.key[0].slot else { return .several }
      switch record.key[0].type.slotKind {
      case .int: return .number(slot: slot)
      case .string: return .text(slot: slot)
      default: return .several
      }
    }
  }

  func note(_ name: String, _ reference: Int64) { self.met[reference] = name }

  /// Called between batches. A few names stay, for rows whose parts stand far apart.
  func forgetMet() {
    if self.met.count > XMLRecordIdentities.mostMet { self.met.removeAll(keepingCapacity: true) }
  }

  private static let mostMet = 8192

  /// - Throws: `malformed` when a part of the key is missing.
  func reference(of record: XMLRecord) throws(StoreError) -> Int64 {
    switch self.keys[record.number] {
    case .place: return record.ordinal
    case .number(let slot):
      if let word = record.row.word(at: slot), word < UInt64(ReferenceNames.firstOpaque) {
        return Int64(word)
      }
    case .text(let slot):
      if let reference = record.row.withBytes(at: slot, self.names.reference(of:)) { return reference }
    case .several: break
    }
    guard let key = record.key else { throw StoreError.missingKey(of: record, store: self.url) }
    return self.names.reference(of: key)
  }

  /// Whether the whole key was read, while the record's element may still be open.
  func knowsKey(of record: XMLRecord) -> Bool {
    switch self.keys[record.number] {
    case .place: true
    case .number(let slot), .text(let slot): record.row.word(at: slot) != nil
    case .several: record.key != nil
    }
  }

  /// The destinations that a record names at one of its references.
  func destinations(of record: XMLRecord, _ place: Int) throws(StoreError) -> [Int64] {
    let keys: [String]
    do throws(XMLUnfitReference) { keys = try record.keys(of: place) } catch {
      throw StoreError.unfitReference(error, of: record, store: self.url)
    }
    return keys.map { self.noting($0) }
  }

  private func noting(_ name: String) -> Int64 {
    let reference = self.names.reference(of: name)
    if reference >= ReferenceNames.firstOpaque { self.met[reference] = name }
    return reference
  }

  /// Keeps the name of a record that other rows are going to be told.
  func note(_ record: XMLRecord, _ reference: Int64) {
    if reference >= ReferenceNames.firstOpaque, self.met[reference] == nil {
      self.met[reference] = record.key
    }
  }
}

/// The names of rows that were handed out; shared by all scopes of a store.
final class StreamedNames: Sendable {
  private let names = Lock(ReferenceNames())

  /// The reference that a key has, without remembering it.
  func reference(of name: String) -> Int64 {
    if let number = ReferenceNames.number(name) { return number }
    var name = name
    return name.withUTF8 { bytes in
      self.names.withLock { $0.prospectiveReference(of: UnsafeRawBufferPointer(bytes)) }
    }
  }

  func reference(of bytes: UnsafeRawBufferPointer) -> Int64 {
    if let first = bytes.first, first.isDigit, bytes.count <= 19,
      let number = ReferenceNames.number(String(decoding: bytes, as: UTF8.self))
    {
      return number
    }
    return self.names.withLock { $0.prospectiveReference(of: bytes) }
  }

  subscript(reference: Int64) -> String? { self.names.withLock { $0[reference] } }

  /// Remembers the key of a row that is handed out, or is asked for.
  @discardableResult func remember(_ name: String) -> Int64 {
    ReferenceNames.number(name) ?? self.names.withLock { $0.intern(name) }
  }
}
