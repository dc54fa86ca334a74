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
  /// The encoding to take, whatever the document says; nil believes it.
  private let encoding: String?
  /// The first bytes, until there are enough to tell a byte order mark; nil from then on.
  private var head: [UInt8]? = []
  private var watch: XMLEncodingWatch?
  private var knowsDeclaration = false
  private var openTag = XMLOpenTag()

  /// - Parameter encoding: the encoding to take, whatever the document says; nil believes the document, but for what its
  ///   bytes contradict.
  package init(
    _ handler: any XMLStreamHandler, limits: XMLLimits = .standard, encoding: String? = nil
  ) {
    self.encoding = encoding
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
    guard var head = self.head else { return try unsafe self.give(bytes) }
    if head.isEmpty, bytes.count >= XMLStreamReader.longestMark { return try unsafe self.begin(with: bytes) }
    unsafe head.append(contentsOf: bytes)
    self.head = head
    if head.count >= XMLStreamReader.longestMark {
      try unsafe head.withUnsafeBytes { try unsafe self.begin(with: $0) }
    }
  }

  private static let longestMark = 4

  /// Settles the encoding and parses the first bytes.
  private func begin(with bytes: UnsafeRawBufferPointer) throws {
    self.head = nil
    let marks: [(bytes: [UInt8], encoding: String)] = [
      ([0xFF, 0xFE, 0x00, 0x00], "UTF-32LE"), ([0x00, 0x00, 0xFE, 0xFF], "UTF-32BE"),
      ([0xEF, 0xBB, 0xBF], "UTF-8"), ([0xFF, 0xFE], "UTF-16LE"), ([0xFE, 0xFF], "UTF-16BE"),
    ]
    let mark = marks.first { mark in unsafe bytes.starts(with: mark.bytes) }
    // The parser takes the mark of UTF-32 for one of UTF-16.
    let isUTF32 = mark?.bytes.count == XMLStreamReader.longestMark
    guard let encoding = self.encoding ?? (isUTF32 ? mark?.encoding : nil) else {
      return try unsafe self.give(bytes)
    }
    self.knowsDeclaration = true
    try self.take(encoding)
    try unsafe self.give(UnsafeRawBufferPointer(rebasing: bytes.dropFirst(mark?.bytes.count ?? 0)))
  }

  private func take(_ encoding: String) throws(XMLError) {
    guard let handler = unsafe xmlFindCharEncodingHandler(encoding) else {
      throw XMLError(.content, "there is no encoding \"\(encoding)\"; name one such as UTF-8 or windows-1252")
    }
    let options = XML_PARSE_NONET.rawValue | XML_PARSE_IGNORE_ENC.rawValue
    _ = unsafe xmlCtxtUseOptions(self.parser, Int32(options))
    _ = unsafe xmlSwitchToEncoding(self.parser, handler)
  }

  private func give(_ bytes: UnsafeRawBufferPointer) throws {
    var rest = unsafe bytes
    while unsafe !rest.isEmpty {
      let part = unsafe UnsafeRawBufferPointer(rebasing: rest.prefix(XMLStreamReader.chunk))
      unsafe rest = unsafe UnsafeRawBufferPointer(rebasing: rest.dropFirst(part.count))
      try self.events.count(part.count)
      unsafe self.push(part, ends: false)
      if !self.knowsDeclaration { self.learnDeclaration() }
      unsafe self.openTag.look(at: self.parser)
      self.events.checkAttributes(self.openTag.values)
      unsafe self.watch?.look(at: part)
      if let failure = self.events.failure { throw failure }
    }
  }

  /// Watches the bytes from here on where the document says to be in an encoding that no byte contradicts.
  private func learnDeclaration() {
    let input = unsafe self.parser.pointee.input.flatMap { unsafe $0.pointee.encoding }
    if let declared = unsafe input {
      self.watch = unsafe XMLEncodingWatch(declared: String(cString: declared))
      self.knowsDeclaration = true
    } else if self.events.hasRoot {
      self.knowsDeclaration = true
    }
  }

  /// Ends the document.
  /// - Throws: ``XMLError`` when the document is not complete, or what the handler threw.
  package func finish() throws {
    if let head = self.head, self.events.failure == nil {
      try unsafe head.withUnsafeBytes { try unsafe self.begin(with: $0) }
    }
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
    try self.watch?.finish()
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
