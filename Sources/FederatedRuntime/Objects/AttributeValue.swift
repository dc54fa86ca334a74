public import FederatedModel
public import Foundation

/// A Swift type that an attribute can have in typed code.
///
/// The library's types are all there are: `Int` and its sized kin, `Double`, `Float`, `Decimal`, `Bool`,
/// `String`, `Date`, `Data`, `UUID`, `URL`, and optionals of them.
public protocol AttributeValue: ValueConvertible, Sendable {
  /// Which columns the type can read and write.
  static func accepts(_ kind: SlotKind) -> Bool
  /// What a reader gets where there is no value: nil for an optional, else the type's zero.
  static var missing: Self { get }
  /// Reads a slot that is not null.
  static func read(_ row: Snapshot, _ slot: Int) -> Self
  func write(to slot: SlotWriter)
}

extension Optional: AttributeValue where Wrapped: AttributeValue {
  @inlinable public static func accepts(_ kind: SlotKind) -> Bool { Wrapped.accepts(kind) }
  @inlinable public static var missing: Wrapped? { nil }
  @inlinable public static func read(_ row: Snapshot, _ slot: Int) -> Wrapped? { Wrapped.read(row, slot) }
}

extension AttributeValue where Self: FixedWidthInteger {
  @inlinable public static func accepts(_ kind: SlotKind) -> Bool { kind == .int }
  @inlinable public static var missing: Self { 0 }
  @inlinable public static func read(_ row: Snapshot, _ slot: Int) -> Self {
    Self(truncatingIfNeeded: row.int(slot))
  }
}

extension Int: AttributeValue {}
extension Int16: AttributeValue {}
extension Int32: AttributeValue {}
extension Int64: AttributeValue {}

extension Double: AttributeValue {
  @inlinable public static func accepts(_ kind: SlotKind) -> Bool { kind == .double || kind == .float }
  @inlinable public static var missing: Double { 0 }
  @inlinable public static func read(_ row: Snapshot, _ slot: Int) -> Double { row.double(slot) }
}

extension Float: AttributeValue {
  @inlinable public static func accepts(_ kind: SlotKind) -> Bool { kind == .double || kind == .float }
  @inlinable public static var missing: Float { 0 }
  @inlinable public static func read(_ row: Snapshot, _ slot: Int) -> Float { Float(row.double(slot)) }
}

extension Bool: AttributeValue {
  @inlinable public static func accepts(_ kind: SlotKind) -> Bool { kind == .bool }
  @inlinable public static var missing: Bool { false }
  @inlinable public static func read(_ row: Snapshot, _ slot: Int) -> Bool { row.bool(slot) }
}

extension String: AttributeValue {
  @inlinable public static func accepts(_ kind: SlotKind) -> Bool { kind == .string }
  @inlinable public static var missing: String { "" }
  @inlinable public static func read(_ row: Snapshot, _ slot: Int) -> String { row.string(slot) }
}

extension Date: AttributeValue {
  @inlinable public static func accepts(_ kind: SlotKind) -> Bool { kind == .date }
  @inlinable public static var missing: Date { Date(timeIntervalSinceReferenceDate: 0) }
  @inlinable public static func read(_ row: Snapshot, _ slot: Int) -> Date { row.date(slot) }
}

extension Decimal: AttributeValue {
  @inlinable public static func accepts(_ kind: SlotKind) -> Bool { kind == .decimal }
  @inlinable public static var missing: Decimal { 0 }
  @inlinable public static func read(_ row: Snapshot, _ slot: Int) -> Decimal { row.decimal(slot) }
}

extension Data: AttributeValue {
  @inlinable public static func accepts(_ kind: SlotKind) -> Bool { kind == .data }
  @inlinable public static var missing: Data { Data() }
  @inlinable public static func read(_ row: Snapshot, _ slot: Int) -> Data { row.data(slot) }
}

extension UUID: AttributeValue {
  @inlinable public static func accepts(_ kind: SlotKind) -> Bool { kind == .uuid }
  @inlinable public static var missing: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
  @inlinable public static func read(_ row: Snapshot, _ slot: Int) -> UUID { row.uuid(slot) }
}

extension URL: AttributeValue {
  @inlinable public static func accepts(_ kind: SlotKind) -> Bool { kind == .uri }
  public static var missing: URL { URL(filePath: "/") }
  public static func read(_ row: Snapshot, _ slot: Int) -> URL {
    URL(string: row.string(slot)) ?? Self.missing
  }
}
