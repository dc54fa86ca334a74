internal import FederatedModel
internal import FederatedStore
internal import Foundation

/// A record while it is read. The memory is used again for the next one of its kind.
final class XMLRecord {
  let number: Int
  let plan: XMLRecordPlan
  /// Of each value whether its path was met.
  let seen: UnsafeMutablePointer<Bool>
  /// Behind pointers, because properties of a class are checked for exclusive access at every use.
  private let builder: UnsafeMutablePointer<RowBlockBuilder>
  /// Keys of other records as the file has them.
  var references: [Reference] = []
  /// Records inside this one, by link.
  var children: [[RowIdentity]]
  /// Records inside this one that were read before this one's key was: each with its to-one that leads here.
  var waiting: [(row: RowIdentity, inverse: Relationship)] = []

  /// The record around this one, and the link there that leads here.
  private(set) unowned(unsafe) var parent: XMLRecord?
  private(set) var link = -1
  /// How deep its element stands.
  private(set) var depth = 0
  /// Where its start tag ends.
  private(set) var line = 0
  /// Its place among the records of its hierarchy, from 1.
  private(set) var ordinal: Int64 = 0

  /// A part of a key of another record.
  struct Reference {
    var reference: Int
    var part: Int
    var text: String
  }

  init(_ number: Int, _ plan: XMLRecordPlan) {
    self.number = number
    self.plan = plan
    self.builder = .allocate(capacity: 1)
    self.builder.initialize(to: RowBlockBuilder(layout: plan.entity.layout, capacity: 1))
    self.seen = .allocate(capacity: max(1, plan.values.count))
    self.seen.initialize(repeating: false, count: max(1, plan.values.count))
    self.children = [[RowIdentity]](repeating: [], count: plan.links.count)
  }

  deinit {
    self.builder.deinitialize(count: 1).deallocate()
    self.seen.deallocate()
  }

  /// One row with the values so far.
  var row: RowBlockBuilder {
    @inline(__always) _read { yield self.builder.pointee }
    @inline(__always) _modify { yield &self.builder.pointee }
  }

  func begin(in parent: XMLRecord?, link: Int, depth: Int, line: Int, ordinal: Int64) {
    self.parent = parent
    self.link = link
    self.depth = depth
    self.line = line
    self.ordinal = ordinal
    self.row.restart()
    self.row.beginRow(reference: 0, version: 1)
    for index in self.plan.values.indices { self.seen[index] = false }
    if !self.references.isEmpty { self.references.removeAll(keepingCapacity: true) }
    if !self.waiting.isEmpty { self.waiting.removeAll(keepingCapacity: true) }
    for index in self.children.indices { self.children[index].removeAll(keepingCapacity: true) }
  }

  /// The record's key as one text; nil while a part of it is not read, and for records known by their place.
  var key: String? {
    guard self.plan.isKeyed else { return nil }
    var values: [Value] = []
    for attribute in self.plan.key {
      guard let slot = attribute.slot, let kind = attribute.type.slotKind else { return nil }
      values.append(self.row.value(at: slot, kind))
    }
    return RowKeys.text(of: values)
  }

  /// The keys of the destinations of one reference, in the order of the file.
  /// - Throws: a text that is no value of the key's attribute.
  func keys(of place: Int) throws(XMLUnfitReference) -> [String] {
    let plan = self.plan.references[place]
    let found = self.references.filter { $0.reference == place }
    if found.isEmpty { return [] }
    if plan.conversions.count == 1 {
      var keys: [String] = []
      for reference in found {
        if let key = try XMLRecord.key([reference.text], plan) { keys.append(key) }
      }
      return keys
    }
    var parts = [String](repeating: "", count: plan.conversions.count)
    for reference in found { parts[reference.part] = reference.text }
    return try XMLRecord.key(parts, plan).map { [$0] } ?? []
  }

  /// An empty reference leads nowhere.
  private static func key(_ parts: [String], _ plan: XMLReferencePlan) throws(XMLUnfitReference) -> String? {
    var values: [Value] = []
    for (text, conversion) in zip(parts, plan.conversions) {
      if text.utf8.allSatisfy(\.isXMLSpace) { return nil }
      guard let value = conversion.value(of: text) else {
        throw XMLUnfitReference(relationship: plan.relationship.name, text: text)
      }
      values.append(value)
    }
    return RowKeys.text(of: values)
  }

  /// How messages call the record.
  var title: String {
    let name = self.plan.entity.name
    return self.key.map { "\(name) \"\($0)\"" } ?? "\(name) \(self.ordinal)"
  }
}

/// A reference whose text is no value of the key that it names.
struct XMLUnfitReference: Error {
  var relationship: String
  var text: String
}

/// Whoever takes the records of a document, each when its element ends: those inside a record before it.
protocol XMLRecordReceiver: AnyObject {
  /// The record is good until the method returns.
  func take(_ record: XMLRecord) throws
}
