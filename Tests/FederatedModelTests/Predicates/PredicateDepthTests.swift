import Dispatch
import FederatedModel
import Foundation
import Testing

/// Deep and long predicates, on the smallest stack that a thread usually has.
@Suite("Nothing that is parsed can end the stack (PR-84)") struct PredicateDepthTests {
  private func onSmallStack(_ body: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      body()
      done.signal()
    }
    thread.stackSize = 512 * 1024
    thread.start()
    done.wait()
  }

  /// Parses, prints, binds, hashes, encodes and answers.
  private static func walk(_ format: String) {
    do {
      let predicate = try FetchPredicate(format: format)
      _ = try predicate.bound(to: Library.shared.entity("Author"), in: Library.shared.model)
        .evaluate(Library.shared.subject("a1"))
      _ = predicate.substituting(["v": .int(1)])
      #expect(try FetchPredicate(format: predicate.description) == predicate)
      #expect(predicate.hashValue == predicate.hashValue)
    } catch {
      Issue.record("\(format.prefix(60)): \(error)")
    }
  }

  private static func nested(_ open: String, _ middle: String, _ close: String, _ count: Int) -> String {
    String(repeating: open, count: count) + middle + String(repeating: close, count: count)
  }

  @Test("300 nested parentheses and 1500 terms parse and run (PR-84)")
  func wanted() {
    self.onSmallStack {
      Self.walk(Self.nested("(", "code == 1", ")", 300))
      Self.walk(Self.nested("(", "code", ")", 300) + " == 1")
      Self.walk(Self.nested("(code == 1 OR ", "code == 2", ")", 300))
      Self.walk((0..<1500).map { "code != \($0)" }.joined(separator: " AND "))
      Self.walk((0..<1500).map { "code != \($0)" }.joined(separator: " OR "))
      Self.walk("code IN {" + (0..<5000).map { "\($0)" }.joined(separator: ",") + "}")
    }
  }

  @Test("a list of 50,000 and a call of 50,000 are read in one go (PR-84)")
  func longLists() {
    let numbers = (0..<50_000).map { "\($0)" }.joined(separator: ",")
    Self.walk("code IN {\(numbers)}")
    Self.walk("max(\(numbers)) == 49999")
  }

  @Test(
    "every way to nest is walked up to the limit and refused beyond it",
    arguments: [
      ("(", "code == 1", ")"), ("NOT (code == 1 AND ", "code == 1", ")"), ("NOT ", "code == 1", ""),
      ("TERNARY(TRUEPREDICATE, 1, ", "2", ")"), ("abs(", "code", ")"), ("-(", "code", ")"),
      ("(code + ", "code", ")"),
      ("SUBQUERY(books, $b, ", "TRUEPREDICATE", ").@count == 1"), ("{", "1", "}"), ("books[", "1", "]"),
      ("code + ", "code", ""),
      ("-", "code", ""), ("~", "code", ""),
    ])
  func everyWay(open: String, middle: String, close: String) {
    self.onSmallStack {
      for count in [1, 30, 60, 100, 150, 154, 155, 300, 310, 1000, 20_000] {
        var format = Self.nested(open, middle, close, count)
        if !format.contains("==") { format += " == 1" }
        do throws(PredicateFormatError) {
          let predicate = try FetchPredicate(format: format)
          _ = predicate.description
          _ = predicate.hashValue
          do {
            // An author of one book: two would double the work of nested subqueries at every level.
            _ = try predicate.bound(to: Library.shared.entity("Author"), in: Library.shared.model)
              .evaluate(Library.shared.subject("a2"))
          } catch is FetchPredicateError {
          } catch {
            Issue.record("\(error)")
          }
        } catch {
          if count <= 60 && !open.hasPrefix("SUB") || error.code != .nestedTooDeep {
            Issue.record("\(count): \(error.code) \(error.column)")
          }
        }
      }
    }
  }
}
