import FederatedModel
import Foundation

/// What near values have in common, so that they are found by look-up: equal values and near ones share a form.
/// Values that share a form need not be near (``KeyComparison``).
enum KeyForm: Hashable {
  case text(String)
  case number(MatchKey)
  case rounded(UInt32)
  case uuid(UUID)
  /// A day since 2001-01-01 UTC.
  case day(Int)

  /// The forms under which a value is kept.
  static func forms(of value: Value) -> [KeyForm] {
    switch value {
    case .null: return [.text("")]
    case .string(let text), .uri(let text): return self.forms(ofText: text)
    case .int, .bool: return [.number(MatchKey(value))]
    case .double, .decimal: return self.forms(ofNumber: value)
    case .uuid(let uuid): return [.uuid(uuid)]
    case .date(let date): return self.day(of: date).map { [.day($0)] } ?? []
    case .data(let data): return KeyText.uuid(of: data).map { [.uuid($0)] } ?? []
    case .object, .list: return []
    }
  }

  /// The forms under which near values may have been kept.
  static func probes(for value: Value) -> [KeyForm] {
    self.forms(of: value).flatMap { form in
      guard case .day(let day) = form else { return [form] }
      return [day, day - 1, day + 1, day - self.epochDays, day + self.epochDays].map { .day($0) }
    }
  }

  private static let epochDays = Int(KeyComparison.epoch / 86_400)

  private static func forms(ofText text: String) -> [KeyForm] {
    var forms: [KeyForm] = [.text(KeyText.loosened(text, .all))]
    if let number = KeyText.number(of: text) { forms += self.forms(ofNumber: .decimal(number)) }
    if let uuid = KeyText.uuid(of: text) { forms.append(.uuid(uuid)) }
    if let day = KeyText.date(of: text).flatMap(self.day) { forms.append(.day(day)) }
    return forms
  }

  private static func forms(ofNumber value: Value) -> [KeyForm] {
    guard let number = value.keyNumber, number.isFinite else { return [] }
    let rounded = number == number.rounded() ? [] : [KeyForm.rounded(Float(number).bitPattern)]
    return [.number(MatchKey(value))] + rounded
  }

  private static func day(of date: Date) -> Int? {
    let days = (date.timeIntervalSinceReferenceDate / 86_400).rounded(.down)
    return days.magnitude < 1e12 ? Int(days) : nil
  }
}
