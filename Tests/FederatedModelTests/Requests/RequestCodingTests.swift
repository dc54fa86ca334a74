import FederatedModel
import Foundation
import Testing

@Suite("Requests travel as their trees") struct RequestCodingTests {
  private func recoded<T: Codable>(_ value: T) throws -> T {
    try JSONDecoder().decode(T.self, from: JSONEncoder().encode(value))
  }

  @Test("random predicates come back as they were")
  func predicates() throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = RandomPredicates(seed: seed)
    for round in 0..<300 {
      let predicate = random.predicate(depth: 1 + round % 4)
      let copy = try self.recoded(predicate)
      #expect(copy == predicate, "seed \(seed), round \(round): \(predicate)")
      #expect(copy.description == predicate.description)
    }
  }

  @Test("values keep their kind and every digit")
  func values() throws {
    let values: [Value] = [
      .null, .bool(true), .int(.min), .double(0.1), .double(-0.0), .double(.infinity),
      .string("e\u{301}\u{0}"), .uri("a b"),
      .decimal(Decimal(string: "-0.12345678901234567890123456789") ?? 0),
      .date(Date(timeIntervalSinceReferenceDate: 0.1)),
      .data(Data([0, 255])), .uuid(UUID()), .list([.null, .list([])]),
      .object(ManagedObjectID(store: StoreID(3), entity: EntityID(1), reference: -7)),
    ]
    #expect(try self.recoded(values) == values)
    #expect(String(decoding: try JSONEncoder().encode(Value.int(7)), as: UTF8.self) == #"{"int":7}"#)
    for json in [
      #"{}"#, #"{"int":1,"bool":true}"#, #"{"decimal":"x"}"#, #"{"data":"?"}"#, #"{"double":"x"}"#,
    ] {
      #expect(throws: DecodingError.self) { try JSONDecoder().decode(Value.self, from: Data(json.utf8)) }
    }
  }

  @Test("a request keeps every setting")
  func requests() throws {
    var request = FetchRequest(
      "Book", where: try FetchPredicate(format: "pages > 5"), order: [.descending("title")], limit: 3)
    request.resultType = .dictionaries
    request.propertiesToFetch = [
      "title", .expression(try ExpressionDescription("n", "count(SELF) * 2", resultType: .decimal)),
    ]
    request.propertiesToGroupBy = ["title"]
    request.havingPredicate = .constant(true)
    request.affectedStores = ["a"]
    #expect(try self.recoded(request) == request)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(FetchPredicate.self, from: Data(#"{"xor":[]}"#.utf8))
    }
  }

  @Test("a request that was written before it could have conditions through links is read as one without any")
  func older() throws {
    var request = FetchRequest("Book", order: [.ascending("title")]).linked("notes", .none)
    let data = try JSONEncoder().encode(request)
    #expect(try JSONDecoder().decode(FetchRequest.self, from: data) == request)
    var tree = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(tree.removeValue(forKey: "linkedConditions") != nil)
    request.linkedConditions = []
    let older = try JSONSerialization.data(withJSONObject: tree)
    #expect(try JSONDecoder().decode(FetchRequest.self, from: older) == request)
    let list = try PropertyListSerialization.data(fromPropertyList: tree, format: .binary, options: 0)
    #expect(try PropertyListDecoder().decode(FetchRequest.self, from: list) == request)
    tree["fetchLimit"] = nil
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(
        FetchRequest.self, from: try JSONSerialization.data(withJSONObject: tree))
    }
  }
}
