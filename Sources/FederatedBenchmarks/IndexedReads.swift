import FederatedData
import Foundation

/// Questions that an index answers, counted: no row is read or visited that is not returned.
enum IndexedReads {
  static func run(_ files: DataFiles) throws {
    try DataGenerator.make(files)
    let shop = try Shop(ShopModel.invoices(files))
    let last = files.customerCount - 1
    print("\n\(files.customerCount * 10) invoices")
    for fetch in [
      Fetch(Invoice.self).where { $0.customerId == last / 2 },
      Fetch(Invoice.self).where { $0.customerId >= last - 2 },
      Fetch(Invoice.self).where(
        try FetchPredicate(format: "customerId IN %@", [1, last / 3, last / 2, last])),
      Fetch(Invoice.self).where { $0.customerId > last / 2 }.sorted(by: \.customerId.ascending).limit(50),
    ] {
      try self.check(try shop.context.explain(fetch))
    }
  }

  private static func check(_ explanation: FetchExplanation) throws {
    print(explanation)
    let works = (explanation.question?.stores ?? []).compactMap(\.explanation.work)
    guard works.count == 1, explanation.results > 0, explanation.results == works[0].rowsReturned else {
      throw BenchmarkError("one store answers each question with some rows:\n\(explanation)")
    }
    guard works[0].rowsRead == explanation.results, works[0].rowsVisited == explanation.results else {
      throw BenchmarkError("rows are read that are not returned:\n\(explanation)")
    }
  }
}
