import FederatedModel
import Foundation

/// How far two key values are from being equal.
enum KeyComparison {
  /// The differences between two values.
  /// - Returns: none for equal ones; nil for values that have nothing to do with each other.
  static func differences(_ a: Value, _ b: Value) -> [KeyDifference]? {
    if a.matches(b) { return [] }
    if let one = a.keyText, let other = b.keyText { return self.texts(one, other) }
    if let differences = self.mixed(a, b) ?? self.mixed(b, a) { return differences }
    switch (a, b) {
    case (.date(let one), .date(let other)): return self.dates(one, other)
    case (.uuid(let uuid), .data(let data)), (.data(let data), .uuid(let uuid)):
      return KeyText.uuid(of: data) == uuid ? [.uuidForm] : nil
    default: return self.numbers(a, b)
    }
  }

  private static func texts(_ a: String, _ b: String) -> [KeyDifference]? {
    guard KeyText.loosened(a, KeyText.Steps.all) == KeyText.loosened(b, KeyText.Steps.all) else {
      if let one = KeyText.uuid(of: a), one == KeyText.uuid(of: b) { return [.uuidForm] }
      if let one = KeyText.number(of: a), let other = KeyText.number(of: b), one == other {
        return [.numberText]
      }
      return nil
    }
    // The mightiest steps are left out first, so that what remains is the least that makes the two one text.
    var steps = KeyText.Steps.all
    var needed: [KeyDifference] = []
    for (step, difference) in KeyText.Steps.mightiestFirst {
      let fewer = steps.subtracting(step)
      if KeyText.areSame(KeyText.loosened(a, fewer), KeyText.loosened(b, fewer)) {
        steps = fewer
      } else {
        needed.insert(difference, at: 0)
      }
    }
    return needed
  }

  /// A text, or nil, against a value of another kind.
  private static func mixed(_ value: Value, _ other: Value) -> [KeyDifference]? {
    guard let text = other.keyText else { return nil }
    switch value {
    case .null: return KeyText.loosened(text, .all).isEmpty ? [.emptyText] : nil
    case .int, .double, .decimal, .bool:
      return KeyText.number(of: text).map { value.matches(.decimal($0)) } == true ? [.numberText] : nil
    case .uuid(let uuid): return KeyText.uuid(of: text) == uuid ? [.uuidForm] : nil
    case .date(let date):
      return KeyText.date(of: text).flatMap { spelt in
        date == spelt ? [.dateText] : self.dates(date, spelt).map { [.dateText] + $0 }
      }
    default: return nil
    }
  }

  private static func numbers(_ a: Value, _ b: Value) -> [KeyDifference]? {
    guard let one = a.keyNumber, let other = b.keyNumber, one.isFinite, other.isFinite else { return nil }
    // Whole numbers are what they are.
    if one == one.rounded(), other == other.rounded() { return nil }
    return Float(one) == Float(other) ? [.numberPrecision] : nil
  }

  /// Seconds between 1970 and 2001.
  static let epoch = Date.timeIntervalBetween1970AndReferenceDate

  private static func dates(_ a: Date, _ b: Date) -> [KeyDifference]? {
    let (one, other) = (a.timeIntervalSinceReferenceDate, b.timeIntervalSinceReferenceDate)
    let apart = abs(one - other)
    guard apart.isFinite else { return nil }
    if apart < 1 { return [.dateFraction] }
    if apart <= 14 * 3600, apart.truncatingRemainder(dividingBy: 3600) == 0 {
      let isDay =
        one.truncatingRemainder(dividingBy: 86_400) == 0
        || other.truncatingRemainder(dividingBy: 86_400) == 0
      return isDay && self.floor(one, 86_400) == self.floor(other, 86_400) ? [.dateDay] : [.timeZone]
    }
    if self.isTruncated(one, other, to: 60) { return [.dateFraction] }
    if self.isTruncated(one, other, to: 86_400) { return [.dateDay] }
    return abs(apart - self.epoch) < 1 ? [.dateEpoch] : nil
  }

  private static func floor(_ seconds: Double, _ unit: Double) -> Double { (seconds / unit).rounded(.down) }

  /// Whether one is the other without what is left over of a unit.
  private static func isTruncated(_ a: Double, _ b: Double, to unit: Double) -> Bool {
    self.floor(a, unit) == self.floor(b, unit)
      && (a.truncatingRemainder(dividingBy: unit) == 0 || b.truncatingRemainder(dividingBy: unit) == 0)
  }
}

extension Value {
  /// The characters of a text or a URI.
  var keyText: String? {
    switch self {
    case .string(let text), .uri(let text): text
    default: nil
    }
  }

  /// A number as a double.
  var keyNumber: Double? {
    switch self {
    case .int(let number): Double(number)
    case .double(let number): number
    case .decimal(let number): number.isNaN ? nil : number.nearestDouble
    default: nil
    }
  }
}
