package import Foundation

extension XMLStreamReader {
  /// Reads a whole document that is in memory.
  package static func read(
    _ bytes: UnsafeRawBufferPointer, limits: XMLLimits = .standard, to handler: any XMLStreamHandler
  ) throws {
    let reader = XMLStreamReader(handler, limits: limits)
    try unsafe reader.parse(bytes)
    try reader.finish()
  }

  /// Reads a document from a file, a chunk at a time.
  package static func read(
    contentsOf url: URL, limits: XMLLimits = .standard, encoding: String? = nil,
    to handler: any XMLStreamHandler
  ) throws {
    let reader = XMLStreamReader(handler, limits: limits, encoding: encoding)
    let file: FileHandle
    do { file = try FileHandle(forReadingFrom: url) } catch {
      throw XMLError(.inputOutput, "cannot be opened: \(error.localizedDescription)")
    }
    while true {
      let chunk: Data?
      do { chunk = try file.read(upToCount: XMLStreamReader.chunk) } catch {
        throw XMLError(.inputOutput, "cannot be read: \(error.localizedDescription)")
      }
      guard let chunk, !chunk.isEmpty else { break }
      try unsafe chunk.withUnsafeBytes { try unsafe reader.parse($0) }
    }
    try reader.finish()
  }
}
