internal import FederatedModel
internal import FederatedStore
internal import XMLStream

/// Where the element of a record stands in the bytes of its document.
struct XMLRecordSite {
  let identity: RowIdentity
  /// The number of its plan.
  let number: Int
  let tag: XMLTag
  let end: Int
  /// Namespaces by prefix around it.
  let scope: [String: String]

  func tree(_ markup: XMLMarkup) throws(XMLError) -> XMLElementTree {
    guard let tree = try XMLElementTree(markup, self.tag, scope: self.scope) else {
      throw XMLError(.malformed, "the document ends inside an element")
    }
    return tree
  }
}

/// Finds the elements of the records that a save changes, and the last one of each kind.
final class XMLSiteFinder: XMLRecordReceiver {
  private let places: XMLPlaceRecorder
  private let table: RowTable
  private let changes: XMLStoreChanges
  private let wanted: Set<RowIdentity>
  private(set) var sites: [RowIdentity: XMLRecordSite] = [:]
  /// The last record of each plan that stands by itself, and the last at all.
  private(set) var lastAlone: [Int: XMLRecordSite] = [:]
  private(set) var lastOfAll: [Int: XMLRecordSite] = [:]
  /// Records that name rows which go in lists of theirs.
  private(set) var namingDeleted: [RowIdentity: Set<Int>] = [:]

  init(
    _ places: XMLPlaceRecorder, _ table: RowTable, _ changes: XMLStoreChanges, wanted: Set<RowIdentity>
  ) {
    self.places = places
    self.table = table
    self.changes = changes
    self.wanted = wanted
  }

  func take(_ record: XMLRecord) throws {
    guard let tag = self.places.lastTag, let reference = self.reference(of: record) else { return }
    let site = XMLRecordSite(
      identity: RowIdentity(entity: record.plan.entity.id, reference: reference), number: record.number,
      tag: tag,
      end: self.places.lastEnd, scope: self.places.scope)
    self.lastOfAll[record.number] = site
    if record.parent == nil { self.lastAlone[record.number] = site }
    let naming = try self.namesDeleted(record)
    if !naming.isEmpty { self.namingDeleted[site.identity] = naming }
    if self.wanted.contains(site.identity) || !naming.isEmpty { self.sites[site.identity] = site }
  }

  private func reference(of record: XMLRecord) -> Int64? {
    guard record.plan.isKeyed else { return record.ordinal }
    return record.key.flatMap { self.reference(named: $0) }
  }

  private func reference(named key: String) -> Int64? {
    if let known = ReferenceNames.number(key) ?? self.table.reference(named: key) { return known }
    // A row that a recovered save brought is known by its reference alone.
    var names = ReferenceNames()
    return names.intern(key)
  }

  /// The lists of the record in which a row stands that goes.
  private func namesDeleted(_ record: XMLRecord) throws -> Set<Int> {
    if self.changes.deleted.isEmpty { return [] }
    var found: Set<Int> = []
    for (number, plan) in record.plan.references.enumerated() where plan.relationship.isToMany {
      let family = self.table.model[plan.relationship.destination].family
      for key in try record.keys(of: number) {
        guard let reference = self.reference(named: key) else { continue }
        if family.contains(where: {
          self.changes.deleted.contains(RowIdentity(entity: $0, reference: reference))
        }) {
          found.insert(number)
        }
      }
    }
    return found
  }
}
