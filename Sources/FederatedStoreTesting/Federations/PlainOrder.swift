import FederatedModel
import Foundation

/// The order of two values of one attribute, said once more in the plainest way.
enum PlainOrder {
  /// Below 0 when the first comes first. nil comes before everything.
  static func compare(_ a: Value, _ b: Value, by comparison: FetchSortDescriptor.Comparison) -> Int {
    switch (a, b) {
    case (.null, .null): 0
    case (.null, _): -1
    case (_, .null): 1
    case (.string(let a), .string(let b)): self.texts(a, b, by: comparison)
    case (.uri(let a), .uri(let b)): self.texts(a, b, by: .scalar)
    case (.int(let a), .int(let b)): self.order(a, b)
    case (.double(let a), .double(let b)): self.order(a, b)
    case (.decimal(let a), .decimal(let b)): self.order(a, b)
    case (.bool(let a), .bool(let b)): self.order(a ? 1 : 0, b ? 1 : 0)
    case (.date(let a), .date(let b)):
      self.order(a.timeIntervalSinceReferenceDate, b.timeIntervalSinceReferenceDate)
    case (.uuid(let a), .uuid(let b)):
      self.texts(a.uuidString, b.uuidString, by: .scalar)
    case (.data(let a), .data(let b)):
      Array(a) == Array(b) ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1
    default: preconditionFailure("\(a) and \(b) are of one attribute and have an order")
    }
  }

  private static func order<Number: Comparable>(_ a: Number, _ b: Number) -> Int {
    a < b ? -1 : a == b ? 0 : 1
  }

  private static func texts(
    _ a: String, _ b: String, by comparison: FetchSortDescriptor.Comparison
  ) -> Int {
    switch comparison {
    case .scalar: self.scalars(a, b)
    case .caseInsensitive:
      self.scalars(self.folded(a), self.folded(b))
    case .localized: a.localizedCompare(b).rawValue
    case .localizedCaseInsensitive: a.localizedCaseInsensitiveCompare(b).rawValue
    case .localizedStandard: a.localizedStandardCompare(b).rawValue
    }
  }

  private static func folded(_ text: String) -> String {
    text.folding(options: .caseInsensitive, locale: nil).decomposedStringWithCanonicalMapping
  }

  private static func scalars(_ a: String, _ b: String) -> Int {
    let (a, b) = (a.unicodeScalars, b.unicodeScalars)
    return a.elementsEqual(b) ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1
  }
}
