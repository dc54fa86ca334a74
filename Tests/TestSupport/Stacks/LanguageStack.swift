internal import FederatedModel
public import FederatedRuntime
internal import FederatedStore
internal import Foundation

/// Samples of every kind of value, with parts and boxes, in one store; empty until a case fills it.
public final class LanguageStack {
  public let coordinator: PersistentStoreCoordinator
  public let store: SpyStore
  /// Objects do not keep their context; the stack does, as long as a case runs.
  private var contexts: [ManagedObjectContext] = []

  public init(_ kind: StoreKind = .inMemory) throws {
    self.coordinator = PersistentStoreCoordinator(model: try LanguageStack.model())
    guard let store = try self.coordinator.add(try kind.open("S", nil)) as? SpyStore else {
      preconditionFailure("a spying type opens spies")
    }
    self.store = store
  }

  public func makeContext() -> ManagedObjectContext {
    let context = ManagedObjectContext(coordinator: self.coordinator)
    self.contexts.append(context)
    return context
  }

  /// Inserts samples and does not save them.
  func fill(_ samples: [Sample], in context: ManagedObjectContext) throws {
    for sample in samples {
      let object = try context.insert("Sample")
      try object.set("label", to: sample.label)
      try LanguageStack.set(sample.values, of: object)
      if let values = sample.box {
        let box = try context.insert("Box")
        try LanguageStack.set(values, of: box)
        try object.set("box", to: box)
      }
      var parts: [ManagedObject] = []
      for values in sample.parts {
        let part = try context.insert("Part")
        try LanguageStack.set(values, of: part)
        parts.append(part)
      }
      try object.set("parts", to: .list(parts.map { .object($0.objectID) }))
      try object.set("steps", to: .list(parts.map { .object($0.objectID) }))
    }
  }

  private static func set(_ values: [String: any ValueConvertible & Sendable], of object: ManagedObject)
    throws
  {
    for (key, value) in values { try object.set(key, to: value.value) }
  }

  /// The labels of the samples that a condition chooses.
  func labels(_ predicate: FetchPredicate, in context: ManagedObjectContext) throws -> Set<String> {
    Set(try context.fetch(FetchRequest("Sample", where: predicate)).texts("label"))
  }

  static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel {
      EntityDescription("Sample") {
        AttributeDescription("label", .string)
        AttributeDescription("text", .string, optional: true)
        AttributeDescription("name", .string, optional: true)
        AttributeDescription("size", .integer32, optional: true)
        AttributeDescription("age", .integer16, optional: true)
        AttributeDescription("number", .integer64, optional: true)
        AttributeDescription("real", .double, optional: true)
        AttributeDescription("amount", .decimal, optional: true)
        AttributeDescription("moment", .date, optional: true)
        AttributeDescription("flag", .boolean, optional: true)
        AttributeDescription("key", .uuid, optional: true)
        AttributeDescription("bytes", .binary, optional: true)
        AttributeDescription("link", .uri, optional: true)
        RelationshipDescription("box", to: "Box", inverse: "samples")
        RelationshipDescription("parts", to: "Part", .many, inverse: "sample")
        RelationshipDescription("steps", to: "Part", .orderedMany, inverse: "walker")
      }
      EntityDescription("Box") {
        AttributeDescription("name", .string, optional: true)
        AttributeDescription("first", .integer32, optional: true)
        RelationshipDescription("samples", to: "Sample", .many, inverse: "box")
      }
      EntityDescription("Part") {
        AttributeDescription("name", .string, optional: true)
        AttributeDescription("x", .integer32, optional: true)
        AttributeDescription("y", .integer32, optional: true)
        AttributeDescription("v", .double, optional: true)
        RelationshipDescription("sample", to: "Sample", inverse: "parts")
        RelationshipDescription("walker", to: "Sample", inverse: "steps")
      }
    }
  }
}

/// One row of a language case, with what hangs on it.
struct Sample: Sendable {
  let label: String
  let values: [String: any ValueConvertible & Sendable]
  let box: [String: any ValueConvertible & Sendable]?
  /// In order: the members of `steps`, and of `parts` without an order.
  let parts: [[String: any ValueConvertible & Sendable]]

  init(
    _ label: String, _ values: [String: any ValueConvertible & Sendable] = [:],
    box: [String: any ValueConvertible & Sendable]? = nil,
    parts: [[String: any ValueConvertible & Sendable]] = []
  ) {
    self.label = label
    self.values = values
    self.box = box
    self.parts = parts
  }
}
