internal import FederatedModel
internal import FederatedRuntime
internal import Foundation
internal import Testing

/// A condition of the predicate language with the labels of the samples that it chooses.
struct LanguageQuestion: Sendable {
  let format: String
  let arguments: [any PredicateArgument & Sendable]
  let labels: Set<String>

  init(_ format: String, _ arguments: (any PredicateArgument & Sendable)..., finds labels: Set<String>) {
    self.format = format
    self.arguments = arguments
    self.labels = labels
  }
}

extension StackCase where Stack == LanguageStack {
  /// Asks every question three times: of unsaved rows, of saved rows, and of saved rows that all have unsaved edits.
  /// Each printed condition must read back as itself.
  init(_ description: String, _ samples: [Sample], _ questions: [LanguageQuestion]) {
    self.init(description) { (stack: LanguageStack) throws in
      let context = stack.makeContext()
      try stack.fill(samples, in: context)
      try Self.ask(questions, "unsaved", stack, context)
      try context.save()
      try Self.ask(questions, "saved", stack, stack.makeContext())
      let edited = stack.makeContext()
      for sample in try edited.fetch(FetchRequest("Sample")) {
        try sample.set("label", to: sample.value("label"))
        try sample.set("bytes", to: .data(Data([1])))
      }
      try Self.ask(questions, "edited", stack, edited)
    }
  }

  private static func ask(
    _ questions: [LanguageQuestion], _ state: String, _ stack: LanguageStack, _ context: ManagedObjectContext
  ) throws {
    for question in questions {
      let predicate = try FetchPredicate(format: question.format, arguments: question.arguments)
      #expect(
        try stack.labels(predicate, in: context) == question.labels, "\(state): \(predicate)")
      #expect(
        try context.count(for: FetchRequest("Sample", where: predicate)) == question.labels.count,
        "\(state): \(predicate)")
      // PR-62
      #expect(try FetchPredicate(format: predicate.description) == predicate)
    }
  }
}
