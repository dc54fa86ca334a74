internal import FederatedModel
internal import FederatedRuntime
internal import Foundation
internal import Testing

/// The PR cases that fixture D0 has no rows for, and the rules of the language beside them, over one store.
public enum LanguageCases {
  /// Literals, keys, arguments, lists and what text is like.
  public static let text: [StackCase<LanguageStack>] = [
    StackCase(
      "PR-08 keys heed case, words do not", [Sample("a", ["text": "x", "size": 1])],
      [
        .init("text == 'x' aNd nOt #size == 2", finds: ["a"]), .init("text == 'X'", finds: []),
      ]),
    StackCase(
      "PR-10 nothing is put into quotes", [Sample("Do", ["text": "Do"]), Sample("place", ["text": "%@"])],
      [.init("text == '%@'", finds: ["place"]), .init("text == %@", "Do", finds: ["Do"])]),
    StackCase(
      "PR-12 a path as an argument", [Sample("a", box: ["name": "John"]), Sample("b", box: ["name": "Jo"])],
      [.init("%K == %@", "box.name", "John", finds: ["a"])]),
    StackCase(
      "PR-14 BETWEEN", [Sample("a", ["age": 34]), Sample("nil")],
      [
        .init("%K BETWEEN %@", "age", [20, 40], finds: ["a"]),
        .init("%K BETWEEN %@", "age", [34, 34], finds: ["a"]),
        .init("%K BETWEEN %@", "age", [40, 20], finds: []),
        .init("age BETWEEN {box.first, 40}", finds: []),
        .init("NOT age BETWEEN {20, 40}", finds: ["nil"]),
      ]),
    StackCase(
      "PR-15 reserved words as keys",
      [Sample("a", ["size": 3], box: ["first": 1]), Sample("b", ["size": 4], box: ["first": 1])],
      [.init("#size == 3 AND box.#first == 1", finds: ["a"]), .init("%K == 4", "size", finds: ["b"])]),
    StackCase(
      "PR-16 numbers of every base",
      [
        Sample("hex", ["number": 31, "real": 0.000092]), Sample("octal", ["number": 15]),
        Sample("binary", ["number": 5]),
      ],
      [
        .init("number == 0x1F", finds: ["hex"]), .init("number == 0o17", finds: ["octal"]),
        .init("number == 0b101", finds: ["binary"]), .init("real == 9.2e-5", finds: ["hex"]),
        .init("number == -(-31) AND number > -0x10", finds: ["hex"]),
      ]),
    StackCase(
      "§3.1 every form of argument",
      [
        Sample(
          "a",
          [
            "number": 7, "real": 2.5, "text": "x", "flag": true, "amount": Decimal(8),
            "moment": Date(timeIntervalSinceReferenceDate: 5),
            "key": UUID(uuidString: "5A0F0D5E-0C0B-4B2E-9D3C-2D8C5E0A1C01") ?? UUID(),
          ])
      ],
      [
        .init("number == %d AND number == %i AND number == %ld", 7, 7, 7, finds: ["a"]),
        .init("number == %lld AND number == %hhu AND number == %qx", 7, 7, 7, finds: ["a"]),
        .init("number == %u AND number == %o AND number == %X AND number == %c", 7, 7, 7, 7, finds: ["a"]),
        .init("real == %f AND real == %e AND real == %g AND real == %lf", 2.5, 2.5, 2.5, 2.5, finds: ["a"]),
        .init("flag == %@ AND flag == YES AND flag == 1 AND flag != FALSE", true, finds: ["a"]),
        .init("moment == %@", Date(timeIntervalSinceReferenceDate: 5), finds: ["a"]),
        .init("key == %@", UUID(uuidString: "5A0F0D5E-0C0B-4B2E-9D3C-2D8C5E0A1C01"), finds: ["a"]),
        .init("text IN %@ AND number IN %@", ["x", "y"], Set([7]), finds: ["a"]),
        .init("amount == %@ AND name == %@", Decimal(8), String?.none, finds: ["a"]),
        .init("%@ == text AND %@ IN {text, name}", "x", "x", finds: ["a"]),
      ]),
    StackCase(
      "PR-19 plain equality and prefixes of text",
      ["a", "aa", "aaa", "aaaa"].map { Sample($0, ["text": $0]) },
      [.init("text == 'aa'", finds: ["aa"]), .init("text beginswith 'aaa'", finds: ["aaa", "aaaa"])]),
    StackCase(
      "PR-24 ß is ss without case",
      [Sample("sharp", ["text": "straße"]), Sample("other", ["text": "strase"])],
      [
        .init("text ==[c] 'STRASSE'", finds: ["sharp"]),
        .init("text BEGINSWITH[c] 'STRASS'", finds: ["sharp"]),
        .init("text == 'strasse'", finds: []), .init("text IN[c] {'STRASSE', 'x'}", finds: ["sharp"]),
      ]),
    StackCase(
      "PR-27 LIKE takes everything but * ? \\ as it is",
      ["a.b", "axb", "[ab]", "a", "a*b", "100%", "1000", "abc", "a_c", "a\nb", "nothing"].map {
        Sample($0, $0 == "nothing" ? [:] : ["text": $0])
      },
      [
        .init("text LIKE 'a.b'", finds: ["a.b"]), .init("text LIKE '[ab]'", finds: ["[ab]"]),
        .init("text LIKE 'a\\\\*b'", finds: ["a*b"]), .init("text LIKE '100%'", finds: ["100%"]),
        .init("text LIKE 'a_c'", finds: ["a_c"]), .init("text LIKE[c] 'A?C'", finds: ["abc", "a_c"]),
        .init("text LIKE 'a?b'", finds: ["a.b", "axb", "a*b", "a\nb"]),
        .init("text LIKE '1*0'", finds: ["1000"]),
        .init(
          "text LIKE '*'", finds: ["a.b", "axb", "[ab]", "a", "a*b", "100%", "1000", "abc", "a_c", "a\nb"]),
        .init("NOT text LIKE '*'", finds: ["nothing"]),
      ]),
    StackCase(
      "PR-30 MATCHES takes the whole text, line by line at ^ and $",
      [
        Sample("lines", ["text": "a\nb"]), Sample("ab", ["text": "ab"]), Sample("empty", ["text": ""]),
        Sample("nil"),
      ],
      [
        .init("text MATCHES '.*^b$'", finds: ["lines"]), .init("text MATCHES '^a$.*'", finds: ["lines"]),
        .init("text MATCHES '^b$'", finds: []), .init("text MATCHES 'a.b'", finds: ["lines"]),
        .init("text MATCHES 'a|ab'", finds: ["ab"]), .init("NOT text MATCHES '.*'", finds: ["nil"]),
        .init("text MATCHES[c] 'A\\\\w'", finds: ["ab"]), .init("text MATCHES ''", finds: ["empty"]),
        .init("text MATCHES[cd] ''", finds: ["empty"]),
      ]),
    StackCase(
      "Q19, Q23 flags and empty needles",
      [Sample("a", ["text": "Élan"]), Sample("empty", ["text": ""]), Sample("nil")],
      [
        .init("text ==[cd] 'elan'", finds: ["a"]), .init("text ==[dc] 'ELAN'", finds: ["a"]),
        .init("text ==[n] 'élan'", finds: []), .init("text ==[cn] 'élan'", finds: []),
        .init("text ==[l] 'Élan'", finds: ["a"]), .init("text CONTAINS ''", finds: ["a", "empty"]),
        .init("text ENDSWITH[cd] ''", finds: ["a", "empty"]),
        .init("text IN 'ÉlanÉlan'", finds: ["a", "empty"]),
      ]),
    StackCase(
      "PR-23, §3.10 marks and case by ICU",
      ["ø", "ł", "İ", "i", "É", "e\u{301}"].enumerated().map { Sample("\($0.offset)", ["text": $0.element]) },
      [
        .init("text ==[cd] 'o'", finds: []), .init("text ==[cd] 'l'", finds: []),
        .init("text ==[cd] 'i'", finds: ["2", "3"]), .init("text ==[c] 'i'", finds: ["3"]),
        .init("text ==[c] 'é'", finds: ["4", "5"]), .init("text == 'É'", finds: ["4"]),
        .init("text ==[d] 'e'", finds: ["5"]),
      ]),
    StackCase(
      "UUIDs, bytes and URIs know equality only",
      [
        Sample(
          "a",
          [
            "key": UUID(uuidString: "5A0F0D5E-0C0B-4B2E-9D3C-2D8C5E0A1C01") ?? UUID(),
            "link": URL(string: "https://example.com/a") ?? URL(filePath: "/"),
          ]), Sample("nil"),
      ],
      [
        .init("key == CAST('5A0F0D5E-0C0B-4B2E-9D3C-2D8C5E0A1C01', 'NSUUID')", finds: ["a"]),
        .init("key == '5A0F0D5E-0C0B-4B2E-9D3C-2D8C5E0A1C01'", finds: []),
        .init("key != '5A0F0D5E-0C0B-4B2E-9D3C-2D8C5E0A1C01'", finds: ["a", "nil"]),
        .init("link == 'https://example.com/a'", finds: ["a"]), .init("link ENDSWITH '/a'", finds: ["a"]),
        .init("key IN {CAST('5A0F0D5E-0C0B-4B2E-9D3C-2D8C5E0A1C01', 'NSUUID'), nil}", finds: ["a", "nil"]),
      ]),
  ]
}
