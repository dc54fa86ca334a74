import CZlib
import Foundation

/// Unpacks raw DEFLATE streams: no header, no checksum, and never more than a given size.
enum Inflation {
  enum Failure: Error, CustomStringConvertible {
    /// The bytes are no such stream, or it ends too early.
    case damaged
    /// The content is larger than the limit.
    case tooLarge(limit: Int)
    case outOfMemory

    var description: String {
      switch self {
      case .damaged: "the bytes are no raw DEFLATE stream, or it is cut off"
      case .tooLarge(let limit): "the content is larger than \(limit) bytes"
      case .outOfMemory: "there is not enough memory to unpack the content"
      }
    }
  }

  private static let chunk = 64 * 1024

  /// - Parameter limit: the most bytes that may come out; a small stream can hold gigabytes.
  static func inflate(_ packed: Data, limit: Int) throws(Failure) -> Data {
    guard packed.count <= Int(UInt32.max) else { throw .tooLarge(limit: limit) }
    var stream = unsafe z_stream()
    guard unsafe fd_inflate_begin_raw(&stream) == Z_OK else { throw .outOfMemory }
    defer { unsafe inflateEnd(&stream) }
    var input = [UInt8](packed)
    var output = Data()
    var buffer = [UInt8](repeating: 0, count: Self.chunk)
    var code = Z_OK
    // The stream keeps the address of its input from call to call.
    let count = input.count
    unsafe input.withUnsafeMutableBufferPointer { source in
      unsafe stream.next_in = source.baseAddress
      unsafe stream.avail_in = UInt32(count)
      while code == Z_OK, output.count <= limit {
        let written = unsafe buffer.withUnsafeMutableBufferPointer { target in
          unsafe stream.next_out = target.baseAddress
          unsafe stream.avail_out = UInt32(target.count)
          code = unsafe CZlib.inflate(&stream, Z_NO_FLUSH)
          return unsafe target.count - Int(stream.avail_out)
        }
        output.append(contentsOf: buffer[..<written])
        // Without progress there is nothing left to read.
        if written == 0, code == Z_OK { code = Z_BUF_ERROR }
      }
    }
    if output.count > limit { throw .tooLarge(limit: limit) }
    switch code {
    case Z_STREAM_END: return output
    case Z_MEM_ERROR: throw .outOfMemory
    default: throw .damaged
    }
  }
}
