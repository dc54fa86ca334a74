import CXML2
import Foundation

/// A bare pass of libxml2's SAX2 push parser over a document, counting elements.
enum RawElements {
  static func count(_ url: URL) throws -> Int {
    var elements = 0
    var handler = xmlSAXHandler()
    handler.initialized = UInt32(XML_SAX2_MAGIC)
    handler.startElementNs = { context, _, _, _, _, _, _, _, _ in
      context!.assumingMemoryBound(to: Int.self).pointee += 1
    }
    handler.endElementNs = { _, _, _, _ in }
    handler.characters = { _, _, _ in }
    guard let file = fopen(url.filePath, "rb") else { throw BenchmarkError("\(url.filePath) does not open") }
    defer { fclose(file) }
    let size = 65_536
    let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: size)
    defer { buffer.deallocate() }
    return try withUnsafeMutablePointer(to: &elements) { elements in
      guard let parser = xmlCreatePushParserCtxt(&handler, elements, nil, 0, nil) else {
        throw BenchmarkError("no parser")
      }
      defer { xmlFreeParserCtxt(parser) }
      xmlCtxtUseOptions(parser, Int32(XML_PARSE_NONET.rawValue))
      var count: Int
      repeat {
        count = fread(buffer, 1, size, file)
        guard xmlParseChunk(parser, buffer, Int32(count), count == 0 ? 1 : 0) == 0 else {
          throw BenchmarkError("\(url.filePath) does not parse")
        }
      } while count > 0
      return elements.pointee
    }
  }
}
