public import FederatedModel
public import Foundation

/// Where a format reads from: a file or bytes in memory, handed over in chunks.
///
/// A file is never held whole. Every pass opens it anew, so a source can be read several times.
public struct ByteSource: Sendable {
  /// The file; nil for bytes in memory.
  public let url: URL?
  /// How much the source may hold. Its own bytes are counted here; the rest is for the format to keep.
  public let limits: ReadingLimits
  /// The encoding of the text, where the source is not to be believed; nil believes it.
  public let encoding: String?
  private let bytes: Data
  private let digest: DigestBox?

  /// The most bytes that one chunk has.
  public static let chunkSize = 65_536

  public init(file: URL) {
    self.init(file: file, digest: nil)
  }

  /// The file of a store, with the limits and the encoding of its description.
  package init(file: URL, of description: PersistentStoreDescription) {
    self.init(file: file, description, digest: nil)
  }

  /// A file whose digest is taken while it is read.
  init(file: URL, _ description: PersistentStoreDescription? = nil, digest: DigestBox?) {
    self.url = file
    self.limits = description?.limits ?? .standard
    self.encoding = description?.encoding
    self.bytes = Data()
    self.digest = digest
  }

  public init(bytes: Data, limits: ReadingLimits = .standard, encoding: String? = nil) {
    self.url = nil
    self.limits = limits
    self.encoding = encoding
    self.bytes = bytes
    self.digest = nil
  }

  /// Hands over all bytes in order.
  /// - Parameter consume: gets a chunk that is valid during the call, and answers whether to go on.
  /// - Throws: what `consume` throws, and `inputOutput` when the file cannot be read.
  ///   `refusedContent` when it is longer than its limit.
  public func read(_ consume: (UnsafeRawBufferPointer) throws(StoreError) -> Bool) throws(StoreError) {
    if let url = self.url {
      try self.read(url, consume)
    } else {
      try self.readMemory(consume)
    }
  }

  /// The first bytes; fewer than `count` when there are no more.
  public func prefix(_ count: Int) throws(StoreError) -> [UInt8] {
    var prefix: [UInt8] = []
    try self.read { (chunk) throws(StoreError) in
      prefix.append(contentsOf: chunk.prefix(count - prefix.count))
      return prefix.count < count
    }
    return prefix
  }

  /// All bytes, for formats and files that are small.
  public func contents() throws(StoreError) -> Data {
    if self.url == nil { return self.bytes }
    var contents = Data()
    try self.read { (chunk) throws(StoreError) in
      contents.append(contentsOf: chunk)
      return true
    }
    return contents
  }

  private func readMemory(_ consume: (UnsafeRawBufferPointer) throws(StoreError) -> Bool) throws(StoreError) {
    try self.check(self.bytes.count)
    var start = self.bytes.startIndex
    while start < self.bytes.endIndex {
      let end = min(start + ByteSource.chunkSize, self.bytes.endIndex)
      let goOn = try ByteSource.lend(self.bytes[start..<end], consume)
      guard goOn else { return }
      start = end
    }
  }

  /// `Data.withUnsafeBytes` does not carry typed errors.
  private static func lend(
    _ slice: Data, _ consume: (UnsafeRawBufferPointer) throws(StoreError) -> Bool
  ) throws(StoreError) -> Bool {
    let result = slice.withUnsafeBytes { bytes -> Result<Bool, StoreError> in
      do throws(StoreError) { return .success(try consume(bytes)) } catch { return .failure(error) }
    }
    return try result.get()
  }

  private func check(_ size: Int) throws(StoreError) {
    guard size > self.limits.fileBytes else { return }
    throw StoreError(
      .refusedContent, store: self.url,
      "the file has more than the \(self.limits.fileBytes) bytes that its limits allow; raise limits.fileBytes if it is "
        + "to be trusted")
  }

  private func read(
    _ url: URL, _ consume: (UnsafeRawBufferPointer) throws(StoreError) -> Bool
  ) throws(StoreError) {
    let file = open(url.path(percentEncoded: false), O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw StoreError.system(errno, "opened", url) }
    defer { close(file) }
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: ByteSource.chunkSize, alignment: 16)
    defer { chunk.deallocate() }
    self.digest?.begin()
    var size = 0
    while true {
      let count = Foundation.read(file, chunk.baseAddress, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw StoreError.system(errno, "read", url) }
      guard count > 0 else {
        self.digest?.end()
        return
      }
      size += count
      try self.check(size)
      self.digest?.update(UnsafeRawBufferPointer(rebasing: chunk[0..<count]))
      guard try consume(UnsafeRawBufferPointer(rebasing: chunk[0..<count])) else { return }
    }
  }
}

extension StoreError {
  /// What the operating system refused to do with a file.
  package static func system(_ number: Int32, _ verb: String, _ url: URL) -> StoreError {
    let code: Code =
      switch number {
      case ENOENT: .missingFile
      case EROFS: .readOnly
      case ENOSPC, EDQUOT, EFBIG: .diskFull
      default: .inputOutput
      }
    let reason = String(cString: strerror(number))
    return StoreError(code, store: url, "the file cannot be \(verb): \(reason)")
  }
}
