public import Foundation

/// One stored or computed value, from the closed set that every store can hold.
///
/// `Value` exists at the edges only: generic accessors, defaults, predicates and tools. Rows keep their
/// values in typed slots (``RowBlock``).
///
/// `==` and `hash(into:)` compare *structure*: strings by their UTF-8 bytes, doubles by their bit pattern,
/// and kinds strictly. What a predicate calls equal is ``matches(_:)``.
public enum Value: Sendable {
  /// No value. A case, not an absence: nil is an ordinary value that equals only itself.
  case null
  case bool(Bool)
  case int(Int64)
  case double(Double)
  case decimal(Decimal)
  case string(String)
  case date(Date)
  case data(Data)
  case uuid(UUID)
  /// A URI, kept as its absolute text so that nothing a file holds is normalised away.
  case uri(String)
  case object(ManagedObjectID)
  case list([Value])

  /// Whether this is ``null``.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }
}

extension Value: Hashable {
  public static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.int(let a), .int(let b)): a == b
    case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
    case (.decimal(let a), .decimal(let b)): a == b
    case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
    case (.date(let a), .date(let b)):
      a.timeIntervalSinceReferenceDate.bitPattern == b.timeIntervalSinceReferenceDate.bitPattern
    case (.data(let a), .data(let b)): a == b
    case (.uuid(let a), .uuid(let b)): a == b
    case (.uri(let a), .uri(let b)): a.utf8.elementsEqual(b.utf8)
    case (.object(let a), .object(let b)): a == b
    case (.list(let a), .list(let b)): a == b
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value):
      hasher.combine(1)
      hasher.combine(value)
    case .int(let value):
      hasher.combine(2)
      hasher.combine(value)
    case .double(let value):
      hasher.combine(3)
      hasher.combine(value.bitPattern)
    case .decimal(let value):
      hasher.combine(4)
      hasher.combine(value)
    case .string(let value):
      hasher.combine(5)
      Value.hash(bytesOf: value, into: &hasher)
    case .date(let value):
      hasher.combine(6)
      hasher.combine(value.timeIntervalSinceReferenceDate.bitPattern)
    case .data(let value):
      hasher.combine(7)
      hasher.combine(value)
    case .uuid(let value):
      hasher.combine(8)
      hasher.combine(value)
    case .uri(let value):
      hasher.combine(9)
      Value.hash(bytesOf: value, into: &hasher)
    case .object(let value):
      hasher.combine(10)
      hasher.combine(value)
    case .list(let value):
      hasher.combine(11)
      hasher.combine(value)
    }
  }

  /// `String.hash(into:)` treats canonically equivalent texts as one; bytes do not.
  private static func hash(bytesOf text: String, into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(UInt8(0xFF))
  }
}
