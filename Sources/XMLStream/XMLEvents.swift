internal import CXML2

/// The receiving end of libxml2's callbacks: counts, refuses, and hands on.
@safe final class XMLEvents {
  private let handler: any XMLStreamHandler
  private let limits: XMLLimits
  var parser: xmlParserCtxtPtr?
  /// The first thing that went wrong; nothing is handed on after it.
  private(set) var failure: (any Error)?
  private var depth = 0
  /// Whether the root's start tag was met.
  private(set) var hasRoot = false
  private var bytes = 0
  /// Bytes of text since the last tag.
  private var textBytes = 0
  /// Namespaces that elements around declare: how many each, and at which depth.
  private var namespaces: [(depth: Int, count: Int)] = []
  private var namespaceCount = 0

  init(_ handler: any XMLStreamHandler, _ limits: XMLLimits) {
    self.handler = handler
    self.limits = limits
  }

  private var position: XMLPosition { unsafe self.parser.map { unsafe XMLPosition(of: $0) } ?? .none }

  /// Keeps the first failure and ends the callbacks. The reader gives the parser nothing more.
  ///
  /// `xmlStopParser` would free the input under the feet of a conversion that is just reporting an error.
  private func stop(_ error: any Error) {
    guard self.failure == nil else { return }
    if let refusal = error as? XMLRefusal {
      self.failure = XMLError(refusal.code, at: self.position, refusal.message)
    } else {
      self.failure = error
    }
    unsafe self.parser?.pointee.disableSAX = 1
  }

  private func refuse(_ message: String) { self.stop(XMLRefusal(message, code: .refused)) }

  /// Counts bytes of the document before they are parsed.
  func count(_ bytes: Int) throws(XMLError) {
    self.bytes += bytes
    if self.bytes > self.limits.documentBytes {
      throw XMLError(
        .refused, at: self.position,
        "the document is longer than the limit of \(self.limits.documentBytes) bytes")
    }
  }

  /// Refuses an element with more attributes than the limits allow.
  func checkAttributes(_ count: Int) {
    guard count > self.limits.attributes else { return }
    self.refuse("an element has more than the \(self.limits.attributes) attributes that the limits allow")
  }

  /// Counts the namespaces that an element declares. The parser looks through all that are in force for every prefix, so
  /// there may be no more of them than attributes.
  private func declareNamespaces(_ count: Int) {
    if count == 0 { return }
    self.namespaces.append((self.depth, count))
    self.namespaceCount += count
    guard self.namespaceCount > self.limits.attributes else { return }
    self.refuse("more than \(self.limits.attributes) namespaces are in force, which the limits do not allow")
  }

  private func start(
    _ name: UnsafePointer<xmlChar>, _ namespace: UnsafePointer<xmlChar>?, _ namespaces: Int, _ count: Int,
    _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
  ) {
    guard self.failure == nil, let parser = unsafe self.parser else { return }
    self.depth += 1
    self.hasRoot = true
    self.textBytes = 0
    if self.depth > self.limits.depth {
      return self.refuse("elements stand more than \(self.limits.depth) deep, which the limits do not allow")
    }
    self.checkAttributes(count)
    self.declareNamespaces(namespaces)
    if self.failure != nil { return }
    if let attributes = unsafe attributes, count > 0 {
      unsafe XMLEvents.replaceAmpersands(attributes, count, parser)
    }
    do {
      try self.handler.elementStarts(
        unsafe XMLElementStart(
          name: XMLName(address: name), namespace: namespace, attributeCount: count, attributes: attributes,
          parser: parser))
    } catch { self.stop(error) }
  }

  private func end(_ name: UnsafePointer<xmlChar>) {
    guard self.failure == nil else { return }
    if let last = self.namespaces.last, last.depth == self.depth {
      self.namespaceCount -= last.count
      self.namespaces.removeLast()
    }
    self.depth -= 1
    self.textBytes = 0
    do { try self.handler.elementEnds(unsafe XMLName(address: name)) } catch { self.stop(error) }
  }

  private func text(_ start: UnsafePointer<xmlChar>, _ count: Int) {
    guard self.failure == nil else { return }
    self.textBytes += count
    if self.textBytes > self.limits.textBytes {
      return self.refuse("a text is longer than the \(self.limits.textBytes) bytes that the limits allow")
    }
    do { try unsafe self.handler.characters(UnsafeRawBufferPointer(start: start, count: count)) } catch {
      self.stop(error)
    }
  }

