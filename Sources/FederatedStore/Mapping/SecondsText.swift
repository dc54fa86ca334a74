internal import Foundation

/// Dates as a number since some instant.
///
/// Whole numbers and decimal fractions are taken digit by digit, since a double of the seconds since 1970 is too coarse
/// for half of all dates.
enum SecondsText: Sendable {
  case unix, unixMilliseconds, julianDay, reference

  /// From 1970 to 2001.
  private static let epoch: Int64 = 978_307_200
  /// From the beginning of the Julian days to 2001.
  private static let julianMilliseconds = 211_845_067_200_000.0

  /// The date that a number means; nil when the text is no number.
  func date(_ text: String) -> Date? {
    guard let seconds = self.seconds(text), seconds.isFinite else { return nil }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  private func seconds(_ text: String) -> Double? {
    if self == .julianDay {
      // Whole milliseconds, which is what a day number of this size can hold.
      return text.withBytes(NumberText.double).map { day in
        ((day * 86_400_000).rounded() - SecondsText.julianMilliseconds) / 1000
      }
    }
    guard let (whole, fraction) = SecondsText.split(text) else {
      guard let number = text.withBytes(NumberText.double) else { return nil }
      switch self {
      case .unix: return number - Double(SecondsText.epoch)
      case .unixMilliseconds: return number / 1000 - Double(SecondsText.epoch)
      case .julianDay, .reference: return number
      }
    }
    switch self {
    case .unix: return Double(whole - SecondsText.epoch) + fraction
    case .unixMilliseconds:
      let (seconds, rest) = whole.quotientAndRemainder(dividingBy: 1000)
      return Double(seconds - SecondsText.epoch) + (Double(rest) + fraction) / 1000
    case .julianDay, .reference: return Double(whole) + fraction
    }
  }

  /// A plain number in two parts of one sign; nil for one with an exponent, or too long.
  private static func split(_ text: String) -> (whole: Int64, fraction: Double)? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = String(parts[0]).withBytes(NumberText.integer), whole.magnitude < 1 << 60 else {
      return nil
    }
    if parts.count == 1 { return (whole, 0) }
    guard !parts[1].isEmpty, parts[1].utf8.allSatisfy(\.isDigit), let fraction = Double("0." + parts[1])
    else {
      return nil
    }
    return (whole, text.hasPrefix("-") ? -fraction : fraction)
  }

  /// The shortest number that means exactly this date; nil when there is none.
  func text(_ date: Date) -> String? {
    let seconds = date.timeIntervalSinceReferenceDate
    guard seconds.magnitude < 1e15 else { return nil }
    if self == .julianDay {
      let number = ((seconds * 1000).rounded() + SecondsText.julianMilliseconds) / 86_400_000
      return self.date(number.description) == date ? number.description : nil
    }
    for digits in 0...18 {
      if let text = self.text(seconds, digits: digits), self.date(text) == date { return text }
    }
    return nil
  }

  private func text(_ seconds: Double, digits: Int) -> String? {
    var whole = seconds.rounded(.down)
    var rest = seconds - whole
    let shift = self == .reference ? 0 : SecondsText.epoch
    // Below zero a number's fraction counts away from zero.
    let isNegative = Int64(whole) + shift < 0
    if isNegative, rest > 0 {
      whole += 1
      rest = 1 - rest
    }
    guard let fraction = SecondsText.fraction(rest, digits: digits) else { return nil }
    let number = (Int64(whole) + shift).magnitude
    let sign = isNegative ? "-" : ""
    if self != .unixMilliseconds { return digits == 0 ? "\(sign)\(number)" : "\(sign)\(number).\(fraction)" }
    let padded = fraction + String(repeating: "0", count: max(0, 3 - digits))
    let milliseconds = number * 1000 + (UInt64(padded.prefix(3)) ?? 0)
    return digits <= 3 ? "\(sign)\(milliseconds)" : "\(sign)\(milliseconds).\(padded.dropFirst(3))"
  }

  /// The digits of a fraction behind the point; nil when rounded it is a whole.
  static func fraction(_ value: Double, digits: Int) -> String? {
    if digits == 0 { return "" }
    let power = (0..<digits).reduce(1.0) { power, _ in power * 10 }
    let scaled = (value * power).rounded()
    guard scaled >= 0, scaled < power, let number = UInt64(exactly: scaled) else { return nil }
    let text = String(number)
    return String(repeating: "0", count: digits - text.count) + text
  }
}
