public import FederatedModel
public import FederatedStore

/// Asks two stores with the same rows the same questions, and says where they differ.
///
/// ```swift
/// try StoreComparison(.inMemory, against: StoreUnderTest(.csv), seed: 7).run(questions: 500)
/// ```
public struct StoreComparison {
  private let left: Side
  private let right: Side
  private let model: ManagedObjectModel
  private let seed: UInt64

  private struct Side {
    let name: String
    /// Keeps the store's folder.
    let test: StoreUnderTest
    let open: OpenStore
    let numbers: [RowIdentity: Int]

    init(_ test: StoreUnderTest, _ open: OpenStore, _ rows: [RowIdentity]) {
      self.name = test.type.name
      self.test = test
      self.open = open
      self.numbers = Dictionary(uniqueKeysWithValues: rows.enumerated().map { ($1, $0) })
    }
  }

  private struct Question {
    var entity: Entity
    var predicate: FetchPredicate
    var order: [FetchSortDescriptor]
    var window: (offset: Int, limit: Int?)
  }

  /// What a store makes of a question: row numbers, or a refusal.
  private enum Outcome: Equatable, CustomStringConvertible {
    case rows([Int])
    case refused(String)

    var description: String {
      switch self {
      case .rows(let numbers): "rows \(numbers)"
      case .refused(let reason): reason
      }
    }
  }

  /// Fills an in-memory store and the store under test with the same random rows.
  /// - Parameter reopened: whether the store under test is closed and opened again before it is asked.
  public init(
    _ reference: StoreType = .inMemory, against subject: StoreUnderTest, seed: UInt64, rows: Int = 60,
    reopened: Bool = true
  ) throws {
    self.seed = seed
    self.model = subject.model
    let generator = RowGenerator(self.model, seed: seed, count: rows)
    let other = try StoreUnderTest(reference, isPersistent: false, model: self.model)
    let (left, right) = (try other.open(), try subject.open())
    self.left = Side(other, left, try generator.fill(left))
    let identities = try generator.fill(right)
    guard reopened, subject.url != nil else {
      self.right = Side(subject, right, identities)
      return
    }
    right.store.close()
    self.right = Side(subject, try subject.open(), identities)
  }

  /// Compares the answers to random questions.
  /// - Throws: ``ConformanceFailure`` with the seed and the smallest predicate that still shows a difference.
  public func run(questions: Int) throws {
    var generator = PredicateGenerator(self.model, seed: self.seed)
    let entities = ["Record", "Note", "Memo", "Folder", "Tag"].compactMap { self.model.entity(named: $0) }
    for number in 0..<questions {
      let entity = entities[number % entities.count]
      let question = Question(
        entity: entity, predicate: generator.predicate(of: entity), order: generator.order(of: entity),
        window: generator.window())
      guard let difference = try self.difference(question) else { continue }
      let (smallest, last) = try self.shrunk(question, difference)
      throw ConformanceFailure(
        detail: "seed \(self.seed), question \(number), \(entity.name) where \(smallest.predicate), order "
          + "\(Self.text(smallest.order)), window \(smallest.window): \(last)",
        file: #fileID, line: #line)
    }
  }

  /// Compares the answers to one predicate, as text.
  public func ask(_ entity: String, _ format: String, order: [FetchSortDescriptor] = []) throws {
    let entity = self.left.open.entity(entity)
    let question = Question(
      entity: entity, predicate: try FetchPredicate(format: format), order: order, window: (0, nil))
    if let difference = try self.difference(question) {
      throw ConformanceFailure(
        detail: "seed \(self.seed), \(entity.name) where \(format), order \(Self.text(order)): \(difference)",
        file: #fileID, line: #line)
    }
  }

  private static func text(_ order: [FetchSortDescriptor]) -> String {
    order.map { ($0.ascending ? "" : "-") + $0.key + "[\($0.comparison)]" }.description
  }

  // MARK: Asking

  private func difference(_ question: Question) throws -> String? {
    let (left, right) = (try self.outcome(question, self.left), try self.outcome(question, self.right))
    return left == right ? nil : "\(self.left.name) answers \(left), \(self.right.name) answers \(right)"
  }

  private func outcome(_ question: Question, _ side: Side) throws -> Outcome {
    do {
      var query = StoreQuery(entity: question.entity.id)
      query.predicate = try question.predicate.bound(to: question.entity, in: self.model)
      query.order = try question.order.map { try $0.bound(to: question.entity, in: self.model) }
      query.offset = question.window.offset
      query.limit = question.window.limit
      let rows = try side.open.rows(query)
      var count = query
      count.shape = .count
      if case .count(let number) = try side.open.run(count), number != rows.count {
        return .refused("a count of \(number) for \(rows.count) rows")
      }
      return .rows(
        rows.map { side.numbers[RowIdentity(entity: $0.entity, reference: $0.reference)] ?? -1 })
    } catch let error as FetchPredicateError {
      return .refused("refused: \(error.code)")
    } catch let error as StoreError where error.code == .predicate {
      return .refused("refused: \((error.underlying as? FetchPredicateError)?.code.rawValue ?? error.detail)")
    }
  }

  // MARK: Shrinking

  /// Drops what can be dropped while the stores still differ.
  private func shrunk(_ question: Question, _ difference: String) throws -> (Question, String) {
    var best = (question, difference)
    search: while true {
      for smaller in Self.smaller(best.0) {
        if let difference = try self.difference(smaller) {
          best = (smaller, difference)
          continue search
        }
      }
      return best
    }
  }

  private static func smaller(_ question: Question) -> [Question] {
    var questions: [Question] = []
    var plain = question
    plain.order = []
    plain.window = (0, nil)
    if !question.order.isEmpty || question.window.offset != 0 || question.window.limit != nil {
      questions.append(plain)
    }
    for predicate in question.predicate.smaller {
      var next = question
      next.predicate = predicate
      questions.append(next)
    }
    return questions
  }
}
