internal import FederatedModel
internal import FederatedRuntime
internal import Testing

/// The FP cases on fixture D0, as bodies that run over stores of any kind.
public enum FetchedPropertyCases {
  public static let reading: [StackCase<AuthorStack>] = [
    StackCase("FP-01 notes come sorted by rating") { stack in
      let a1 = try stack.author("Ann", in: stack.makeContext())
      #expect(try a1.fetched("notes").map { try $0.value("rating") } == [3.5, 4.2, 4.3].map { .double($0) })
    }
  ]
}
