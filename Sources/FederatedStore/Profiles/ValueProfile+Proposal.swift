package import FederatedModel

extension ValueProfile {
  /// A type, and how its values are written where this is not the type's own way.
  package struct Proposal: Sendable, Hashable {
    package var type: AttributeType
    package var format: ValueFormat = .standard
  }

  /// The least type that holds every value; text when in doubt.
  /// - Parameters:
  ///   - name: what the column is called; numbers are dates only where it says so.
  ///   - declared: the column's declared type; nil where there is none.
  package func proposal(name: String, declared: String? = nil) -> Proposal {
    let declared = declared?.uppercased() ?? ""
    if self.count == 0 { return Proposal(type: Self.type(declared: declared)) }
    if self.blobs == self.count { return self.ofBytes(name) }
    if self.texts == self.count { return self.ofTexts(name, declared) }
    if self.numbers + self.reals == self.count { return self.ofNumbers(name, declared) }
    return Proposal(type: .string)
  }

  private func ofBytes(_ name: String) -> Proposal {
    let isUUID = self.uuidBlobs == self.count && NameWords(name).contains(anyOf: ["uuid", "guid"])
    return isUUID ? Proposal(type: .uuid, format: .uuidBytes) : Proposal(type: .binary)
  }

  private func ofTexts(_ name: String, _ declared: String) -> Proposal {
    switch self.count {
    case self.integers:
      return declared.isEmpty || declared.contains("INT")
        ? self.ofIntegers(name, declared) : Proposal(type: .string)
    case self.integers + self.decimals:
      return Proposal(type: .decimal, format: declared.isEmpty ? .standard : .decimalText)
    case self.booleans:
      return Proposal(
        type: .boolean, format: declared.isEmpty ? .standard : .booleanWords(yes: "true", no: "false"))
    case self.uuids: return Proposal(type: .uuid, format: declared.isEmpty ? .standard : .uuidText)
    case self.zonedDates: return Proposal(type: .date, format: .iso8601(.required))
    case self.zonedDates + self.bareDates: return Proposal(type: .date, format: .iso8601(.utc))
    case self.mailDates: return Proposal(type: .date, format: .datePattern(Self.mailPattern, .required))
    default: return Proposal(type: .string)
    }
  }

  private func ofNumbers(_ name: String, _ declared: String) -> Proposal {
    if self.numbers == self.count { return self.ofIntegers(name, declared) }
    let isExact = declared.contains("NUMERIC") || declared.contains("DECIMAL")
    return Proposal(type: isExact ? .decimal : .double)
  }

  private func ofIntegers(_ name: String, _ declared: String) -> Proposal {
    if declared.contains("BOOL"), self.least >= 0, self.greatest <= 1 { return Proposal(type: .boolean) }
    if declared.contains("NUMERIC") || declared.contains("DECIMAL") { return Proposal(type: .decimal) }
    if ["REAL", "FLOA", "DOUB"].contains(where: { declared.contains($0) }) { return Proposal(type: .double) }
    let saysDate =
      declared.contains("DATE") || declared.contains("TIME")
      || NameWords(name).contains(anyOf: [
        "date", "time", "timestamp", "created", "updated", "modified", "at", "when", "since", "expires",
        "last",
      ])
    if saysDate {
      // 1990 to 2100, which no count of anything else is likely to be.
      if (631_152_000...4_102_444_800).contains(self.least), self.greatest <= 4_102_444_800 {
        return Proposal(type: .date, format: .unixSeconds)
      }
      if self.least >= 631_152_000_000, self.greatest <= 4_102_444_800_000 {
        return Proposal(type: .date, format: .unixMilliseconds)
      }
    }
    return Proposal(type: .integer64)
  }

  /// A column without values is what it was declared as, by the rules of SQLite.
  private static func type(declared: String) -> AttributeType {
    if declared.contains("INT") { return .integer64 }
    if declared.contains("BOOL") { return .boolean }
    if declared.contains("NUMERIC") || declared.contains("DECIMAL") { return .decimal }
    if ["REAL", "FLOA", "DOUB"].contains(where: { declared.contains($0) }) { return .double }
    return declared.contains("BLOB") ? .binary : .string
  }
}
