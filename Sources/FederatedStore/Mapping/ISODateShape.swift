/// Which parts an ISO date text has. Whether the numbers make a date is Foundation's to judge.
struct ISODateShape {
  /// Year to second in the one form that Foundation reads: `2020-05-04T10:00:00`.
  private(set) var whole: String
  /// Behind the second, below 1.
  private(set) var fraction = 0.0
  /// Seconds east of Greenwich; nil when the text does not say.
  private(set) var zone: Int?
  /// The zone as the text writes it.
  private(set) var zoneText = ""
  private(set) var separator = "T"
  private(set) var parts = Parts.day

  enum Parts: Comparable {
    case day, minutes
    case seconds(digits: Int)
  }

  /// More digits than a date of any age can tell apart.
  static let longestFraction = 18

  /// - Returns: nil when the text has another shape.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard ISODateShape.fits(bytes, "dddd-dd-dd", at: 0) else { return nil }
    let day = String(decoding: bytes[..<10], as: UTF8.self)
    self.whole = day + "T00:00:00"
    if bytes.count == 10 { return }
    guard bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: "t") || bytes[10] == UInt8(ascii: " "),
      ISODateShape.fits(bytes, "dd:dd", at: 11)
    else { return nil }
    self.separator = String(decoding: bytes[10...10], as: UTF8.self)
    self.parts = .minutes
    var end = 16
    if ISODateShape.fits(bytes, ":dd", at: end) {
      end = 19
      self.parts = .seconds(digits: 0)
      self.whole = "\(day)T" + String(decoding: bytes[11..<19], as: UTF8.self)
      if end < bytes.count, bytes[end] == UInt8(ascii: ".") || bytes[end] == UInt8(ascii: ",") {
        let digits = bytes[(end + 1)...].prefix(while: \.isDigit)
        guard !digits.isEmpty, let fraction = Double("0." + String(decoding: digits, as: UTF8.self)) else {
          return nil
        }
        self.fraction = fraction
        self.parts = .seconds(digits: min(digits.count, ISODateShape.longestFraction))
        end = digits.endIndex
      }
    } else {
      self.whole = "\(day)T" + String(decoding: bytes[11..<16], as: UTF8.self) + ":00"
    }
    guard self.takeZone(bytes[end...]) else { return nil }
  }

  /// Takes what stands behind the time. An offset has hours below 24 and minutes below 60.
  private mutating func takeZone(_ rest: ArraySlice<UInt8>) -> Bool {
    guard let sign = rest.first else { return true }
    self.zoneText = String(decoding: rest, as: UTF8.self)
    if self.zoneText == "Z" || self.zoneText == "z" {
      self.zone = 0
      return true
    }
    let bytes = Array(rest)
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
      ["dd:dd", "dddd", "dd"].contains(where: {
        bytes.count == 1 + $0.utf8CodeUnitCount && ISODateShape.fits(bytes, $0, at: 1)
      })
    else { return false }
    let digits = bytes.filter(\.isDigit).map { Int($0 - 0x30) }
    let hours = digits[0] * 10 + digits[1]
    let minutes = digits.count == 4 ? digits[2] * 10 + digits[3] : 0
    guard hours < 24, minutes < 60 else { return false }
    self.zone = (hours * 60 + minutes) * 60 * (sign == UInt8(ascii: "-") ? -1 : 1)
    return true
  }

  /// Whether the bytes there are digits where the pattern has a `d`, and the pattern's own characters elsewhere.
  private static func fits(_ bytes: [UInt8], _ pattern: StaticString, at start: Int) -> Bool {
    guard start + pattern.utf8CodeUnitCount <= bytes.count else { return false }
    return pattern.withUTF8Buffer { pattern in
      pattern.indices.allSatisfy { index in
        let byte = bytes[start + index]
        return pattern[index] == UInt8(ascii: "d") ? byte.isDigit : byte == pattern[index]
      }
    }
  }
}
