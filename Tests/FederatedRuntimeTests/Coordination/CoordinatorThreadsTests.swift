import FederatedModel
import FederatedRuntime
import FederatedStore
import TestSupport
import Testing

@Suite("A coordinator on several threads")
struct CoordinatorThreadsTests {
  @Test("stores come and go while others read and save")
  func storesComeAndGo() async throws {
    let stores = try NoteStores([("a", 1)], [("b", 2)])
    let coordinator = stores.coordinator
    let request = try stores.request()
    let spy = stores.spies[0]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<3 {
        group.addTask {
          for _ in 0..<50 {
            let read = coordinator.beginRead()
            do {
              let count = try read.fetch(request).count
              #expect(count >= 2, "task \(task)")
            } catch let error as StoreError where error.code == .closed {
              // A guest left between the beginning of the read and its question.
            }
            read.end()
          }
        }
      }
      group.addTask {
        for number in 0..<20 {
          var description = PersistentStoreDescription(.inMemory, at: nil, configuration: "Notes")
          description.name = "guest \(number)"
          let guest = try coordinator.add(description)
          try coordinator.setMetadata(guest.metadata, of: guest.id)
          try coordinator.remove(guest)
        }
      }
      group.addTask {
        for rating in 0..<20 { try stores.insert([("new", Int64(rating))], into: spy) }
      }
      try await group.waitForAll()
    }
    #expect(coordinator.stores.count == 2)
    let read = coordinator.beginRead()
    defer { read.end() }
    #expect(try read.count(request) == 22)
  }
}
