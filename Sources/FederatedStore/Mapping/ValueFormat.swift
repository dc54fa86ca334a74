public import Foundation

/// How the values of one attribute are written in a file made by others: in a cell, an XML attribute or a text.
///
/// | format | in the file | attribute |
/// | --- | --- | --- |
/// | `standard` | what the attribute's own type says: digits, `true` or `1`, ISO dates, UUID text, base64 | any |
/// | `iso8601` | `2020-05-04T10:00:00Z`, with or without fraction, time or zone | date |
/// | `datePattern` | a Unicode date pattern in English: `EEE, dd MMM yyyy HH:mm:ss zzz` | date |
/// | `unixSeconds`, `unixMilliseconds` | a number since 1970-01-01 UTC | date |
/// | `julianDay` | days since noon of 24 November 4714 BC, as a number | date |
/// | `referenceSeconds` | seconds since 2001-01-01 UTC, as a number | date |
/// | `booleanWords` | two words, compared as written | boolean |
/// | `decimalText` | digits as text | decimal |
/// | `uuidText`, `uuidBytes` | 36 characters, or 16 bytes in network order | UUID |
/// | `base64`, `hex` | bytes as text | binary, transformable |
public enum ValueFormat: Sendable, Hashable {
  case standard
  case iso8601(ZonePolicy)
  case datePattern(String, ZonePolicy)
  case unixSeconds, unixMilliseconds, julianDay, referenceSeconds
  case booleanWords(yes: String, no: String)
  case decimalText
  case uuidText, uuidBytes
  case base64, hex
}

/// Which instant a date means that is written without a zone. The zone of the machine never counts.
public enum ZonePolicy: Sendable, Hashable {
  /// A date without a zone does not fit.
  case required
  /// A date without a zone is meant in this one.
  case assumed(TimeZone)

  /// Without a zone, UTC is meant.
  public static let utc = ZonePolicy.assumed(.gmt)
}

/// What becomes of a value that does not fit its attribute.
public enum UnfitPolicy: String, Sendable, Hashable, CaseIterable {
  /// Reading it throws, with the place in the file.
  case refuse = "error"
  /// It is read as nil. Saving the row leaves the value in the file as it is, unless the attribute was changed.
  case asNil = "nil"
}
