import FederatedData
import Foundation

extension FetchCommand {
  func checkExplained() throws {
    guard self.format != .csv else {
      throw ToolError.usage(
        "--format", "an explanation has no CSV form; use --format json, or leave it out for text")
    }
    guard self.limit != 0 else {
      throw ToolError.usage("--limit", "0 asks no store, so there is nothing to explain; give another limit")
    }
  }

  /// Prints how the question is answered, and how what `--with` follows is.
  func explain(
    _ request: FetchRequest, by plan: RecordPlan, from context: ManagedObjectContext, to output: ResultOutput
  ) throws {
    var request = request
    // The question as a whole, not batch by batch.
    request.fetchBatchSize = 0
    // Lines of columns are counted as they are made.
    if self.countsOnly, self.columns == nil { request.resultType = .count }
    let explanation = try context.withReadScope {
      let fetch = try context.explain(request)
      if self.followed.isEmpty { return Explanation(fetch: fetch, with: []) }
      let reports = try plan.explainPrefetch(for: context.fetch(request), in: context)
      return Explanation(fetch: fetch, with: reports.map { .init(path: $0.path, prefetch: $0.report) })
    }
    try output.write(try self.text(of: explanation) + "\n")
  }

  private func text(of explanation: Explanation) throws -> String {
    guard self.namesFormat, self.format.nests else { return explanation.text }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if self.format == .json { encoder.outputFormatting.insert(.prettyPrinted) }
    return String(decoding: try encoder.encode(explanation), as: UTF8.self)
  }
}

/// The fetch, and each path that it follows.
private struct Explanation: Encodable {
  let fetch: FetchExplanation
  let with: [Followed]

  struct Followed: Encodable {
    let path: String
    let prefetch: PrefetchReport
  }

  var text: String {
    ([self.fetch.description]
      + self.with.map { followed in
        let lines = followed.prefetch.description.split(separator: "\n").map { "\n  \($0)" }
        return "with \(followed.path)\(lines.joined())"
      }).joined(separator: "\n")
  }
}
