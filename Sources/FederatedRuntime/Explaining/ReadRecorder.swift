package import FederatedStore

/// Keeps how the questions of a read were answered, while somebody wants to know.
package final class ReadRecorder {
  package enum Entry {
    case question(QuestionExplanation)
    case step(ExplanationStep)
  }

  /// What was asked so far, in order. Questions inside a step belong to it.
  package private(set) var entries: [Entry] = []
  private var asking: QuestionExplanation?
  private var steps: [ExplanationStep] = []
  /// The links that were followed, in the order in which they were; a link of a link comes before what it is part of.
  private(set) var links: [LinkShare] = []
  private(set) var pending: (share: PendingShare, depth: Int)?

  package init() {}

  /// Whether a question is under way; what it asks of other stores and rows belongs to it.
  package var isAsking: Bool { self.asking != nil }

  // MARK: Questions

  /// Notes a question from its first store to its last.
  package func ask<Answer>(
    _ question: QuestionExplanation, rows: (Answer) -> Int,
    leftOut: (QuestionExplanation) -> [StoreLeftOut], _ body: () throws -> Answer
  ) rethrows -> Answer {
    self.asking = question
    defer { self.asking = nil }
    let answer = try body()
    if var question = self.asking {
      question.rows = rows(answer)
      question.leftOut = leftOut(question)
      self.add(question)
    }
    return answer
  }

  /// Runs one query of one store and notes it: in the question under way, or as one of its own.
  package func run(
    _ query: StoreQuery, of entity: String, in store: any PersistentStore, _ scope: any ReadScope
  ) throws(StoreError) -> StoreAnswer {
    let (answer, explanation) = try scope.run(explaining: query)
    let description = store.description
    let share = StoreShare(name: description.name, type: description.type.name, explanation: explanation)
    if self.asking != nil {
      self.asking?.stores.append(share)
    } else {
      var question = QuestionExplanation(.values, entity: entity)
      question.stores = [share]
      question.rows = answer.rowCount
      self.add(question)
    }
    return answer
  }

  package func add(_ question: QuestionExplanation) {
    if self.steps.isEmpty {
      self.entries.append(.question(question))
    } else {
      self.steps[self.steps.count - 1].questions.append(question)
    }
  }

  // MARK: Steps and changes

  /// Gathers the questions of `body` under a title.
  package func step<Result>(
    _ title: String, keys: (Result) -> Int, _ body: () throws -> Result
  ) rethrows -> Result {
    self.steps.append(ExplanationStep(title))
    var moved = 0
    defer {
      var step = self.steps.removeLast()
      step.keys = moved
      self.entries.append(.step(step))
    }
    let result = try body()
    moved = keys(result)
    return result
  }

  /// Notes how a link was followed.
  func note(_ link: LinkShare) { self.links.append(link) }

  /// Notes what unsaved changes did. Fetches inside a fetch lie deeper, and do not count.
  func note(_ pending: PendingShare, depth: Int) {
    if let known = self.pending, known.depth <= depth { return }
    self.pending = (pending, depth)
  }

  /// The questions noted from an entry on, those of steps among them.
  func questions(from start: Int) -> [QuestionExplanation] {
    self.entries[start...].flatMap { entry in
      switch entry {
      case .question(let question): [question]
      case .step(let step): step.questions
      }
    }
  }
}
