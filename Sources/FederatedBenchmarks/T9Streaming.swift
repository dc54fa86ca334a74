import FederatedData
import FederatedModel
import FederatedRuntime
import FederatedStore
import Foundation

extension BenchmarkTask {
  /// The entries of 9,990 or more, one in a thousand, out of a document that is not held.
  static let streaming = BenchmarkTask(
    name: "T9", title: "a document filtered while it streams",
    ways: [
      Way(raw) { files in
        let facts = try EntryDocument.make(files)
        let watch = Stopwatch()
        let elements = try RawElements.count(files.entries)
        guard elements == facts.elements else {
          throw BenchmarkError("\(elements) elements, and \(facts.elements) were written")
        }
        return Outcome(check: facts.cents + Int64(facts.matches), seconds: watch.seconds)
      },
      Way("rows, streamed") { files in
        let (model, entries) = try (EntryModel.make(), EntryModel.entries(files))
        let coordinator = PersistentStoreCoordinator(model: model)
        try coordinator.add([entries])
        guard let entity = model.entity(named: "Entry"), let amount = entity.attribute(named: "amount")?.slot
        else { throw BenchmarkError("the model lacks Entry") }
        var request = BoundRequest(entity.id)
        request.predicate = try EntryModel.large.bound(to: entity, in: model)
        var (sum, count): (Int64, Int64) = (0, 0)
        let read = coordinator.beginRead()
        defer { read.end() }
        try read.stream(request, batch: 1000) { rows in
          for row in rows {
            sum += cents(row.snapshot.decimalAsDouble(amount))
            count += 1
          }
        }
        return Outcome(check: sum + count)
      },
      Way("objects") { files in
        let coordinator = PersistentStoreCoordinator(model: try EntryModel.make())
        try coordinator.add([EntryModel.entries(files)])
        let context = ManagedObjectContext(coordinator: coordinator)
        let entries = try context.fetch(FetchRequest("Entry", where: EntryModel.large))
        return Outcome(
          check: try entries.reduce(Int64(entries.count)) { sum, entry in
            guard case .decimal(let amount) = try entry.value("amount") else { return sum }
            return sum + cents(amount)
          })
      },
      Way("count") { files in
        let coordinator = PersistentStoreCoordinator(model: try EntryModel.make())
        try coordinator.add([EntryModel.entries(files)])
        let context = ManagedObjectContext(coordinator: coordinator)
        let facts = try EntryDocument.make(files)
        let count = try context.count(for: FetchRequest("Entry", where: EntryModel.large))
        return Outcome(check: facts.cents + Int64(count))
      },
    ])
}

/// The model of the generated document, and where its entries stand.
enum EntryModel {
  static let large = try! FetchPredicate(format: "amount >= \(EntryDocument.threshold)")

  static func make() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription(
        "Entry",
        properties: [
          AttributeDescription("id", .integer64), AttributeDescription("kind", .string),
          AttributeDescription("booked", .date), AttributeDescription("account", .integer32),
          AttributeDescription("amount", .decimal), AttributeDescription("country", .string),
          AttributeDescription("note", .string),
        ])
    ])
  }

  static func entries(_ files: DataFiles) -> PersistentStoreDescription {
    var description = PersistentStoreDescription(.xml, at: files.entries, readOnly: true)
    description.mapping = XMLMapping(
      entities: [
        "Entry": XMLEntityMapping(
          records: "/l:ledger/l:entry", key: ["id"],
          attributes: [
            "id": "@id", "kind": "@kind", "booked": "l:booked", "account": "l:account",
            "amount": "l:amount", "country": "l:country", "note": "l:note",
          ])
      ],
      namespaces: ["l": "urn:example:ledger"], loading: .streamed)
    return description
  }
}
