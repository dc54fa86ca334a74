import FederatedData
import FederatedStoreTesting
import Foundation
import Testing

/// Every question has one answer, whatever holds the rows: the rules of the page One meaning.
///
/// `FEDERATED_MEANING_QUESTIONS` asks so many questions of each seed, and `FEDERATED_MEANING_SEEDS` takes other seeds,
/// with commas between them; see CONTRIBUTING.
@Suite("One meaning")
struct OneMeaningTests {
  private static let plans = [
    FederationPlan(.inMemory), FederationPlan(.xml), FederationPlan(.sqlite), FederationPlan(.sqlite, .xml),
    FederationPlan(.xml, .inMemory), .pending(over: .sqlite), .pending(over: .xml),
  ]

  private static let environment = ProcessInfo.processInfo.environment

  /// Three that stay, and one that no run has seen.
  static let seeds: [UInt64] =
    Self.environment["FEDERATED_MEANING_SEEDS"].map { $0.split(separator: ",").compactMap { UInt64($0) } }
    ?? [20_010_101, 7, 4_294_967_311, .random(in: 0..<1_000_000)]

  private static let questions =
    Self.environment["FEDERATED_MEANING_QUESTIONS"].flatMap { Int($0) } ?? 450

  @Test("every store, and several as one, answer what the rows say", arguments: Self.seeds)
  func answers(_ seed: UInt64) throws {
    let report = try FederationComparison(Self.plans, seed: seed).run(questions: Self.questions)
    print(
      "seed \(seed): \(report.comparisons) comparisons, \(report.telling) of them telling, \(report.refused) refusals"
    )
    #expect(report.comparisons >= Self.questions * (Self.plans.count - 1))
    #expect(report.telling * 5 >= report.comparisons * 2, "most conditions choose nothing, or everything")
    #expect(report.refused > 0)
  }
}