  private func take(_ error: xmlError) {
    guard self.failure == nil, unsafe error.level.rawValue >= XML_ERR_ERROR.rawValue else { return }
    var text = unsafe error.message.map { unsafe String(cString: $0) } ?? "error"
    while text.last?.isWhitespace == true { text.removeLast() }
    if text.contains("not proper UTF-8") {
      text =
        "the bytes are not the UTF-8 that the document says or that it is taken for; give the store the encoding that "
        + "it is in, such as windows-1252 (libxml2 says: \(text.split(separator: "\n").joined(separator: " ")))"
    }
    if text.contains("Huge input lookup") {
      return self.refuse("a tag, comment or CDATA section is longer than the limit of 10000000 bytes")
    }
    let place = unsafe XMLPosition(line: Int(error.line), column: Int(error.int2))
    let known = unsafe place.line > 0 && error.domain != Int32(XML_FROM_I18N.rawValue)
    self.stop(XMLError(.malformed, at: known ? place : self.position, text))
  }

  /// With entity substitution off, libxml2 hands over `&#38;` for a literal `&`, and no other reference.
  ///
  /// Such a value is a copy of the parser's own; a value inside the input has no references. The copy is
  /// shortened where it lies.
  private static func replaceAmpersands(
    _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>, _ count: Int, _ parser: xmlParserCtxtPtr
  ) {
    guard let input = unsafe parser.pointee.input, let low = unsafe input.pointee.base,
      let high = unsafe input.pointee.end
    else { return }
    for index in 0..<count {
      guard let start = unsafe attributes[index * 5 + 3], let end = unsafe attributes[index * 5 + 4] else {
        continue
      }
      if unsafe start >= low && start <= high { continue }
      let value = unsafe UnsafeMutablePointer(mutating: start)
      let length = unsafe end - start
      var read = 0
      var written = 0
      while read < length {
        unsafe value[written] = unsafe value[read]
        if unsafe value[read] == UInt8(ascii: "&") { read += 4 }
        read += 1
        written += 1
      }
      unsafe attributes[index * 5 + 4] = unsafe UnsafePointer(value + written)
    }
  }
}

extension XMLEvents {
  /// The reader keeps the receiver alive while it parses, so no callback needs to.
  @inline(__always) private static func of<R>(
    _ user: UnsafeMutableRawPointer?, _ body: (XMLEvents) -> R
  ) -> R {
    unsafe Unmanaged<XMLEvents>.fromOpaque(user.unsafelyUnwrapped)._withUnsafeGuaranteedRef(body)
  }

  static let takeError: xmlStructuredErrorFunc = { user, error in
    if let error = unsafe error { unsafe XMLEvents.of(user) { unsafe $0.take(error.pointee) } }
  }

  /// Only own slots are set: libxml2's default callbacks would take the user pointer for a parser.
  static var callbacks: xmlSAXHandler {
    var sax = unsafe xmlSAXHandler()
    unsafe sax.initialized = UInt32(XML_SAX2_MAGIC)
    unsafe sax.serror = XMLEvents.takeError
    unsafe sax.startElementNs = { user, name, _, namespace, namespaces, _, count, _, attributes in
      unsafe XMLEvents.of(user) {
        unsafe $0.start(name.unsafelyUnwrapped, namespace, Int(namespaces), Int(count), attributes)
      }
    }
    unsafe sax.endElementNs = { user, name, _, _ in
      unsafe XMLEvents.of(user) { unsafe $0.end(name.unsafelyUnwrapped) }
    }
    unsafe sax.characters = { user, text, count in
      unsafe XMLEvents.of(user) { unsafe $0.text(text.unsafelyUnwrapped, Int(count)) }
    }
    unsafe sax.ignorableWhitespace = unsafe sax.characters
    unsafe sax.cdataBlock = unsafe sax.characters
    unsafe sax.entityDecl = { user, _, _, _, _, _ in
      unsafe XMLEvents.of(user) { $0.refuse("an entity declaration in the DOCTYPE is not accepted") }
    }
    unsafe sax.attributeDecl = { user, _, _, _, _, _, tree in
      unsafe xmlFreeEnumeration(tree)
      unsafe XMLEvents.of(user) { $0.refuse("an attribute-list declaration in the DOCTYPE is not accepted") }
    }
    unsafe sax.elementDecl = { user, _, _, _ in
      unsafe XMLEvents.of(user) { $0.refuse("an element declaration in the DOCTYPE is not accepted") }
    }
    unsafe sax.notationDecl = { user, _, _, _ in
      unsafe XMLEvents.of(user) { $0.refuse("a notation declaration in the DOCTYPE is not accepted") }
    }
    unsafe sax.unparsedEntityDecl = { user, _, _, _, _ in
      unsafe XMLEvents.of(user) { $0.refuse("an entity declaration in the DOCTYPE is not accepted") }
    }
    unsafe sax.getEntity = { user, name in
      let text = unsafe name.map { unsafe String(cString: $0) } ?? ""
      unsafe XMLEvents.of(user) { $0.refuse("the entity &\(text); is not one of the five that XML defines") }
      return nil
    }
    unsafe sax.getParameterEntity = { user, _ in
      unsafe XMLEvents.of(user) { $0.refuse("parameter entities are not accepted") }
      return nil
    }
    return unsafe sax
  }
}
