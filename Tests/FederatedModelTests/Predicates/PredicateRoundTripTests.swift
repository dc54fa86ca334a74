import FederatedModel
import Foundation
import Testing

@Suite("What is printed reads back as the same tree") struct PredicateRoundTripTests {
  @Test("random trees (PR-62)")
  func randomTrees() {
    let seed = UInt64.random(in: .min ... .max)
    var random = RandomPredicates(seed: seed)
    for round in 0..<4000 {
      let predicate = random.predicate(depth: 1 + round % 5)
      let text = predicate.description
      do {
        let read = try FetchPredicate(format: text)
        let isSame = read == predicate && read.hashValue == predicate.hashValue && read.description == text
        #expect(isSame, "seed \(seed), round \(round): \(text)\n\(read)")
        if !isSame { return }
      } catch {
        Issue.record("seed \(seed), round \(round): \(text)\n\(error)")
        return
      }
    }
  }

  @Test("no text makes the parser trap")
  func noise() {
    let seed = UInt64.random(in: .min ... .max)
    var random = RandomPredicates(seed: seed)
    let words = [
      "a", "(", ")", "==", "AND", "OR", "NOT", "{", "}", ",", "ANY", "'", "\"", "\\", "1", "-", ".", "[", "]",
      "$", "@", "#", "%@",
      "%K", "SUBQUERY", "TERNARY", "CAST", ":", ":=", "!", "IN", " ", "é", "0x", "1e", "sum(", "SELF", "\n",
      "\u{0}",
    ]
    for _ in 0..<20_000 {
      let text = (0..<random.pick(12)).map { _ in words[random.pick(words.count)] }.joined(
        separator: random.flip() ? " " : "")
      do {
        let predicate = try FetchPredicate(format: text)
        #expect(try FetchPredicate(format: predicate.description) == predicate, "\(text)")
      } catch {
        #expect(error.column >= 1 && error.column <= text.count + 1, "seed \(seed): \(text): \(error)")
      }
    }
  }
}
