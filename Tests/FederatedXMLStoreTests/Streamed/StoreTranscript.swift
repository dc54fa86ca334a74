import FederatedModel
import FederatedStore
import Foundation

/// The answers of a store as text, with rows by their keys: the same for stores with the same rows.
struct StoreTranscript {
  let store: any PersistentStore
  let model: ManagedObjectModel

  func answer(_ query: StoreQuery) throws -> String {
    let scope = try self.store.beginRead()
    defer { scope.end() }
    do {
      switch try scope.run(query) {
      case .rows(let rows): return rows.map { self.text($0) }.joined(separator: "\n")
      case .identities(let identities): return identities.map { self.text($0) }.joined(separator: "\n")
      case .count(let count): return "\(count)"
      case .values(let lines):
        return (0..<lines.count).map { line in lines[line].map { self.text($0) }.joined(separator: " ") }
          .joined(separator: "\n")
      case .groups(let table):
        return try table.groups.map { group in
          let values = try zip(group.states, table.grouping.aggregates).map {
            self.text(try $0.result(of: $1))
          }
          return "\(group.keys.map { self.text($0) }): \(values)"
        }.sorted().joined(separator: "\n")
      }
    } catch let error as StoreError {
      return "\(error.code) \((error.underlying as? FetchPredicateError)?.code.rawValue ?? "")"
    }
  }

  /// The rows that a query streams, as one text.
  func streamed(_ query: StoreQuery, batch: Int) throws -> String {
    let scope = try self.store.beginRead()
    defer { scope.end() }
    var lines: [String] = []
    try scope.stream(query, batch: batch) { rows in lines += rows.map { self.text($0) } }
    return lines.joined(separator: "\n")
  }

  func related(_ relationship: Relationship, of owners: [Int64]) throws -> [[String]] {
    let scope = try self.store.beginRead()
    defer { scope.end() }
    let related = try scope.related(relationship.id, of: owners)
    return owners.indices.map { related[$0].map { self.text($0) } }
  }

  func text(_ row: Snapshot) -> String {
    let values = row.block.layout.columns.map { column in
      "\(column.name)=\(self.text(row.value(column.slot, column.kind, store: self.store.id)))"
    }
    return "\(self.text(RowIdentity(row))) \(values.joined(separator: " "))"
  }

  private func text(_ identity: RowIdentity) -> String {
    "\(self.model[identity.entity].name) \(self.store.referenceText(identity.reference))"
  }

  private func text(_ value: Value) -> String {
    guard case .object(let id) = value else { return "\(value)" }
    return self.text(RowIdentity(entity: id.entity, reference: id.reference))
  }
}
