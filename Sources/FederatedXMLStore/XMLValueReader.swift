internal import FederatedModel
internal import FederatedStore
internal import Foundation

/// Puts the text of one `attribute` element into its slot.
enum XMLValueReader {
  /// Where a value goes and what it must be: no references in it, so that it costs nothing to hand around.
  struct Column {
    var slot: Int
    var kind: SlotKind
    /// Bounds of an integer.
    var range = Int64.min...Int64.max

    init(slot: Int, kind: SlotKind, type: AttributeType) {
      self.slot = slot
      self.kind = kind
      if type == .integer16 { self.range = Int64(Int16.min)...Int64(Int16.max) }
      if type == .integer32 { self.range = Int64(Int32.min)...Int64(Int32.max) }
    }
  }

  /// Reads the text by the model's type, whatever type the file names.
  ///
  /// Strings and base64 are decoded inside the buffer.
  /// - Returns: false when the text is no value of that type; the slot is then left as it was.
  static func read(
    _ buffer: XMLTextBuffer, into row: inout RowBlockBuilder, at column: Column
  ) -> Bool {
    let slot = column.slot
    switch column.kind {
    case .string, .uri:
      buffer.shorten(
        to: XMLStringEscape.decode(UnsafeMutableRawBufferPointer(rebasing: buffer.bytes[..<buffer.count])))
      row.set(bytes: buffer.text, at: slot)
    case .int:
      guard let value = NumberText.integer(buffer.trimmed), column.range.contains(value) else {
        return false
      }
      row.set(int: value, at: slot)
    case .bool:
      guard let value = self.bool(buffer.trimmed) else { return false }
      row.set(bool: value, at: slot)
    case .double, .float, .date:
      guard let value = NumberText.double(buffer.trimmed), column.kind != .date || value.isFinite else {
        return false
      }
      row.set(double: value, at: slot)
    case .decimal:
      return self.decimal(buffer.trimmed, into: &row, at: slot)
    case .data:
      guard
        let count = XMLBase64.decode(UnsafeMutableRawBufferPointer(rebasing: buffer.bytes[..<buffer.count]))
      else { return false }
      buffer.shorten(to: count)
      row.set(bytes: buffer.text, at: slot)
    case .uuid:
      let text = String(decoding: buffer.trimmed, as: UTF8.self)
      guard let value = UUID(uuidString: text) else { return false }
      row.set(uuid: value, at: slot)
    case .reference: return false
    }
    return true
  }

  private static func bool(_ text: UnsafeRawBufferPointer) -> Bool? {
    if text.count == 1 {
      return text[0] == UInt8(ascii: "1") ? true : text[0] == UInt8(ascii: "0") ? false : nil
    }
    switch String(decoding: text, as: UTF8.self).lowercased() {
    case "true", "yes": return true
    case "false", "no": return false
    default: return nil
    }
  }

  private static func decimal(
    _ text: UnsafeRawBufferPointer, into row: inout RowBlockBuilder, at slot: Int
  ) -> Bool {
    if let packed = PackedDecimal(text: text) {
      row.set(word: packed.word, at: slot)
      return true
    }
    // `Decimal` would take the beginning of a text and be content.
    guard NumberText.isDecimal(text),
      let value = Decimal(string: String(decoding: text, as: UTF8.self), locale: nil), value.isFinite
    else { return false }
    row.set(decimal: value, at: slot)
    return true
  }
}
