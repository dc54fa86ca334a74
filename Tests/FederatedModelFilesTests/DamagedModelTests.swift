import FederatedModel
import FederatedModelFiles
import Foundation
import TestSupport
import Testing

@Suite struct DamagedModelTests {
  /// A small generator, so that a seed gives the same damage everywhere.
  private struct Damage: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      self.state = self.state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return self.state ^ self.state >> 29
    }
  }

  @Test(
    "a damaged model is read or refused, and never stops the program", arguments: 1...6 as ClosedRange<UInt64>
  )
  func survives(seed: UInt64) throws {
    var damage = Damage(state: seed)
    let original = try Array(
      Data(contentsOf: FixtureModelTests.everything.appending(path: "Everything 2.xcdatamodel/contents")))
    let folder = try TemporaryFolder()
    let file = folder.file("contents")
    var refused = 0
    for _ in 0..<40 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...3, using: &damage) {
        let place = Int.random(in: 60..<bytes.count - 40, using: &damage)
        switch Int.random(in: 0..<4, using: &damage) {
        case 0: bytes[place] = UInt8.random(in: 32...126, using: &damage)
        case 1: bytes.removeSubrange(place..<place + Int.random(in: 1...30, using: &damage))
        case 2: bytes.insert(contentsOf: bytes[place..<place + 20], at: place)
        default: bytes.swapAt(place, Int.random(in: 60..<bytes.count, using: &damage))
        }
      }
      try Data(bytes).write(to: file)
      do {
        let model = try ModelFile.load(at: file)
        for entity in model.entities {
          for fetched in entity.fetchedProperties {
            #expect((fetched.request == nil) == !fetched.problems.isEmpty)
          }
        }
        _ = try XcodeModelWriter.contents(of: model.draft, for: file)
      } catch {
        refused += 1
        // The compiler knows that nothing but a ModelFileError can arrive here.
        #expect(!error.detail.isEmpty, "seed \(seed)")
      }
    }
    #expect(refused > 0)
  }
}
