import FederatedStore
import Foundation

/// Value formats in a federation file: a name, or an object with what the format needs.
///
/// | JSON | format |
/// | --- | --- |
/// | `"unixSeconds"` | the format of that name |
/// | `{"pattern": "dd.MM.yyyy"}` | a date pattern |
/// | `{"true": "Y", "false": "N"}` | two words for a boolean |
enum FormatNode {
  /// Names of the formats that need nothing else.
  static let names = [
    "standard", "iso8601", "unixSeconds", "unixMilliseconds", "julianDay", "referenceSeconds", "decimalText",
    "uuidText", "uuidBytes", "base64", "hex",
  ]

  /// - Parameters:
  ///   - format: what stands at the key `format`; nil is the standard one.
  ///   - zone: what a date without a zone means.
  static func format(_ format: FederationNode?, zone: ZonePolicy) throws(FederationFileError) -> ValueFormat {
    guard let format else { return .standard }
    if format.isObject { return try self.formatWithParts(format, zone: zone) }
    let name = try format.string()
    switch name {
    case "standard": return .standard
    case "iso8601": return .iso8601(zone)
    case "unixSeconds": return .unixSeconds
    case "unixMilliseconds": return .unixMilliseconds
    case "julianDay": return .julianDay
    case "referenceSeconds": return .referenceSeconds
    case "decimalText": return .decimalText
    case "uuidText": return .uuidText
    case "uuidBytes": return .uuidBytes
    case "base64": return .base64
    case "hex": return .hex
    default:
      throw format.error(
        .invalidMapping,
        "'\(name)' is no format\(NearestName.suggestion(for: name, among: self.names)); use one of "
          + "\(self.names.joined(separator: ", ")), {\"pattern\": …} or {\"true\": …, \"false\": …}")
    }
  }

  private static func formatWithParts(
    _ format: FederationNode, zone: ZonePolicy
  ) throws(FederationFileError) -> ValueFormat {
    let members = try format.members(allowing: ["pattern", "true", "false"])
    if let pattern = members["pattern"] {
      if members["true"] != nil || members["false"] != nil {
        throw format.error(.invalidMapping, "has a date pattern and words for a boolean; keep one of them")
      }
      return .datePattern(try pattern.string(), zone)
    }
    let (yes, no) = (try members.required("true").string(), try members.required("false").string())
    if yes == no { throw format.error(.invalidMapping, "the words for true and false are the same") }
    return .booleanWords(yes: yes, no: no)
  }

  /// - Parameter zone: what stands at the key `zone`; nil leaves the decision to `inherited`.
  static func zone(
    _ zone: FederationNode?, inherited: ZonePolicy
  ) throws(FederationFileError) -> ZonePolicy {
    guard let zone else { return inherited }
    let name = try zone.string()
    if name == "required" { return .required }
    guard let found = name == "UTC" ? TimeZone.gmt : TimeZone(identifier: name) else {
      throw zone.error(
        .invalidMapping, "'\(name)' is no time zone; use a name such as Europe/Paris, UTC, or \"required\"")
    }
    return .assumed(found)
  }

  static func unfit(_ unfit: FederationNode?) throws(FederationFileError) -> UnfitPolicy {
    guard let unfit else { return .refuse }
    let name = try unfit.string()
    guard let policy = UnfitPolicy(rawValue: name) else {
      throw unfit.error(.invalidMapping, "'\(name)' is neither \"error\" nor \"nil\"")
    }
    return policy
  }
}
