import Foundation

/// Dates as ISO 8601 text in UTC, with exactly the fraction that reading back to an equal date needs.
///
/// A date is a double: seconds since 2001. Its shortest decimal text that reads back to the same double is
/// taken as the exact number of seconds, and calendar arithmetic is done on those digits. So
/// `2001-01-01T00:00:00.1Z` stands for the double nearest to 0.1, whatever its binary expansion.
enum DateText {
  /// Nil for a date that is no number, or so far away that it has no second of its own.
  static func text(of date: Date) -> String? {
    let seconds = date.timeIntervalSinceReferenceDate
    guard seconds.isFinite, abs(seconds) < 1e15 else { return nil }
    let (whole, fraction) = self.floor(of: seconds)
    let days = (whole >= 0 ? whole : whole - 86_399) / 86_400
    let second = Int(whole - days * 86_400)
    // 2001-01-01 is day 11_323 of the count that begins on 1970-01-01.
    let (year, month, day) = self.civil(daysSince1970: days + 11_323)
    let clock = [second / 3600, second / 60 % 60, second % 60].map(self.two).joined(separator: ":")
    return "\(self.year(year))-\(self.two(month))-\(self.two(day))T\(clock)\(fraction)Z"
  }

  /// The whole seconds at or before, and what is left over as `.digits` or nothing.
  private static func floor(of seconds: Double) -> (Int64, String) {
    let whole = seconds.rounded(.towardZero)
    guard whole != seconds else { return (Int64(whole), "") }
    var digits = self.fractionDigits(of: seconds)
    guard seconds < 0 else { return (Int64(whole), "." + String(decoding: digits, as: UTF8.self)) }
    // One second earlier, and the ten's complement of the digits.
    for place in digits.indices {
      digits[place] = (place == digits.count - 1 ? 10 : 9) - (digits[place] - 48) + 48
    }
    return (Int64(whole) - 1, "." + String(decoding: digits, as: UTF8.self))
  }

  /// The digits behind the point of the shortest text, last one not zero.
  private static func fractionDigits(of seconds: Double) -> [UInt8] {
    let text = Array(abs(seconds).description.utf8)
    let end = text.firstIndex(of: UInt8(ascii: "e")) ?? text.count
    let point = text[..<end].firstIndex(of: UInt8(ascii: ".")) ?? end
    guard end < text.count else { return Array(text[(point + 1)...]) }
    // Below 1e-4 the text has an exponent: digits, moved right.
    let exponent = Int(String(decoding: text[(end + 1)...], as: UTF8.self)) ?? 0
    var digits = text[..<point] + text[min(point + 1, end)..<end]
    while digits.last == 48, digits.count > 1 { digits.removeLast() }
    return Array(repeating: 48, count: -exponent - point) + digits
  }

  /// The proleptic Gregorian date of a day number.
  private static func civil(daysSince1970 days: Int64) -> (year: Int64, month: Int, day: Int) {
    // Years that begin in March put the leap day last; 400 of them have 146_097 days.
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let day = Int(dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    let month = Int(marchMonth < 10 ? marchMonth + 3 : marchMonth - 9)
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// Four digits; years outside 0...9999 carry a sign, as the standard's expanded form wants.
  private static func year(_ year: Int64) -> String {
    let digits = String(year.magnitude)
    let padded = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    return year < 0 ? "-" + padded : year > 9999 ? "+" + padded : padded
  }
}
