package import FederatedModel
package import Foundation

/// What the values of one column, or of one place in a document, look like: how many there are, what all of them
/// could be read as, and a sample of them.
package struct ValueProfile: Sendable {
  /// Values that are not nil.
  package private(set) var count = 0
  package private(set) var nulls = 0
  /// Of these, texts and numbers of each form.
  private(set) var texts = 0
  private(set) var numbers = 0
  private(set) var integers = 0
  private(set) var reals = 0
  private(set) var blobs = 0
  private(set) var uuidBlobs = 0
  private(set) var decimals = 0
  private(set) var booleans = 0
  private(set) var uuids = 0
  private(set) var zonedDates = 0
  private(set) var bareDates = 0
  private(set) var mailDates = 0
  private(set) var least = Int64.max
  private(set) var greatest = Int64.min
  package private(set) var sample = KeySketch()

  package init() {}

  package mutating func addNull() { self.nulls += 1 }

  package mutating func add(_ value: Value) {
    if value.isNull { return self.addNull() }
    self.count += 1
    self.sample.add(value)
    switch value {
    case .int(let number): self.take(number)
    case .double: self.reals += 1
    case .string(let text): self.take(text)
    case .data(let bytes):
      self.blobs += 1
      if bytes.count == 16 { self.uuidBlobs += 1 }
    default: self.texts += 1
    }
  }

  private mutating func take(_ number: Int64) {
    self.numbers += 1
    self.least = min(self.least, number)
    self.greatest = max(self.greatest, number)
  }

  private mutating func take(_ text: String) {
    self.texts += 1
    let digits = text.utf8.first.map { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") } ?? false
    if digits, let number = Self.integer(text) {
      self.integers += 1
      self.least = min(self.least, number)
      self.greatest = max(self.greatest, number)
    } else if digits, Self.isDecimal(text) {
      self.decimals += 1
    } else if digits, text.utf8.count >= 10, Self.dates?.value(of: text) != nil {
      if Self.zoned?.value(of: text) != nil { self.zonedDates += 1 } else { self.bareDates += 1 }
    } else if text == "true" || text == "false" {
      self.booleans += 1
    } else if Self.uuid(text) != nil {
      self.uuids += 1
    } else if (22...40).contains(text.utf8.count), text.utf8.contains(UInt8(ascii: ",")),
      Self.mail?.value(of: text) != nil
    {
      self.mailDates += 1
    }
  }

  // MARK: What texts spell

  /// A whole number in the one way in which a number is written: `007` and `+7` are none.
  package static func integer(_ text: String) -> Int64? {
    guard text.utf8.count <= 20, let number = Int64(text), String(number) == text else { return nil }
    return number
  }

  /// A UUID as its 36 characters.
  package static func uuid(_ text: String) -> UUID? { text.utf8.count == 36 ? UUID(uuidString: text) : nil }

  /// Digits with one point between them, as amounts and measures are written.
  private static func isDecimal(_ text: String) -> Bool {
    guard text.utf8.count <= 38 else { return false }
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].isEmpty, parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return false
    }
    let whole = parts[0].first == "-" ? parts[0].dropFirst() : parts[0]
    guard !whole.isEmpty, whole.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
    return whole == "0" || whole.first != "0"
  }

  /// The date pattern of mail and of RSS.
  package static let mailPattern = "EEE, dd MMM yyyy HH:mm:ss zzz"
  private static let dates = TextConversion(.date, .iso8601(.utc), zone: .utc)
  private static let zoned = TextConversion(.date, .iso8601(.required), zone: .required)
  private static let mail = TextConversion(.date, .datePattern(Self.mailPattern, .required), zone: .required)
}
