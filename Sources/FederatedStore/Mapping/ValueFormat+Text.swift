package import FederatedModel

extension ValueFormat {
  /// Whether attributes of that type can be written so.
  package func suits(_ type: AttributeType) -> Bool {
    switch self {
    case .standard: type.slotKind != nil
    case .iso8601, .datePattern, .unixSeconds, .unixMilliseconds, .julianDay, .referenceSeconds: type == .date
    case .booleanWords: type == .boolean
    case .decimalText: type == .decimal
    case .uuidText, .uuidBytes: type == .uuid
    case .base64, .hex: type.slotKind == .data
    }
  }

  /// What a text stands for: for single values. Many texts of one attribute are read by a ``TextConversion``.
  /// - Parameter zone: which zone a date without one is meant in, where the format does not say.
  /// - Returns: nil when the text is no value of the type.
  package func value(of text: String, as type: AttributeType, zone: ZonePolicy = .required) -> Value? {
    TextConversion(type, self, zone: zone)?.value(of: text)
  }

  /// The text that stands for a value.
  /// - Parameter old: a text that stood in the same place, whose style is kept: its zone, its words, its case.
  /// - Returns: nil when no text of the format gives exactly this value back.
  package func text(
    of value: Value, as type: AttributeType, zone: ZonePolicy = .required, like old: String? = nil
  ) -> String? {
    TextConversion(type, self, zone: zone)?.text(of: value, like: old)
  }
}

extension ValueFormat {
  /// Whether a date pattern has a letter for the zone outside its quoted texts.
  package static func namesZone(_ pattern: String) -> Bool { DatePattern.namesZone(pattern) }
}
