/// What keeps two values from being equal that look the same to a reader.
///
/// Links compare exactly, in every store alike; a diagnosis tells which keys would have met otherwise.
public enum KeyDifference: String, Sendable, Hashable, CaseIterable, Codable {
  /// One text is composed, the other decomposed: é as one scalar, and as e with a mark.
  case normalization
  /// White space at the ends, more of it inside, or invisible characters.
  case whitespace
  case letterCase
  case diacritics
  /// Wide letters, ligatures and other forms of the same characters.
  case compatibility
  /// An empty text against nil.
  case emptyText
  /// A number against a text of the same worth, or two texts of one number: `"007"` and `7`.
  case numberText
  /// Numbers that are one after rounding to a shorter kind.
  case numberPrecision
  /// Instants of one second or minute, one of them without what is left over.
  case dateFraction
  /// A day against an instant of this day.
  case dateDay
  /// Instants that are whole hours apart, no more than time zones are.
  case timeZone
  /// Seconds since 1970 against seconds since 2001.
  case dateEpoch
  /// A date against its text.
  case dateText
  /// A UUID against its text or its bytes, or two ways to write it.
  case uuidForm

  /// The difference as a phrase: `letter case`.
  public var phrase: String {
    switch self {
    case .normalization: "Unicode normalisation"
    case .whitespace: "white space or invisible characters"
    case .letterCase: "letter case"
    case .diacritics: "diacritics"
    case .compatibility: "width or form of characters"
    case .emptyText: "an empty text against nil"
    case .numberText: "a number against its text"
    case .numberPrecision: "rounding of a number"
    case .dateFraction: "a part of a minute"
    case .dateDay: "a day against an instant of it"
    case .timeZone: "whole hours, as time zones do"
    case .dateEpoch: "the epoch, 1970 against 2001"
    case .dateText: "a date against its text"
    case .uuidForm: "the form of a UUID"
    }
  }
}
