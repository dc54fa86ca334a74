import Foundation
import Testing

@testable import FederatedTool

@Suite("Dates as text")
struct DateTextTests {
  @Test(
    "a date is printed with exactly the fraction it needs",
    arguments: [
      (0, "2001-01-01T00:00:00Z"),
      (0.5, "2001-01-01T00:00:00.5Z"),
      (0.1, "2001-01-01T00:00:00.1Z"),
      (0.00001, "2001-01-01T00:00:00.00001Z"),
      (1.25e-7, "2001-01-01T00:00:00.000000125Z"),
      (-0.1, "2000-12-31T23:59:59.9Z"),
      (-0.25, "2000-12-31T23:59:59.75Z"),
      (-1, "2000-12-31T23:59:59Z"),
      (259_495_720.56406, "2009-03-23T10:08:40.56406Z"),
      (-978_307_200, "1970-01-01T00:00:00Z"),
      (-978_307_200.5, "1969-12-31T23:59:59.5Z"),
      (-2_848_789_424, "1910-09-23T21:36:16Z"),
      (-63_113_904_000, "0001-01-01T00:00:00Z"),
      (-63_145_440_000, "0000-01-02T00:00:00Z"),
      (252_423_993_600, "+10000-01-01T00:00:00Z"),
    ] as [(TimeInterval, String)])
  func printed(seconds: TimeInterval, text: String) {
    #expect(DateText.text(of: Date(timeIntervalSinceReferenceDate: seconds)) == text)
  }

  @Test("a date that is no number has no text", arguments: [Double.nan, .infinity, -.infinity, 1e300])
  func withoutText(seconds: Double) {
    #expect(DateText.text(of: Date(timeIntervalSinceReferenceDate: seconds)) == nil)
  }

  @Test("the text of any date reads back to an equal date")
  func readsBack() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<3_000 {
      let scale = pow(10, Double.random(in: -6...12, using: &random))
      let date = Date(timeIntervalSinceReferenceDate: Double.random(in: -1...1, using: &random) * scale)
      let text = try #require(DateText.text(of: date))
      #expect(
        try DateTextReader.date(text).timeIntervalSinceReferenceDate == date.timeIntervalSinceReferenceDate,
        "\(text)")
    }
  }

  @Test("whole seconds since 1600 are what Foundation prints")
  func likeFoundation() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<3_000 {
      let seconds = Int64.random(in: -12_000_000_000...250_000_000_000, using: &random)
      let date = Date(timeIntervalSinceReferenceDate: Double(seconds))
      #expect(DateText.text(of: date) == date.formatted(.iso8601), "\(seconds)")
    }
  }
}

/// Reads ISO 8601 text by Foundation's calendar and exact decimal digits.
enum DateTextReader {
  static func date(_ text: String) throws -> Date {
    let match = try #require(text.wholeMatch(of: /([+-]?\d{4,})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d+)?Z/))
    let year = try #require(Int64(match.1))
    let month = try #require(Int64(match.2))
    let day = try #require(Int64(match.3))
    // The day number by counting leap years, apart from the code under test.
    let before = year - 1
    func floor(_ a: Int64, _ b: Int64) -> Int64 { Int64((Double(a) / Double(b)).rounded(.down)) }
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths: [Int64] = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    let days =
      before * 365 + floor(before, 4) - floor(before, 100) + floor(before, 400)
      + lengths.prefix(Int(month) - 1).reduce(0, +) + day - 1
    let hour = try #require(Int64(match.4))
    let minute = try #require(Int64(match.5))
    let second = try #require(Int64(match.6))
    let whole = (days - 730_485) * 86_400 + hour * 3600 + minute * 60 + second
    let fraction = match.7.map(String.init) ?? ""
    let exact =
      try #require(Decimal(string: "\(whole)"))
      + (fraction.isEmpty ? 0 : try #require(Decimal(string: "0" + fraction)))
    return Date(timeIntervalSinceReferenceDate: try #require(Double(exact.description)))
  }
}
