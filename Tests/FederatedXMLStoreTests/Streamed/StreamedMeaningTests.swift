import FederatedModel
import FederatedStore
import FederatedStoreTesting
import Testing

@testable import FederatedXMLStore

/// A document answers every question in one way, whether it is held or streamed.
@Suite("One meaning of resident and streamed documents")
struct StreamedMeaningTests {
  private struct Sides {
    let document: MappedDocument
    let resident: StoreTranscript
    let streamed: StoreTranscript

    init(seed: UInt64) throws {
      self.document = try StreamedLedger.document(seed: seed)
      self.resident = StoreTranscript(
        store: try self.document.open(readOnly: true), model: self.document.model)
      self.streamed = StoreTranscript(store: try self.document.stream(), model: self.document.model)
    }

    /// - Returns: whether the answer holds anything.
    func compare(_ query: StoreQuery, _ name: String) throws -> Bool {
      let expected = try self.resident.answer(query)
      let found = try self.streamed.answer(query)
      #expect(found == expected, "\(name)")
      return !expected.isEmpty && found == expected
    }
  }

  private static let entities = ["Record", "Note", "Folder", "Tag", "Part"]

  @Test("rows, identities and counts of generated questions", arguments: [7, 20_010_101, 4_294_967_311])
  func rows(seed: UInt64) throws {
    let sides = try Sides(seed: seed)
    var generator = PredicateGenerator(sides.document.model, seed: seed)
    var telling = 0
    for number in 0..<200 {
      let name = Self.entities[number % Self.entities.count]
      let entity = try #require(sides.document.model.entity(named: name))
      var query = StoreQuery(entity: entity.id)
      query.includesSubentities = number % 7 > 0
      let predicate = generator.predicate(of: entity)
      let order = generator.order(of: entity)
      (query.offset, query.limit) = generator.window()
      // Where keys do not ascend in the document, the own orders differ.
      let isLoose = ["Tag", "Folder"].contains(name) && order.isEmpty
      if isLoose { (query.offset, query.limit) = (0, nil) }
      do throws(FetchPredicateError) {
        query.predicate = try predicate.bound(to: entity, in: sides.document.model)
        query.order = []
        for sort in order { query.order.append(try sort.bound(to: entity, in: sides.document.model)) }
      } catch { continue }
      if isLoose { query.shape = .count }
      let place = "seed \(seed), question \(number): \(name) where \(predicate), order \(order)"
      if try sides.compare(query, place) { telling += 1 }
      query.shape = .count
      _ = try sides.compare(query, "count of \(place)")
      if isLoose { continue }
      query.shape = .identities
      _ = try sides.compare(query, "identities of \(place)")
    }
    #expect(telling > 50)
  }

  @Test("columns and groups", arguments: [7, 20_010_101])
  func columns(seed: UInt64) throws {
    let sides = try Sides(seed: seed)
    let model = sides.document.model
    let record = try #require(model.entity(named: "Record"))
    var generator = PredicateGenerator(model, seed: seed)
    let column = { (name: String) throws -> BoundExpression in
      if let attribute = record.attribute(named: name), let slot = attribute.slot {
        return .path(
          .evaluatedObject,
          [.attribute(BoundAttribute(name: name, entity: record.id, slot: slot, type: attribute.type))])
      }
      let format = try FetchPredicate(format: "\(name) == nil").bound(to: record, in: model)
      guard case .comparison(let comparison) = format else { return .evaluatedObject }
      return comparison.left
    }
    for number in 0..<60 {
      var query = StoreQuery(entity: record.id)
      let predicate = generator.predicate(of: record, depth: 1)
      do throws(FetchPredicateError) { query.predicate = try predicate.bound(to: record, in: model) } catch {
        continue
      }
      let columns = try [["date", "title"], ["small"], ["folder", "isOpen"], ["uuid", "price"]][number % 4]
        .map(column)
      query.shape = .values(ValueColumns(columns, isDistinct: number % 3 == 0))
      (query.offset, query.limit) = generator.window()
      _ = try sides.compare(query, "columns of question \(number)")
      query.order = try [FetchSortDescriptor("date"), FetchSortDescriptor("number", ascending: false)].map {
        try $0.bound(to: record, in: model)
      }
      _ = try sides.compare(query, "sorted columns of question \(number)")
      query.shape = .groups(
        BoundGrouping(
          keys: columns,
          aggregates: [
            BoundAggregate(.count, of: .evaluatedObject), BoundAggregate(.sum, of: try column("price")),
            BoundAggregate(.max, of: try column("date")),
          ]))
      (query.order, query.offset, query.limit) = ([], 0, nil)
      _ = try sides.compare(query, "groups of question \(number)")
    }
  }

  @Test("the destinations of every relationship, for many owners at once", arguments: [7, 99])
  func related(seed: UInt64) throws {
    let sides = try Sides(seed: seed)
    for entity in sides.document.model.entities {
      let query = StoreQuery(entity: entity.id, shape: .identities)
      let owners = try [sides.resident, sides.streamed].map { side in
        let scope = try side.store.beginRead()
        defer { scope.end() }
        guard case .identities(let identities) = try scope.run(query) else { return [Int64]() }
        return identities.map(\.reference).sorted()
      }
      #expect(owners[0] == owners[1] && !owners[0].isEmpty)
      for relationship in entity.relationships {
        let expected = try sides.resident.related(relationship, of: owners[0])
        let passes = sides.streamed.store.statistics.statements
        let found = try sides.streamed.related(relationship, of: owners[0])
        #expect(found == expected, "\(entity.name).\(relationship.name)")
        #expect(expected.contains { !$0.isEmpty }, "\(entity.name).\(relationship.name)")
        // One pass, and one more where the destination has subentities.
        #expect(sides.streamed.store.statistics.statements - passes <= 2)
      }
    }
  }

  @Test("rows that are streamed are those of the answer, batch by batch")
  func streams() throws {
    let sides = try Sides(seed: 7)
    for name in ["Record", "Part", "Note"] {
      let entity = try #require(sides.document.model.entity(named: name))
      var query = StoreQuery(entity: entity.id)
      (query.offset, query.limit) = (2, 30)
      let expected = try sides.resident.answer(query)
      #expect(try sides.streamed.streamed(query, batch: 4) == expected)
    }
  }

  @Test("keys of many sources are looked for in one pass")
  func keys() throws {
    let sides = try Sides(seed: 7)
    let record = try #require(sides.document.model.entity(named: "Record"))
    let small = try #require(record.attribute(named: "small"))
    var query = StoreQuery(entity: record.id)
    query.keys = LinkKeys(
      attributes: [
        BoundAttribute(name: "small", entity: record.id, slot: try #require(small.slot), type: small.type)
      ],
      keys: [[.int(1)], [.int(-2)], [.null]])
    #expect(try sides.compare(query, "keys"))
    #expect(sides.streamed.store.statistics.statements <= 2)
  }
}
