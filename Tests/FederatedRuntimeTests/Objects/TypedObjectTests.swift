import FederatedModel
import FederatedRuntime
import TestSupport
import Testing

@Suite struct TypedObjectTests {
  @Test("typed objects", arguments: TypedCases.all)
  func typed(_ testCase: StackCase<ShopStack>) throws { try testCase.run(ShopStack()) }

  @Test("classes are checked against the model, all misfits at once")
  func classes() throws {
    let error = #expect(throws: ObjectClassError.self) {
      try ObjectClasses([Misfit.self, Stray.self, Orphan.self], checkedAgainst: ShopStack.model())
    }
    let text = error?.description ?? ""
    #expect(error?.breaches.count == 7, "\(text)")
    for part in [
      "Misfit.number", "Misfit.nope", "Misfit.rank", "Misfit.lines", "Stray", "must inherit Misfit",
    ] {
      #expect(text.contains(part), "\(part) in \(text)")
    }
  }

  final class Misfit: ManagedObject, TypedObject {
    struct Keys {
      let number = AttributeKey<Int>("number")
      let nope = ToOneKey<Line>("nope")
      let rank = AttributeKey<String>("rank")
      let total = AttributeKey<String?>("code")
      let lines = FetchedKey<Line>("lines")
    }
    static let keys = Keys()
    static let entityName = "Line"
  }

  final class Stray: ManagedObject, TypedObject {
    struct Keys {}
    static let keys = Keys()
  }

  final class Orphan: ManagedObject, TypedObject {
    struct Keys {}
    static let keys = Keys()
    static let entityName = "DiscountLine"
  }
}
