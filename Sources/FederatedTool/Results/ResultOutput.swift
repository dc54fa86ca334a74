import Foundation

/// Where results go: a buffer before a file descriptor, or before memory in tests.
///
/// When the reader has gone away (a closed pipe), writing stops quietly and ``isOpen`` turns false, so that a
/// command can stop early.
final class ResultOutput {
  private var buffer: [UInt8] = []
  private let descriptor: Int32?
  /// What was written when there is no descriptor.
  private(set) var collected: [UInt8] = []
  private(set) var isOpen = true
  private static let capacity = 64 * 1024

  /// - Parameter descriptor: nil collects the bytes in memory.
  init(descriptor: Int32?) {
    self.descriptor = descriptor
    self.buffer.reserveCapacity(Self.capacity)
  }

  func write(_ bytes: some Sequence<UInt8>) throws {
    guard self.isOpen else { return }
    self.buffer.append(contentsOf: bytes)
    if self.buffer.count >= Self.capacity { try self.flush() }
  }

  func write(_ text: String) throws { try self.write(text.utf8) }

  func flush() throws {
    defer { self.buffer.removeAll(keepingCapacity: true) }
    guard let descriptor = self.descriptor else {
      self.collected += self.buffer
      return
    }
    var done = 0
    while done < self.buffer.count, self.isOpen {
      let count = writeBytes(self.buffer[done...], to: descriptor)
      if count >= 0 {
        done += count
      } else if errno == EPIPE {
        self.isOpen = false
      } else if errno != EINTR {
        throw ToolError.failed("standard output", "cannot be written: \(String(cString: strerror(errno)))")
      }
    }
  }
}

private func writeBytes(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int {
  bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
}
