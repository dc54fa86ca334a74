import FederatedModel

/// Asks federations that hold the same generated rows the same questions, and compares every answer with what the rows
/// themselves say.
///
/// The questions are requests to a context: conditions in the whole language, sort keys through to-ones, windows,
/// columns, groups, and some that must be refused. What is right is found without any store: each row is judged by
/// itself, sorted by a plain comparison, cut by slicing, grouped with dictionaries.
///
/// ```swift
/// let comparison = try FederationComparison(
///   [FederationPlan(.csv), FederationPlan(.csv, .inMemory), .pending(over: .csv)], seed: 7)
/// let report = try comparison.run(questions: 500)
/// ```
public struct FederationComparison {
  /// What a run was worth.
  public struct Report: Sendable {
    /// Answers that were compared.
    public internal(set) var comparisons = 0
    /// Comparisons whose condition chose some rows, and not all.
    public internal(set) var telling = 0
    /// Comparisons in which an error was the right answer.
    public internal(set) var refused = 0
  }

  private let model: ManagedObjectModel
  private let seed: UInt64
  private let rows: GeneratedRows
  private let federations: [GeneratedFederation]

  /// Fills a federation of each plan with the same rows.
  /// - Parameter rows: how many records; other entities have fewer rows.
  /// - Throws: what a store throws when the rows are saved.
  public init(_ plans: [FederationPlan], seed: UInt64, rows: Int = 40) throws {
    let model = try ConformanceModel.make()
    let generated = GeneratedRows(model, seed: seed, count: rows)
    self.model = model
    self.seed = seed
    self.rows = generated
    self.federations = try plans.map { try GeneratedFederation($0, generated, model, seed: seed) }
  }

  /// Asks every federation random questions.
  /// - Throws: ``ConformanceFailure`` with the seed, the smallest question and the fewest rows that still show a wrong
  ///   answer.
  public func run(questions: Int) throws -> Report {
    var report = Report()
    var generator = QuestionGenerator(self.model, over: self.rows, seed: self.seed)
    let plain = PlainAnswer(PlainTable(self.rows, self.model))
    for number in 0..<questions {
      let question = generator.question()
      let expected = try Expectation(question, plain)
      for federation in self.federations {
        guard let difference = try expected.difference(to: federation) else {
          report.comparisons += expected.asks(federation) ? 1 : 0
          report.telling += expected.asks(federation) && expected.isTelling ? 1 : 0
          report.refused += expected.asks(federation) && expected.refusal != nil ? 1 : 0
          continue
        }
        let shrinking = QuestionShrinking(self.model, self.rows, federation.plan, seed: self.seed)
        throw ConformanceFailure(
          detail: "seed \(self.seed), question \(number), " + (try shrinking.smallest(question, difference)),
          file: #fileID, line: #line)
      }
    }
    return report
  }
}

/// The right answer to a question, ready to be compared with those of federations.
struct Expectation {
  private let question: GeneratedQuestion
  private let plain: PlainAnswer
  private let chosen: [PlainRow]
  let isTelling: Bool
  /// The code of the error that is the right answer.
  let refusal: String?

  init(_ question: GeneratedQuestion, _ plain: PlainAnswer) throws {
    self.question = question
    self.plain = plain
    do {
      self.chosen = question.refusal == nil ? try plain.chosen(by: question) : []
      self.refusal = question.refusal
      self.isTelling = !self.chosen.isEmpty && self.chosen.count < plain.everything(question)
    } catch let error as FetchPredicateError {
      self.chosen = []
      self.refusal = error.code.rawValue
      self.isTelling = false
    }
  }

  /// Dictionaries show what is saved, so a context with unsaved changes is asked for objects only.
  func asks(_ federation: GeneratedFederation) -> Bool {
    !federation.plan.isPending || self.question.shape.isOfRows
  }

  /// What differs, as a sentence; nil when the answer is right.
  func difference(to federation: GeneratedFederation) throws -> String? {
    guard self.asks(federation) else { return nil }
    var asked = self.question
    // Among unsaved and saved objects only sort keys make an order.
    let isSet = federation.plan.isPending && asked.sorts.isEmpty
    if isSet, case .count = asked.shape {} else if isSet { (asked.offset, asked.limit) = (0, 0) }
    let found = try federation.outcome(of: asked)
    let expected: QuestionOutcome
    if let refusal = self.refusal {
      expected = .refused(refusal)
    } else {
      do {
        expected = try self.plain.outcome(of: asked, chosen: self.chosen) { federation.rank($0) }
      } catch let error as FetchPredicateError {
        expected = .refused(error.code.rawValue)
      }
    }
    if isSet ? found.sorted == expected.sorted : found == expected { return nil }
    return "\(federation.plan) answers \(found), and the rows say \(expected)"
  }
}

extension QuestionOutcome {
  /// Rows without their order.
  fileprivate var sorted: QuestionOutcome {
    if case .rows(let numbers) = self { .rows(numbers.sorted()) } else { self }
  }
}
