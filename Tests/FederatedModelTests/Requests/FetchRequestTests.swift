import FederatedModel
import Foundation
import Testing

@Suite("A fetch request") struct FetchRequestTests {
  @Test("a new request asks for all objects of all stores, unsaved changes included (FR-01)")
  func defaults() {
    let request = FetchRequest("Employee")
    #expect(request.fetchLimit == 0 && request.fetchOffset == 0 && request.fetchBatchSize == 0)
    #expect(request.resultType == .objects)
    #expect(request.includesSubentities && request.includesPendingChanges)
    #expect(request.includesPropertyValues && request.returnsObjectsAsFaults)
    #expect(!request.returnsDistinctResults && !request.shouldRefreshRefetchedObjects)
    #expect(request.predicate == nil && request.sortDescriptors.isEmpty)
    #expect(request.propertiesToFetch == nil && request.propertiesToGroupBy == nil)
    #expect(request.havingPredicate == nil && request.affectedStores == nil)
    #expect(request.relationshipKeyPathsForPrefetching.isEmpty)
  }

  @Test("a copy has every setting, and a change of one leaves the other (F1)")
  func copies() throws {
    let request = try FetchRequest(
      "Employee", where: "salary > %@", 1, order: [.descending("name")], limit: 3)
    var copy = request
    #expect(copy == request && copy.hashValue == request.hashValue)
    copy.fetchLimit = 4
    #expect(request.fetchLimit == 3 && copy != request)
    let coded = try JSONDecoder().decode(FetchRequest.self, from: JSONEncoder().encode(request))
    #expect(coded == request)
  }
}
