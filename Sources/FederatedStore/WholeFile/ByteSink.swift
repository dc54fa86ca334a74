public import Foundation

/// Where a format writes to: bytes gathered in a buffer on their way into a file or into memory.
///
/// Writing does not throw. The first failure of the file is kept, nothing is written after it, and the store
/// throws it when the format has returned.
public struct ByteSink {
  private var buffer: [UInt8] = []
  private let file: Int32?
  private let url: URL?
  private var hasher = ContentHasher()
  /// The digest of what went into the file.
  var digest: ContentDigest { self.hasher.digest }
  /// What went wrong first.
  private(set) var failure: StoreError?
  /// Bytes written so far.
  public private(set) var count = 0

  private static let bufferSize = 131_072

  /// A sink into memory.
  public init() {
    self.file = nil
    self.url = nil
  }

  /// A sink into an open file, which stays open.
  package init(file: Int32, url: URL) {
    self.file = file
    self.url = url
    self.buffer.reserveCapacity(ByteSink.bufferSize)
  }

  public mutating func write(byte: UInt8) {
    self.buffer.append(byte)
    self.count += 1
    self.drainIfFull()
  }

  public mutating func write(bytes: UnsafeRawBufferPointer) {
    self.buffer.append(contentsOf: bytes)
    self.count += bytes.count
    self.drainIfFull()
  }

  public mutating func write(_ bytes: some Collection<UInt8>) {
    self.buffer.append(contentsOf: bytes)
    self.count += bytes.count
    self.drainIfFull()
  }

  public mutating func write(_ text: String) {
    var text = text
    text.withUTF8 { self.write(bytes: UnsafeRawBufferPointer($0)) }
  }

  /// Writes a literal.
  public mutating func write(_ text: StaticString) {
    self.write(bytes: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Writes an integer in decimal digits.
  public mutating func write(decimal number: Int64) {
    var digits: (UInt64, UInt64, UInt64) = (0, 0, 0)
    withUnsafeMutableBytes(of: &digits) { digits in
      var rest = number.magnitude
      var start = digits.count
      repeat {
        start -= 1
        digits[start] = UInt8(ascii: "0") + UInt8(rest % 10)
        rest /= 10
      } while rest != 0
      if number < 0 {
        start -= 1
        digits[start] = UInt8(ascii: "-")
      }
      self.write(bytes: UnsafeRawBufferPointer(rebasing: digits[start...]))
    }
  }

  /// What was written, of a sink into memory.
  public var contents: Data {
    precondition(self.file == nil, "the bytes went into a file")
    return Data(self.buffer)
  }

  /// Sends what is gathered to the file.
  /// - Throws: the first failure.
  package mutating func finish() throws(StoreError) {
    self.drain()
    if let failure = self.failure { throw failure }
  }

  private mutating func drainIfFull() {
    if self.buffer.count >= ByteSink.bufferSize { self.drain() }
  }

  private mutating func drain() {
    guard let file = self.file, let url = self.url else { return }
    defer { self.buffer.removeAll(keepingCapacity: true) }
    if self.failure != nil { return }
    var hasher = self.hasher
    self.buffer.withUnsafeBytes { hasher.update($0) }
    self.hasher = hasher
    var written = 0
    while written < self.buffer.count {
      let count = self.buffer.withUnsafeBytes {
        Foundation.write(file, $0.baseAddress.map { $0 + written }, $0.count - written)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        self.failure = StoreError.system(errno, "written", url)
        return
      }
      written += count
    }
  }
}
