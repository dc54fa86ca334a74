internal import CXML2

/// Writes UTF-8 bytes into a buffer that empties itself, and escapes what XML needs escaped.
///
/// Nothing is checked but characters: markup is the caller's. ``flush()`` hands over what is left.
///
/// ```swift
/// let writer = XMLByteWriter { bytes in try file.write(bytes) }
/// writer.raw("<name>")
/// try writer.text(bytes)
/// writer.raw("</name>")
/// try writer.flush()
/// ```
@safe package final class XMLByteWriter {
  let buffer: UnsafeMutablePointer<UInt8>
  let capacity: Int
  var count = 0
  private let output: (UnsafeRawBufferPointer) throws -> Void
  /// The first failure of the output; thrown by ``flush()``, and nothing is handed over after it.
  private var failure: (any Error)?

  package init(capacity: Int = 256 * 1024, output: @escaping (UnsafeRawBufferPointer) throws -> Void) {
    precondition(capacity >= 64, "a buffer of \(capacity) bytes")
    unsafe self.buffer = .allocate(capacity: capacity)
    self.capacity = capacity
    unsafe self.output = output
  }

  deinit { unsafe self.buffer.deallocate() }

  /// Hands over what is in the buffer.
  /// - Throws: what the output threw, now or earlier.
  package func flush() throws {
    self.empty()
    if let failure = self.failure { throw failure }
  }

  /// Hands over what is in the buffer; a failure is kept for ``flush()``.
  package func empty() {
    guard self.count > 0 else { return }
    if self.failure == nil {
      do { try unsafe self.output(UnsafeRawBufferPointer(start: self.buffer, count: self.count)) } catch {
        self.failure = error
      }
    }
    self.count = 0
  }

  // MARK: Raw bytes

  package func raw(_ text: StaticString) {
    unsafe self.raw(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  package func raw(_ text: String) {
    var text = text
    text.withUTF8 { unsafe self.raw(UnsafeRawBufferPointer($0)) }
  }

  package func raw(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    if bytes.count > self.capacity - self.count { return unsafe self.rawInPieces(bytes) }
    unsafe memcpy(self.buffer + self.count, start, bytes.count)
    self.count += bytes.count
  }

  private func rawInPieces(_ bytes: UnsafeRawBufferPointer) {
    var rest = unsafe bytes
    while unsafe !rest.isEmpty {
      if self.count == self.capacity { self.empty() }
      let piece = min(rest.count, self.capacity - self.count)
      unsafe memcpy(self.buffer + self.count, rest.baseAddress.unsafelyUnwrapped, piece)
      self.count += piece
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(piece))
    }
  }

  package func byte(_ byte: UInt8) {
    if self.count == self.capacity { self.empty() }
    unsafe self.buffer[self.count] = byte
    self.count += 1
  }

  /// Decimal digits of an integer.
  package func integer(_ value: Int64) {
    if self.capacity - self.count < 20 { self.empty() }
    var digits: (UInt64, UInt64, UInt64) = (0, 0, 0)
    unsafe withUnsafeMutableBytes(of: &digits) { scratch in
      var place = 24
      var magnitude = value.magnitude
      repeat {
        let (quotient, digit) = magnitude.quotientAndRemainder(dividingBy: 10)
        place -= 1
        unsafe scratch[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
        magnitude = quotient
      } while magnitude != 0
      if value < 0 {
        place -= 1
        unsafe scratch[place] = UInt8(ascii: "-")
      }
      unsafe self.raw(UnsafeRawBufferPointer(rebasing: scratch[place...]))
    }
  }
}
