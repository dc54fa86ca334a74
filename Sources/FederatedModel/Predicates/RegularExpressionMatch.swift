import Foundation

/// A `MATCHES` pattern, compiled once: an ICU regular expression that the whole text must match.
///
/// `^` and `$` also match at line breaks, and `.` also matches them.
public struct RegularExpressionMatch: Sendable {
  private let expression: NSRegularExpression
  private let options: FetchPredicate.Options

  /// - Throws: `invalidRegularExpression`.
  public init(_ pattern: String, _ options: FetchPredicate.Options = []) throws(FetchPredicateError) {
    var matching: NSRegularExpression.Options = [.anchorsMatchLines, .dotMatchesLineSeparators]
    self.options = options.contains(.normalized) ? [] : options
    if self.options.contains(.caseInsensitive) { matching.insert(.caseInsensitive) }
    do {
      // A pattern that closes the group early must not become valid by the wrapping. An empty one is refused alone.
      if !pattern.isEmpty { _ = try NSRegularExpression(pattern: pattern, options: matching) }
      self.expression = try NSRegularExpression(
        pattern: "\\A(?:\(RegularExpressionMatch.stripped(pattern, self.options)))\\z", options: matching)
    } catch {
      throw FetchPredicateError(
        .invalidRegularExpression, subject: Value.string(pattern).description,
        "is no regular expression: correct the pattern, or use CONTAINS or LIKE")
    }
  }

  public func matches(_ text: String) -> Bool {
    let text = RegularExpressionMatch.stripped(text, self.options)
    let whole = NSRange(location: 0, length: text.utf16.count)
    return self.expression.firstMatch(in: text, options: [], range: whole) != nil
  }

  /// `[d]` removes marks from both sides; case is the expression's own business.
  private static func stripped(_ text: String, _ options: FetchPredicate.Options) -> String {
    options.contains(.diacriticInsensitive)
      ? StringMatching.fold(text, options.subtracting(.caseInsensitive)) : text
  }
}

extension StringMatching {
  /// Whether the whole text matches an ICU regular expression. To match many texts, keep a
  /// ``RegularExpressionMatch``.
  public static func matches(
    _ text: String, _ pattern: String, _ options: FetchPredicate.Options = []
  ) throws(FetchPredicateError) -> Bool {
    try RegularExpressionMatch(pattern, options).matches(text)
  }
}
