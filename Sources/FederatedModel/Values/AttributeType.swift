/// The type of an attribute, as the model declares it.
public enum AttributeType: Sendable, Hashable, Codable {
  /// No type. Legal for transient attributes only.
  case undefined
  case integer16, integer32, integer64
  case decimal
  case double, float
  case string
  case boolean
  case date
  case binary
  case uuid
  case uri
  /// Bytes that a registered ``TransformableCodec`` turns into a value and back. The name may be nil in
  /// models that other programs wrote.
  case transformable(codec: String?)
  /// A group of values. Read from model files and kept; no store holds it yet.
  case composite(name: String)
}

/// How the value of one column lies in its 8-byte slot.
///
/// | kind | in the slot |
/// | --- | --- |
/// | `int` | the integer |
/// | `bool` | 0 or 1 |
/// | `double`, `float` | the bits of the `Double` |
/// | `date` | the bits of the seconds since 2001-01-01 UTC |
/// | `decimal` | packed mantissa and exponent, or a place in the arena (``PackedDecimal``) |
/// | `string`, `uri`, `data`, `uuid` | place and length in the arena |
/// | `reference` | the destination's reference; the next slot holds its ``EntityID`` |
@frozen public enum SlotKind: UInt8, Sendable, Hashable, Codable {
  case int, bool, double, float, date, decimal, string, uri, data, uuid, reference
}

extension AttributeType {
  /// How a column of this type lies in a slot; nil when no store can hold it.
  public var slotKind: SlotKind? {
    switch self {
    case .undefined, .composite: nil
    case .integer16, .integer32, .integer64: .int
    case .decimal: .decimal
    case .double: .double
    case .float: .float
    case .string: .string
    case .boolean: .bool
    case .date: .date
    case .binary, .transformable: .data
    case .uuid: .uuid
    case .uri: .uri
    }
  }
}
