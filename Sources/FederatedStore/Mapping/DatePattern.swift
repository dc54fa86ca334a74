internal import Foundation

/// Dates by a Unicode date pattern with English names.
struct DatePattern: Sendable {
  /// Nothing of it is changed after it was made, and Foundation locks what it keeps inside.
  private let formatter: DateFormatter
  /// Whether every text has what it must have to mean an instant.
  private let isComplete: Bool

  init(_ pattern: String, _ policy: ZonePolicy) {
    self.formatter = DateFormatter()
    self.formatter.locale = Locale(identifier: "en_US_POSIX")
    self.formatter.calendar = Calendar(identifier: .gregorian)
    self.formatter.isLenient = false
    self.formatter.timeZone = if case .assumed(let zone) = policy { zone } else { .gmt }
    self.formatter.dateFormat = pattern
    self.isComplete = policy != .required || DatePattern.namesZone(pattern)
  }

  /// Whether a pattern has a letter for the zone outside its quoted texts.
  static func namesZone(_ pattern: String) -> Bool {
    pattern.split(separator: "'", omittingEmptySubsequences: false).enumerated().contains { place, part in
      place.isMultiple(of: 2) && part.contains { "zZOvVXx".contains($0) }
    }
  }

  func date(_ text: String) -> Date? { self.isComplete ? self.formatter.date(from: text) : nil }

  func text(_ date: Date) -> String? { self.isComplete ? self.formatter.string(from: date) : nil }
}
