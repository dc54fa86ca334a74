import FederatedModel
import Foundation
import TestSupport
import Testing

@testable import FederatedRuntime

@Suite struct DiagnosingTests {
  @Test("a diagnosis says what an answer comes of", arguments: DiagnosisCases.all)
  func diagnoses(_ testCase: StackCase<AuthorStack>) throws { try testCase.run(AuthorStack()) }

  @Test("a check counts links and what is hardly meant", arguments: LinkCheckCases.all)
  func checks(_ testCase: StackCase<AuthorStack>) throws { try testCase.run(AuthorStack()) }

  private static let uuid = UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8")!
  private static let noon = Date(timeIntervalSinceReferenceDate: 43_200)

  @Test(
    "two keys are near by these differences, whichever comes first",
    arguments: [
      (.string("ann"), .string("ann"), []),
      (.string("ann"), .string("Ann"), [.letterCase]),
      (.string("ann"), .string("ann "), [.whitespace]),
      (.string("ann b"), .string("ann\u{A0} b"), [.whitespace]),
      (.string("ann"), .string("\u{FEFF}a\u{200B}nn"), [.whitespace]),
      (.string("Mich\u{E8}le"), .string("Miche\u{300}le"), [.normalization]),
      (.string("Mich\u{E8}le"), .string("Michele"), [.diacritics]),
      (.string("Mich\u{E8}le"), .string(" michele"), [.whitespace, .letterCase, .diacritics]),
      (.string("\u{FF41}nn"), .string("ann"), [.compatibility]),
      (.string("stra\u{DF}e"), .string("STRASSE"), [.letterCase]),
      (.string("ann"), .string("anna"), nil),
      (.string(""), .string("ann"), nil),
      (.null, .string(""), [.emptyText]), (.null, .string(" "), [.emptyText]), (.null, .int(0), nil),
      (.string("007"), .int(7), [.numberText]), (.string("7.50"), .decimal(7.5), [.numberText]),
      (.string("007"), .string("7"), [.numberText]), (.string("7a"), .int(7), nil),
      (.int(7), .double(7), []), (.int(7), .int(8), nil),
      (.double(0.1), .double(Double(Float(0.1))), [.numberPrecision]),
      (.double(0.1), .double(0.11), nil),
      (.int(9_007_199_254_740_993), .double(9_007_199_254_740_992), nil),
      (.date(Self.noon), .date(Self.noon + 0.25), [.dateFraction]),
      (.date(Self.noon), .date(Self.noon + 59), [.dateFraction]),
      (.date(Self.noon), .date(Self.noon - 43_200), [.dateDay]),
      (.date(Self.noon + 61), .date(Self.noon + 61 + 7200), [.timeZone]),
      (.date(Self.noon), .date(Self.noon + 978_307_200), [.dateEpoch]),
      (.date(Self.noon + 1), .date(Self.noon + 90), nil),
      (.date(Self.noon), .string("2001-01-01T12:00:00Z"), [.dateText]),
      (.date(Self.noon), .string("2001-01-01 12:00:00"), [.dateText]),
      (.date(Self.noon), .string("2001-01-01"), [.dateText, .dateDay]),
      (.date(Self.noon), .string("2001-02-30"), nil),
      (.uuid(Self.uuid), .string("6ba7b810-9dad-11d1-80b4-00c04fd430c8"), [.uuidForm]),
      (.uuid(Self.uuid), .string("{6BA7B8109DAD11D180B400C04FD430C8}"), [.uuidForm]),
      (.uuid(Self.uuid), .string("6ba7b810-9dad-11d1-80b4-00c04fd430c9"), nil),
      (.uri("HTTP://x.org"), .string("http://x.org"), [.letterCase]),
      (.bool(true), .int(1), []), (.date(Self.noon), .int(43_200), nil),
    ] as [(Value, Value, [KeyDifference]?)])
  func differences(_ a: Value, _ b: Value, _ expected: [KeyDifference]?) {
    #expect(KeyComparison.differences(a, b) == expected)
    #expect(KeyComparison.differences(b, a).map(Set.init) == expected.map(Set.init))
    guard let expected, !expected.isEmpty else { return }
    for (kept, probe) in [(a, b), (b, a)] {
      var table = LinkKeyTable(kinds: [.string])
      _ = table.add([kept])
      #expect(table.near([probe]).map(\.number) == [0], "near keys are found by look-up")
    }
  }

  @Test("keys of several parts are near when every part is equal or near, and one is not equal")
  func composite() {
    var table = LinkKeyTable(kinds: [.string, .int])
    #expect(table.add([.string("Ann"), .int(1)]) == 0)
    #expect(table.add([.string("Ann"), .int(2)]) == 1)
    #expect(table.number(of: [.string("Ann"), .int(2)]) == 1)
    let near = table.near([.string("ann"), .string("02")])
    #expect(near.map(\.number) == [1])
    #expect(near.first?.differences == [[.letterCase], [.numberText]])
    #expect(table.near([.string("ann"), .int(3)]).isEmpty)
    #expect(table.near([.string("Ann"), .int(2)]).isEmpty)
    #expect(table.add([.double(.nan), .int(1)]) == nil)
  }
}
