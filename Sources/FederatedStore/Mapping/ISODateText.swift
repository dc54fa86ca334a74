internal import Foundation

/// Dates as ISO 8601 writes them, and its relatives that have a space for the `T`.
///
/// Read are `2020-05-04`, `2020-05-04T10:00`, `…T10:00:00`, a fraction, and behind a time `Z`, `+02:00`, `+0200` or
/// `+02`. A day alone means its midnight. A day or time that there is none (30 February, an hour that a change of
/// clocks left out) does not fit.
struct ISODateText: Sendable {
  private let policy: ZonePolicy
  /// For texts that name their zone.
  private let universal = ISODateText.style(.gmt)
  /// For texts that do not; nil when they must.
  private let assumed: Date.ISO8601FormatStyle?

  init(_ policy: ZonePolicy) {
    self.policy = policy
    self.assumed = if case .assumed(let zone) = policy { ISODateText.style(zone) } else { nil }
  }

  private static func style(_ zone: TimeZone) -> Date.ISO8601FormatStyle {
    Date.ISO8601FormatStyle(timeZone: zone).year().month().day().time(includingFractionalSeconds: false)
  }

  /// The date that a text means; nil when it means none.
  func date(_ text: String) -> Date? {
    guard let shape = ISODateShape(text) else { return nil }
    guard let style = shape.zone == nil ? self.assumed : self.universal else { return nil }
    // Foundation reads leniently: what it read must come out as it went in.
    let date: Date
    do { date = try style.parse(shape.whole) } catch { return nil }
    guard style.format(date) == shape.whole else { return nil }
    let seconds = date.timeIntervalSinceReferenceDate - Double(shape.zone ?? 0)
    return Date(timeIntervalSinceReferenceDate: seconds + shape.fraction)
  }

  /// The text of a date, with the zone, the separator and the parts of an old text if there is one.
  func text(_ date: Date, like old: String?) -> String? {
    guard date.timeIntervalSinceReferenceDate.isFinite else { return nil }
    let shape = old.flatMap { ISODateShape($0) }
    for place in 0..<(ISODateShape.longestFraction + 3) {
      // A day, then minutes, then seconds with more and more of their fraction.
      let parts: ISODateShape.Parts = place == 0 ? .day : place == 1 ? .minutes : .seconds(digits: place - 2)
      guard parts >= shape?.parts ?? .seconds(digits: 0) else { continue }
      guard let text = self.text(date, parts, shape) else { continue }
      if self.date(text) == date { return text }
    }
    return nil
  }

  private func text(_ date: Date, _ parts: ISODateShape.Parts, _ shape: ISODateShape?) -> String? {
    let seconds = date.timeIntervalSinceReferenceDate
    var whole = seconds.rounded(.down)
    var fraction = ""
    if case .seconds(let digits) = parts, digits > 0 {
      guard let text = SecondsText.fraction(seconds - whole, digits: digits) else { return nil }
      fraction = "." + text
    }
    var style = self.universal
    var zone = "Z"
    if let shape {
      if let offset = shape.zone {
        zone = shape.zoneText
        whole += Double(offset)
      } else if let assumed = self.assumed {
        zone = ""
        style = assumed
      }
    }
    let text = style.format(Date(timeIntervalSinceReferenceDate: whole))
    guard text.utf8.count == 19 else { return nil }
    let (day, time) = (text.prefix(10), text.dropFirst(11))
    let separator = shape?.separator ?? "T"
    switch parts {
    case .day: return zone.isEmpty ? String(day) : nil
    case .minutes: return "\(day)\(separator)\(time.prefix(5))\(zone)"
    case .seconds: return "\(day)\(separator)\(time)\(fraction)\(zone)"
    }
  }
}
