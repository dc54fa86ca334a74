import FederatedModel
import Foundation
import Testing

@testable import FederatedStore

/// Dates in files made by others: their shapes, their zones, and every digit of them.
struct ForeignDateTests {
  static let noon = Date(timeIntervalSinceReferenceDate: 610_286_400)
  static let berlin = ZonePolicy.assumed(TimeZone(identifier: "Europe/Berlin").unsafelyUnwrapped)

  @Test(
    "a date with a zone means one instant, in every shape",
    arguments: [
      "2020-05-04T12:00:00Z", "2020-05-04T12:00Z", "2020-05-04T12:00:00.000Z", "2020-05-04T14:00:00+02:00",
      "2020-05-04T14:00:00+0200", "2020-05-04T14:00:00+02", "2020-05-04 09:30:00-02:30",
      "2020-05-04t12:00:00z",
      " 2020-05-04T12:00:00Z\n",
    ])
  func shapes(_ text: String) {
    #expect(ValueFormat.iso8601(.required).value(of: text, as: .date) == .date(Self.noon))
    #expect(ValueFormat.standard.value(of: text, as: .date, zone: Self.berlin) == .date(Self.noon))
  }

  @Test("a date without a zone means what the policy says, and never the machine's zone (BR-71)")
  func zones() {
    let text = "2020-05-04T12:00:00"
    #expect(ValueFormat.iso8601(.utc).value(of: text, as: .date) == .date(Self.noon))
    #expect(ValueFormat.iso8601(Self.berlin).value(of: text, as: .date) == .date(Self.noon - 7200))
    #expect(ValueFormat.iso8601(.required).value(of: text, as: .date) == nil)
    #expect(ValueFormat.standard.value(of: text, as: .date) == nil)
    #expect(ValueFormat.iso8601(.utc).value(of: "2020-05-04", as: .date) == .date(Self.noon - 43200))
  }

  @Test(
    "a day or time that there is none does not fit",
    arguments: [
      "2020-02-30", "2020-13-01", "2020-05-04T25:00:00", "2020-05-04T12:00:61", "2020-05-04T12:00:00xyz",
      "2020-5-4", "2020-05-04T", "2020-05-04T12", "2020-05-04T12:00:00.", "2020-05-04T12:00:00+25:00", "",
      "2020-05-04T12:00:00 +02:00", "04.05.2020",
    ])
  func impossible(_ text: String) {
    #expect(ValueFormat.iso8601(.utc).value(of: text, as: .date) == nil)
  }

  @Test("an hour that a change of clocks left out does not fit")
  func gap() {
    #expect(ValueFormat.iso8601(Self.berlin).value(of: "2020-03-29T02:30:00", as: .date) == nil)
    #expect(ValueFormat.iso8601(Self.berlin).value(of: "2020-03-29T03:30:00", as: .date) != nil)
  }

  @Test(
    "a new date is written in the shape of the old one, with more parts where it needs them",
    arguments: [
      ("2020-05-04T14:00:00+02:00", 1.0, "2020-05-04T14:00:01+02:00"),
      ("2020-05-04T12:00Z", 60, "2020-05-04T12:01Z"),
      ("2020-05-04T12:00Z", 1, "2020-05-04T12:00:01Z"), ("2020-05-04 12:00:00", 0.5, "2020-05-04 12:00:00.5"),
      ("2020-05-04", 43200, "2020-05-05"), ("2020-05-04", 1, "2020-05-04T12:00:01"),
      ("2020-05-04T12:00:00.000Z", 1, "2020-05-04T12:00:01.000Z"), ("nonsense", 1, "2020-05-04T12:00:01Z"),
    ])
  func keepingShape(_ old: String, _ shift: Double, _ new: String) {
    #expect(ValueFormat.iso8601(.utc).text(of: .date(Self.noon + shift), as: .date, like: old) == new)
  }

  @Test(
    "every digit of a date survives its text (BR-67)",
    arguments: [ValueFormat.iso8601(.required), .unixSeconds, .unixMilliseconds, .referenceSeconds])
  func digits(_ format: ValueFormat) throws {
    let conversion = try #require(TextConversion(.date, format, zone: .required))
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      let whole = Double.random(in: -3e9...3e9, using: &generator)
      for seconds in [whole, whole.rounded(), (whole * 1000).rounded() / 1000] {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        let text = try #require(conversion.text(of: .date(date)), "\(seconds)")
        #expect(conversion.value(of: text) == .date(date), "\(seconds) as \(text)")
      }
    }
  }

  @Test(
    "numbers count from their own beginning",
    arguments: [
      (ValueFormat.unixSeconds, "1588593600", 0.0), (.unixSeconds, "1588593600.25", 0.25),
      (.unixMilliseconds, "1588593600250", 0.25), (.referenceSeconds, "610286400", 0),
      (.julianDay, "2458974", 0),
      (.julianDay, "2458974.5", 43200), (.unixSeconds, "-1.5", -1_588_593_601.5),
      (.unixMilliseconds, "-1500", -1_588_593_601.5),
    ])
  func numbers(_ format: ValueFormat, _ text: String, _ shift: Double) {
    #expect(format.value(of: text, as: .date) == .date(Self.noon + shift))
    #expect(format.value(of: "soon", as: .date) == nil)
    #expect(format.text(of: .date(Self.noon + shift), as: .date, like: text) == text)
    let written = format.text(of: .date(Self.noon + shift), as: .date).map { $0.replacing(/\.0$/, with: "") }
    #expect(written == text)
  }

  @Test("a Julian day holds whole milliseconds, and what does not come back is not written")
  func julian() {
    #expect(ValueFormat.julianDay.text(of: .date(Self.noon + 0.001), as: .date) != nil)
    #expect(ValueFormat.julianDay.text(of: .date(Self.noon + 0.0004), as: .date) == nil)
  }

  @Test("a pattern reads the dates of mail and RSS, and needs a zone or a policy")
  func patterns() {
    let mail = "EEE, dd MMM yyyy HH:mm:ss zzz"
    let format = ValueFormat.datePattern(mail, .required)
    #expect(format.value(of: "Mon, 04 May 2020 12:00:00 GMT", as: .date) == .date(Self.noon))
    #expect(format.value(of: "Mon, 04 May 2020 14:00:00 +0200", as: .date) == .date(Self.noon))
    #expect(format.value(of: "Mon, 31 Jun 2020 12:00:00 GMT", as: .date) == nil)
    #expect(format.text(of: .date(Self.noon), as: .date) == "Mon, 04 May 2020 12:00:00 GMT")
    #expect(format.text(of: .date(Self.noon + 0.5), as: .date) == nil)
    let german = "dd.MM.yyyy HH:mm"
    #expect(
      ValueFormat.datePattern(german, .utc).value(of: "04.05.2020 12:00", as: .date) == .date(Self.noon))
    #expect(ValueFormat.datePattern(german, .required).value(of: "04.05.2020 12:00", as: .date) == nil)
    #expect(ValueFormat.datePattern("HH'z'", .required).value(of: "12z", as: .date) == nil)
  }
}
