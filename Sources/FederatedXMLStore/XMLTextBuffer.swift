internal import Foundation

/// Bytes gathered from pieces, such as the text of an element. The memory is used again for the next.
final class XMLTextBuffer {
  private(set) var bytes: UnsafeMutableRawBufferPointer
  private(set) var count = 0

  init() { self.bytes = .allocate(byteCount: 4096, alignment: 16) }

  deinit { self.bytes.deallocate() }

  func removeAll() { self.count = 0 }

  /// Makes the text end earlier, after a decoding in place.
  func shorten(to count: Int) { self.count = count }

  @inline(__always) func append(_ piece: UnsafeRawBufferPointer) {
    guard let start = piece.baseAddress else { return }
    if self.count + piece.count > self.bytes.count { self.grow(for: piece.count) }
    memcpy(self.bytes.baseAddress! + self.count, start, piece.count)
    self.count += piece.count
  }

  private func grow(for more: Int) {
    let larger = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Swift.max(self.bytes.count * 2, self.count + more), alignment: 16)
    memcpy(larger.baseAddress!, self.bytes.baseAddress!, self.count)
    self.bytes.deallocate()
    self.bytes = larger
  }

  var text: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: self.bytes[..<self.count]) }

  /// The text without white space around it.
  var trimmed: UnsafeRawBufferPointer {
    var start = 0
    var end = self.count
    while start < end, self.bytes[start].isXMLSpace { start += 1 }
    while end > start, self.bytes[end - 1].isXMLSpace { end -= 1 }
    return UnsafeRawBufferPointer(rebasing: self.bytes[start..<end])
  }

  /// Drops bytes from the front.
  func removeFirst(_ dropped: Int) {
    self.count -= dropped
    memmove(self.bytes.baseAddress!, self.bytes.baseAddress! + dropped, self.count)
  }
}

extension UInt8 {
  @inline(__always) var isXMLSpace: Bool { self == 0x20 || self == 0x0A || self == 0x09 || self == 0x0D }
  @inline(__always) var isDigit: Bool { self >= 0x30 && self <= 0x39 }
}
