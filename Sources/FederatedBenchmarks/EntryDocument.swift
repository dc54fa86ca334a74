import Foundation

/// A document of book entries, about 200 bytes each, the same in every run: 5,000,000 of them are 1 GB.
///
/// About one entry in a thousand has an amount of 9,990 or more.
enum EntryDocument {
  /// What a reader of the document should find.
  struct Facts: Codable {
    var records: Int
    /// Elements of the whole document.
    var elements: Int
    /// Entries of 9,990 or more, and the sum of their amounts in hundredths.
    var matches: Int
    var cents: Int64
    /// Bytes of those entries in the document.
    var matchingBytes: Int
  }

  static let threshold = 9990
  private static let kinds = ["invoice", "payment", "refund", "transfer"]
  private static let words = [
    "standing order", "card 4711", "thank you &amp; welcome", "Zürich main office", "quarterly fee",
    "as agreed by phone", "ref. 88-21/B", "second reminder",
  ]

  /// Makes the document unless it is there.
  static func make(_ files: DataFiles) throws -> Facts {
    if FileManager.default.fileExists(atPath: files.entryFacts.filePath) {
      return try JSONDecoder().decode(Facts.self, from: Data(contentsOf: files.entryFacts))
    }
    try FileManager.default.createDirectory(at: files.folder, withIntermediateDirectories: true)
    guard let file = fopen(files.entries.filePath, "wb") else {
      throw BenchmarkError("no \(files.entries.filePath)")
    }
    defer { fclose(file) }
    var numbers = SeededNumbers(seed: 90_210 &+ UInt64(files.recordCount))
    var facts = Facts(records: files.recordCount, elements: 1, matches: 0, cents: 0, matchingBytes: 0)
    try self.write(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ledger xmlns=\"urn:example:ledger\">\n", to: file)
    var text = ""
    for number in 1...files.recordCount {
      let cents = numbers.number(in: 0..<1_000_000)
      let entry = self.entry(number, cents, &numbers)
      facts.elements += 6
      if cents >= self.threshold * 100 {
        facts.matches += 1
        facts.cents += Int64(cents)
        facts.matchingBytes += entry.utf8.count
      }
      text += entry
      if text.utf8.count > 1 << 20 {
        try self.write(text, to: file)
        text = ""
      }
    }
    try self.write(text + "</ledger>\n", to: file)
    try JSONEncoder().encode(facts).write(to: files.entryFacts)
    return facts
  }

  private static func entry(_ number: Int, _ cents: Int, _ numbers: inout SeededNumbers) -> String {
    let day = numbers.number(in: 0..<28) + 1
    let minute = numbers.number(in: 0..<1440)
    let time =
      "2023-\(self.two(number % 12 + 1))-\(self.two(day))T\(self.two(minute / 60)):\(self.two(minute % 60)):00Z"
    let kind = self.kinds[numbers.number(in: 0..<4)]
    let note = self.words[numbers.number(in: 0..<8)]
    return """
        <entry id="\(number)" kind="\(kind)"><booked>\(time)</booked><account>\(numbers.number(in: 0..<100_000))</account>\
      <amount>\(cents / 100).\(self.two(cents % 100))</amount><country>DE</country><note>\(note), no. \(number)</note></entry>

      """
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }

  private static func write(_ text: String, to file: UnsafeMutablePointer<FILE>) throws {
    var text = text
    let written = text.withUTF8 { fwrite($0.baseAddress, 1, $0.count, file) == $0.count }
    guard written else { throw BenchmarkError("the document of entries cannot be written") }
  }
}
