package import FederatedModel
internal import Foundation

/// The texts of one attribute as values: a ``ValueFormat`` and an attribute's type, made ready for many texts.
///
/// White space counts in strings, and is passed over around every other value.
package struct TextConversion: Sendable {
  package let type: AttributeType
  let kind: SlotKind
  let form: Form
  let range: ClosedRange<Int64>

  /// How the texts are understood.
  enum Form {
    case plain
    case iso(ISODateText)
    case pattern(DatePattern)
    case seconds(SecondsText)
    case words(yes: String, no: String)
    case hex
  }

  /// - Parameter zone: which zone a date without one is meant in, where the format does not say.
  /// - Returns: nil when texts of that type cannot be written so; 16 bytes of a UUID are no text.
  package init?(_ type: AttributeType, _ format: ValueFormat, zone: ZonePolicy) {
    guard let kind = type.slotKind, format.suits(type), format != .uuidBytes else { return nil }
    self.type = type
    self.kind = kind
    self.range =
      switch type {
      case .integer16: Int64(Int16.min)...Int64(Int16.max)
      case .integer32: Int64(Int32.min)...Int64(Int32.max)
      default: .min ... .max
      }
    switch format {
    case .standard: self.form = kind == .date ? .iso(ISODateText(zone)) : .plain
    case .iso8601(let own): self.form = .iso(ISODateText(own))
    case .datePattern(let pattern, let own): self.form = .pattern(DatePattern(pattern, own))
    case .unixSeconds: self.form = .seconds(.unix)
    case .unixMilliseconds: self.form = .seconds(.unixMilliseconds)
    case .julianDay: self.form = .seconds(.julianDay)
    case .referenceSeconds: self.form = .seconds(.reference)
    case .booleanWords(let yes, let no): self.form = .words(yes: yes, no: no)
    case .hex: self.form = .hex
    case .decimalText, .uuidText, .uuidBytes, .base64: self.form = .plain
    }
  }

  /// What a text stands for; nil when it is no value of the type.
  package func value(of text: String) -> Value? {
    if self.kind == .string { return .string(text) }
    return self.value(ofTrimmed: text.trimmingCharacters(in: TextConversion.space))
  }

  private static let space = CharacterSet(charactersIn: " \t\r\n")

  private func value(ofTrimmed text: String) -> Value? {
    switch self.form {
    case .iso(let dates): return dates.date(text).map(Value.date)
    case .pattern(let dates): return dates.date(text).map(Value.date)
    case .seconds(let dates): return dates.date(text).map(Value.date)
    case .words(let yes, let no): return text == yes ? .bool(true) : text == no ? .bool(false) : nil
    case .hex: return TextConversion.bytes(hex: text).map(Value.data)
    case .plain: return self.plainValue(text)
    }
  }

  private func plainValue(_ text: String) -> Value? {
    switch self.kind {
    case .string: return .string(text)
    case .uri: return text.isEmpty ? nil : .uri(text)
    case .int:
      return text.withBytes(NumberText.integer).flatMap { self.range.contains($0) ? .int($0) : nil }
    case .double, .float: return text.withBytes(NumberText.double).map(Value.double)
    case .bool: return TextConversion.bool(text).map(Value.bool)
    case .decimal:
      guard text.withBytes(NumberText.isDecimal), let value = Decimal(string: text, locale: nil),
        value.isFinite
      else { return nil }
      return .decimal(value)
    case .uuid: return UUID(uuidString: text).map(Value.uuid)
    case .data: return TextConversion.bytes(base64: text).map(Value.data)
    case .date, .reference: return nil
    }
  }

  /// `true`, `false`, `1` and `0`, in any case of letters.
  private static func bool(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "true", "1": true
    case "false", "0": false
    default: nil
    }
  }

  /// Base64 may be broken into lines; anything else between its letters does not fit.
  private static func bytes(base64 text: String) -> Data? {
    Data(base64Encoded: String(text.unicodeScalars.filter { !self.space.contains($0) }))
  }

  private static func bytes(hex text: String) -> Data? {
    let digits = text.utf8.map { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count.isMultiple(of: 2), !digits.contains(nil) else { return nil }
    let values = digits.compactMap(\.self)
    return Data(stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) })
  }
}

extension String {
  func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    var text = self
    return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
  }
}
