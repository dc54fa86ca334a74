internal import CXML2

/// Reads a document in chunks and hands its events to a handler, without keeping any of it.
///
/// A DOCTYPE is accepted and its external identifier never loaded; any declaration inside it, and any entity
/// besides the five of XML, stops the parse. Nothing is ever read from the file system or the network, and
/// nothing is ever printed.
///
/// ```swift
/// let reader = XMLStreamReader(handler)
/// try reader.parse(bytes)
/// try reader.finish()
/// ```
@safe package final class XMLStreamReader {
  private let parser: xmlParserCtxtPtr
  private let events: XMLEvents

  package init(_ handler: any XMLStreamHandler, limits: XMLLimits = .standard) {
    xmlInitParser()
    self.events = XMLEvents(handler, limits)
    var callbacks = unsafe XMLEvents.callbacks
    let user = unsafe Unmanaged.passUnretained(self.events).toOpaque()
    guard let parser = unsafe xmlCreatePushParserCtxt(&callbacks, user, nil, 0, nil) else {
      preconditionFailure("no memory for an XML parser")
    }
    unsafe self.parser = parser
    unsafe self.events.parser = parser
    _ = unsafe xmlCtxtUseOptions(parser, Int32(XML_PARSE_NONET.rawValue))
  }

  deinit { unsafe xmlFreeParserCtxt(self.parser) }

  /// Where the parser stands: behind the event that a handler is being given.
  package var position: XMLPosition { unsafe XMLPosition(of: self.parser) }

  /// Parses the next bytes of the document.
  /// - Throws: ``XMLError``, or what the handler threw.
  package func parse(_ bytes: UnsafeRawBufferPointer) throws {
    if let failure = self.events.failure { throw failure }
    var rest = unsafe bytes
    while unsafe !rest.isEmpty {
      let part = unsafe UnsafeRawBufferPointer(rebasing: rest.prefix(XMLStreamReader.chunk))
      unsafe rest = unsafe UnsafeRawBufferPointer(rebasing: rest.dropFirst(part.count))
      try self.events.count(part.count)
      unsafe self.push(part, ends: false)
      if let failure = self.events.failure { throw failure }
    }
  }

  /// Ends the document.
  /// - Throws: ``XMLError`` when the document is not complete, or what the handler threw.
  package func finish() throws {
    if let failure = self.events.failure { throw failure }
    let open = unsafe self.parser.pointee.name.map { unsafe String(cString: $0) }
    let position = self.position
    unsafe self.push(UnsafeRawBufferPointer(start: nil, count: 0), ends: true)
    if let failure = self.events.failure as? XMLError, let open, failure.code == .malformed {
      throw XMLError(.malformed, at: position, "the document ends inside the element \(open)")
    }
    if let failure = self.events.failure { throw failure }
    if unsafe self.parser.pointee.wellFormed == 0 {
      throw XMLError(.malformed, at: self.position, "the document is not well-formed")
    }
  }

  /// Bytes given to the parser at once: more costs memory and gains nothing.
  package static let chunk = 64 * 1024

  private func push(_ bytes: UnsafeRawBufferPointer, ends: Bool) {
    let user = unsafe Unmanaged.passUnretained(self.events).toOpaque()
    _ = unsafe fd_xml_parse_chunk(
      self.parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count), ends ? 1 : 0,
      user, XMLEvents.takeError)
  }
}
