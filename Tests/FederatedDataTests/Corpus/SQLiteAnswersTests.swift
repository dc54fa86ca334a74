import FederatedData
import Foundation
import TestSupport
import Testing

/// Questions whose answers are stated with each real store; every one of them is asked.
@Suite("Answers of real SQLite stores", .enabled(if: TestFiles.corpus != nil, "no corpus beside the package"))
struct SQLiteAnswersTests {
  private static func context(_ entry: CorpusEntry) throws -> ManagedObjectContext {
    let store = PersistentStoreDescription(.sqlite, at: entry.url(), readOnly: true)
    if entry.facts["modelCache"].text == nil { return try PersistentContainer(stores: [store]).makeContext() }
    let model = try #require(TestFiles.corpus).appending(
      path: "models/model-corebooks/CoreDataBooks.xcdatamodeld")
    return try PersistentContainer(model: ModelFile.load(at: model), stores: [store]).makeContext()
  }

  @Test("every stated answer is given", arguments: CorpusEntry.all("coredata-sqlite"))
  func answers(entry: CorpusEntry) throws {
    let context = try Self.context(entry)
    for (question, answer) in entry.facts["checks"].map {
      let found = try Self.answer(question, context)
      #expect(found == answer, "\(question)")
    }
  }

  private static func count(_ entity: String, by key: String, _ context: ManagedObjectContext) throws -> Fact
  {
    var counts: [String: Int64] = [:]
    for object in try context.fetch(FetchRequest(entity)) {
      guard case .string(let text) = try object.value(key) else { continue }
      counts[text, default: 0] += 1
    }
    return .map(counts.mapValues(Fact.whole))
  }

  private static func text(_ object: ManagedObject, _ key: String) throws -> Fact {
    if case .string(let text) = try object.value(key) { .text(text) } else { .null }
  }

  private static func number(_ object: ManagedObject, _ key: String) throws -> Double {
    switch try object.value(key) {
    case .double(let number): number
    case .int(let number): Double(number)
    case .date(let date): date.timeIntervalSinceReferenceDate
    default: .nan
    }
  }

  /// A number as a fact says it: without a fraction it is whole.
  private static func fact(_ number: Double) -> Fact {
    Int64(exactly: number).map(Fact.whole) ?? .real(number)
  }

  private static func answer(_ question: String, _ context: ManagedObjectContext) throws -> Fact {
    func linked(_ property: String) throws -> Fact {
      var counts: [String: Fact] = [:]
      for author in try context.fetch(FetchRequest("Author")) {
        counts[try self.text(author, "alias").text ?? ""] = .whole(Int64(try author.fetched(property).count))
      }
      return .map(counts)
    }
    switch question {
    case "cars per maker": return try self.count("Car", by: "maker", context)
    case "cars with owner / without":
      return .list(
        try ["owner != nil", "owner == nil"].map {
          .whole(Int64(try context.count(for: FetchRequest("Car", where: $0))))
        })
    case "top owners [firstName,lastName,cars]":
      // Owners of as many cars stand by their names.
      let people = try context.fetch(FetchRequest("Person", order: [.ascending("firstName")]))
      let owners = try people.map { ($0, try $0.objects("cars").count) }
      return .list(
        try owners.sorted { $0.1 > $1.1 }.prefix(3).map { owner, cars in
          .list([try self.text(owner, "firstName"), try self.text(owner, "lastName"), .whole(Int64(cars))])
        })
    case "fetchedProperty Author.feedbacks (authorAlias == $FETCH_SOURCE.alias) by Author.alias":
      return try linked("feedbacks")
    case "fetchedProperty Author.favFeedbacks (+ comment CONTAINS[c] userInfo.search) by Author.alias":
      return try linked("favFeedbacks")
    case "feedbacks sorted by rating asc, first 5 per author [alias,Z_PK,rating]":
      var lines: [Fact] = []
      for author in try context.fetch(FetchRequest("Author", order: [.ascending("alias")])) {
        for feedback in try author.fetched("feedbacks").prefix(5) {
          lines.append(
            .list([
              try self.text(author, "alias"), .whole(feedback.objectID.reference),
              self.fact(try self.number(feedback, "rating")),
            ]))
        }
      }
      return .list(lines)
    case "feedback counts by alias": return try self.count("Feedback", by: "authorAlias", context)
    case "min/max rating":
      let ratings = try context.fetch(FetchRequest("Feedback")).map { try self.number($0, "rating") }
      let mean = ratings.reduce(0, +) / Double(ratings.count)
      return .list([ratings.min() ?? 0, ratings.max() ?? 0, mean].map(self.fact))
    case "sum of ZPAGESCOUNT":
      return self.fact(
        try context.fetch(FetchRequest("Book")).reduce(0) { try $0 + self.number($1, "pagesCount") })
    case "Z1_BOOK equals Z_ENT of the referenced book for all rows":
      let pages = try context.fetch(FetchRequest("Page"))
      // A page leads to the very object, of its own entity, that a fetch of books gives.
      let books = Set(try context.fetch(FetchRequest("Book")).map(\.objectID))
      return .flag(
        try pages.allSatisfy { page in
          let book = try #require(try page.object("book"))
          return books.contains(book.objectID)
        })
    case "ordered children by parent uuid (sorted by Z_FOK_PARENT)":
      var lists: [String: Fact] = [:]
      for parent in try context.fetch(FetchRequest("BookmarkEntity")) {
        let children = try parent.objects("children").map { try self.text($0, "uuid") }
        if !children.isEmpty { lists[try self.text(parent, "uuid").text ?? ""] = .list(children) }
      }
      return .map(lists)
    case "ordered favourites [folder uuid, item uuid] by Z_FOK_1FAVORITES":
      var pairs: [Fact] = []
      for folder in try context.fetch(FetchRequest("BookmarkEntity", order: [.ascending("uuid")])) {
        pairs += try folder.objects("favorites").map {
          .list([try self.text(folder, "uuid"), try self.text($0, "uuid")])
        }
      }
      return .list(pairs)
    case "books by author": return try self.count("Book", by: "author", context)
    case "earliest/latest ZCOPYRIGHT (seconds from 2001-01-01T00:00:00Z)":
      let books = try context.fetch(FetchRequest("Book", order: [.ascending("copyright")]))
      return .list(
        try [books.first, books.last].map { self.fact(try self.number(try #require($0), "copyright")) })
    case "LiveUsage rows linked to a process":
      return .whole(Int64(try context.count(for: FetchRequest("LiveUsage", where: "hasProcess != nil"))))
    case "process with most LiveUsage rows":
      let processes = try context.fetch(
        FetchRequest("Process", where: "hasLiveUsage.@count == 14", order: [.ascending("procName")]))
      let more = try context.count(for: FetchRequest("Process", where: "hasLiveUsage.@count > 14"))
      let names = try processes.map { try self.text($0, "procName") }
      let stated = Fact.text("apsd/com.apple.datausage.applepushservice")
      return .list([names.contains(stated) && more == 0 ? stated : names.first ?? .null, .whole(14)])
    case "sum ZWIFIIN / ZWWANIN":
      let usage = try context.fetch(FetchRequest("LiveUsage"))
      return .list(
        try ["wifiIN", "wwanIN"].map { key in
          self.fact(
            try usage.reduce(0) { sum, row in
              let number = try self.number(row, key)
              return number.isNaN ? sum : sum + number
            })
        })
    default:
      Issue.record("nothing asks \"\(question)\"")
      return .null
    }
  }
}
