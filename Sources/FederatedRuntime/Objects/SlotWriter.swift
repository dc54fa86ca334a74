import FederatedModel
public import Foundation

/// Where a typed value is written: one slot of one object's unsaved values.
public struct SlotWriter {
  let rows: EditRows
  let row: Int32
  let slot: Int

  public func setNull() { self.rows.setNull(self.row, self.slot) }
  public func set(word: UInt64) { self.rows.set(word: word, self.row, self.slot) }
  public func set(_ text: String) { self.rows.set(string: text, self.row, self.slot) }
  public func set(_ decimal: Decimal) { self.rows.set(decimal: decimal, self.row, self.slot) }
  public func set(bytes: UnsafeRawBufferPointer) { self.rows.set(bytes: bytes, self.row, self.slot) }
}

extension AttributeValue where Self: FixedWidthInteger {
  public func write(to slot: SlotWriter) { slot.set(word: UInt64(bitPattern: Int64(self))) }
}

extension Double {
  public func write(to slot: SlotWriter) { slot.set(word: self.bitPattern) }
}

extension Float {
  public func write(to slot: SlotWriter) { slot.set(word: Double(self).bitPattern) }
}

extension Bool {
  public func write(to slot: SlotWriter) { slot.set(word: self ? 1 : 0) }
}

extension Date {
  public func write(to slot: SlotWriter) { slot.set(word: self.timeIntervalSinceReferenceDate.bitPattern) }
}

extension String {
  public func write(to slot: SlotWriter) { slot.set(self) }
}

extension Decimal {
  public func write(to slot: SlotWriter) { slot.set(self) }
}

extension Data {
  public func write(to slot: SlotWriter) { self.withUnsafeBytes { slot.set(bytes: $0) } }
}

extension UUID {
  public func write(to slot: SlotWriter) { withUnsafeBytes(of: self.uuid) { slot.set(bytes: $0) } }
}

extension URL {
  public func write(to slot: SlotWriter) { slot.set(self.absoluteString) }
}

extension Optional where Wrapped: AttributeValue {
  public func write(to slot: SlotWriter) {
    if let wrapped = self { wrapped.write(to: slot) } else { slot.setNull() }
  }
}
