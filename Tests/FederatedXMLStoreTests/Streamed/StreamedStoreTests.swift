import FederatedModel
import FederatedStore
import Foundation
import TestSupport
import Testing

@testable import FederatedXMLStore

/// What a streamed document does and refuses besides answering.
@Suite("Streamed documents")
struct StreamedStoreTests {
  /// Records by number, with a value that may not fit.
  private func numbers(_ text: String, key: [String] = ["n"]) throws -> MappedDocument {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Number",
        properties: [
          AttributeDescription("n", .integer32), AttributeDescription("day", .date, optional: true),
        ])
    ])
    let mapping = XMLMapping(
      entities: [
        "Number": XMLEntityMapping(records: "/r/e", key: key, attributes: ["n": "@n", "day": "day"])
      ], zone: .utc)
    return try MappedDocument(text, mapping, model)
  }

  private func many(_ count: Int) -> String {
    "<r>" + (1...count).map { "<e n='\($0)'/>" }.joined(separator: "\n") + "</r>"
  }

  private func query(_ document: MappedDocument, _ format: String? = nil) throws -> StoreQuery {
    let entity = try #require(document.model.entity(named: "Number"))
    var query = StoreQuery(entity: entity.id)
    query.predicate = try format.map { try FetchPredicate(format: $0).bound(to: entity, in: document.model) }
    return query
  }

  @Test("a window without an order ends the pass, and so do all the rows that were asked for by reference")
  func endsEarly() throws {
    let document = try self.numbers(self.many(20_000))
    let store = try document.stream()
    var query = try self.query(document)
    query.limit = 5
    _ = try store.answer(query)
    #expect(store.statistics.rowsRead < 100)
    query.limit = nil
    query.references = [3, 17]
    let rows = try store.rows(query)
    #expect(rows.map(\.reference) == [3, 17])
    #expect(store.statistics.rowsRead < 200)
    query.references = nil
    let all = try store.rows(query)
    #expect(all.count == 20_000)
    #expect(store.statistics.rowsRead > 20_000)
  }

  @Test("an order with a limit holds no more rows than it needs, and answers the first")
  func sorted() throws {
    let document = try self.numbers(self.many(20_000))
    let entity = try #require(document.model.entity(named: "Number"))
    var query = try self.query(document)
    query.order = [try FetchSortDescriptor("n", ascending: false).bound(to: entity, in: document.model)]
    (query.offset, query.limit) = (2, 3)
    let rows = try document.stream().rows(query)
    #expect(rows.map(\.reference) == [19_998, 19_997, 19_996])
  }

  @Test("a file that changes under a scope is noticed, and the next scope reads it as it is")
  func changes() throws {
    let document = try self.numbers(self.many(3))
    let store = try document.stream()
    let query = try self.query(document)
    let scope = try store.beginRead()
    let token = try scope.changeToken
    _ = try scope.run(query)
    try Data(self.many(4).utf8).write(to: document.url)
    let error = #expect(throws: StoreError.self) { try scope.run(query) }
    #expect(error?.code == .changedUnderneath)
    let next = try store.beginRead()
    #expect(try next.changeToken != token)
    #expect(try next.run(query).rowCount == 4)
    next.end()
    #expect(throws: StoreError.self) { try next.run(query) }
  }

  @Test("a save is refused, and one without changes is not")
  func saves() throws {
    let document = try self.numbers(self.many(3))
    let store = try document.stream()
    let rows = try store.rows(try self.query(document))
    var changes = ChangeSet()
    changes.delete(rows[0])
    let error = #expect(throws: StoreError.self) { try store.prepare(changes, save: SaveIdentifier()) }
    #expect(error?.code == .readOnly)
    #expect(error?.detail.contains("resident") == true)
    try store.prepare(ChangeSet(), save: SaveIdentifier()).commit()
    #expect(store.capabilities.contains(.readOnly))
    #expect(throws: StoreError.self) { try store.reserveReferences(for: rows[0].entity, count: 1) }
  }

  @Test("a value is read when it is asked for: one that does not fit is an error of a row that is wanted")
  func unfit() throws {
    let document = try self.numbers("<r><e n='1'/>\n<e n='2'><day>soon</day></e></r>")
    let store = try document.stream()
    let rows = try store.rows(try self.query(document, "n == 1"))
    #expect(rows.count == 1)
    let error = #expect(throws: StoreError.self) { try store.answer(try self.query(document, "n == 2")) }
    #expect(error?.code == .unreadableValue)
    #expect(error?.place == .text(line: 2, column: 0))
    #expect(error?.detail.contains("Number \"2\", day") == true, "\(error?.detail ?? "")")
    #expect(error?.detail.contains("\"soon\"") == true)
  }

  @Test("two records with one key are an error of the answer that has both")
  func duplicates() throws {
    let document = try self.numbers("<r><e n='1'/><e n='2'/><e n='1'/></r>")
    let store = try document.stream()
    let error = #expect(throws: StoreError.self) { try store.answer(try self.query(document)) }
    #expect(error?.code == .duplicateKey)
    let rows = try store.rows(try self.query(document, "n == 2"))
    #expect(rows.count == 1)
  }

  @Test("what is no document does not open, and damage further down is an error of the pass that meets it")
  func damage() throws {
    for text in ["", "no document", "SQLite format 3\0"] {
      let document = try self.numbers(text)
      #expect(throws: StoreError.self) { try document.stream() }
    }
    let document = try self.numbers("<r><e n='1'/><e n='2'></r>")
    let store = try document.stream()
    let error = #expect(throws: StoreError.self) { try store.answer(try self.query(document)) }
    #expect(error?.code == .malformed)
  }

  @Test("a mapping that misses the document's namespace says so after a pass (BR-27)")
  func missed() throws {
    let document = try self.numbers("<r xmlns='urn:x'><e n='1'/></r>")
    let store = try document.stream()
    #expect(store.diagnostics.isEmpty)
    let rows = try store.rows(try self.query(document))
    #expect(rows.isEmpty)
    #expect(store.diagnostics.map(\.code) == [.namespaceMissed])
    #expect(store.diagnostics.first?.store == "document")
  }

  @Test("texts that are keys name the same rows in every pass")
  func identity() throws {
    let document = try Library.document()
    let (first, second) = (try document.stream(), try document.open(readOnly: true))
    let reference = try #require(first.reference(fromText: "ada"))
    #expect(second.reference(fromText: "ada") == reference)
    #expect(first.referenceText(reference) == "ada")
    #expect(first.metadata.uuid == second.metadata.uuid)
    var query = StoreQuery(entity: try #require(document.model.entity(named: "Author")).id)
    query.references = [reference]
    let rows = try first.rows(query)
    #expect(rows.map { $0.value("name", in: document.model) } == [.string("Ada Lovelace")])
  }
}

extension PersistentStore {
  fileprivate func rows(_ query: StoreQuery) throws -> [Snapshot] {
    guard case .rows(let rows) = try self.answer(query) else {
      throw StoreError(.unsupported, store: nil, "no rows")
    }
    return Array(rows)
  }

  /// The answer in a scope of its own.
  fileprivate func answer(_ query: StoreQuery) throws -> StoreAnswer {
    let scope = try self.beginRead()
    defer { scope.end() }
    return try scope.run(query)
  }
}
