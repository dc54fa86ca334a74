internal import CXML2

/// Takes the events of a document, in order.
///
/// Whatever a method throws stops the parse and is thrown by the reader; ``XMLRefusal`` gains the position.
/// Text comes in pieces of any size: an element's text is all pieces together. CDATA comes as text.
package protocol XMLStreamHandler: AnyObject {
  func elementStarts(_ element: XMLElementStart) throws
  func elementEnds(_ name: XMLName) throws
  /// The bytes are UTF-8 and good until the method returns.
  func characters(_ bytes: UnsafeRawBufferPointer) throws
}

/// Thrown by a handler that cannot use the current event. The reader adds the position and throws an
/// ``XMLError``.
package struct XMLRefusal: Error, Sendable {
  package let code: XMLError.Code
  package let message: String

  package init(_ message: String, code: XMLError.Code = .content) {
    self.code = code
    self.message = message
  }
}

/// A local name, by its place in the parser's own table of names.
///
/// Equal names of one document have equal ``address``es, so a handler may look a name up once and compare
/// addresses from then on.
@safe package struct XMLName {
  package let address: UnsafePointer<UInt8>

  @usableFromInline init(address: UnsafePointer<UInt8>) { unsafe self.address = address }

  /// Whether the name is this one, byte by byte.
  package func matches(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    return unsafe memcmp(self.address, text.utf8Start, min(count, self.count)) == 0 && count == self.count
  }

  package var count: Int { unsafe strlen(self.address) }
  package var string: String { unsafe String(cString: self.address) }
}

/// A start tag, good until the handler's method returns.
@safe package struct XMLElementStart {
  package let name: XMLName
  package let attributeCount: Int
  /// Five pointers for each attribute: name, prefix, namespace, value, end of the value.
  private let attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
  private let namespaceAddress: UnsafePointer<UInt8>?
  private let parser: xmlParserCtxtPtr

  init(
    name: XMLName, namespace: UnsafePointer<UInt8>?, attributeCount: Int,
    attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, parser: xmlParserCtxtPtr
  ) {
    self.name = name
    self.attributeCount = attributeCount
    unsafe self.namespaceAddress = namespace
    unsafe self.attributes = attributes
    unsafe self.parser = parser
  }

  /// The place of the namespace in the parser's own table; equal ones of one document have one place. Nil for none.
  package var namespacePlace: UnsafePointer<UInt8>? { unsafe self.namespaceAddress }

  /// The place of an attribute's namespace; nil for none.
  package func attributeNamespacePlace(_ index: Int) -> UnsafePointer<UInt8>? {
    precondition(index >= 0 && index < self.attributeCount, "attribute \(index) of \(self.attributeCount)")
    return unsafe self.attributes.unsafelyUnwrapped[index * 5 + 2]
  }

  /// The namespace; nil for none.
  package var namespace: String? { unsafe self.namespaceAddress.map { unsafe String(cString: $0) } }

  package func attributeName(_ index: Int) -> XMLName {
    precondition(index >= 0 && index < self.attributeCount, "attribute \(index) of \(self.attributeCount)")
    return unsafe XMLName(address: self.attributes.unsafelyUnwrapped[index * 5].unsafelyUnwrapped)
  }

  /// The value as UTF-8, references replaced.
  package func attributeValue(_ index: Int) -> UnsafeRawBufferPointer {
    precondition(index >= 0 && index < self.attributeCount, "attribute \(index) of \(self.attributeCount)")
    let start = unsafe self.attributes.unsafelyUnwrapped[index * 5 + 3].unsafelyUnwrapped
    let end = unsafe self.attributes.unsafelyUnwrapped[index * 5 + 4].unsafelyUnwrapped
    return unsafe UnsafeRawBufferPointer(start: start, count: end - start)
  }

  /// The value of the first attribute of that local name.
  package func value(_ name: StaticString) -> UnsafeRawBufferPointer? {
    for index in 0..<self.attributeCount where self.attributeName(index).matches(name) {
      return unsafe self.attributeValue(index)
    }
    return nil
  }

  /// The prefix as written; nil for none.
  package func attributePrefix(_ index: Int) -> String? {
    precondition(index >= 0 && index < self.attributeCount, "attribute \(index) of \(self.attributeCount)")
    return unsafe self.attributes.unsafelyUnwrapped[index * 5 + 1].map { unsafe String(cString: $0) }
  }

  /// Where the start tag ends.
  package var position: XMLPosition { unsafe XMLPosition(of: self.parser) }
}

extension XMLPosition {
  init(of parser: xmlParserCtxtPtr) {
    guard let input = unsafe parser.pointee.input else {
      self = .none
      return
    }
    unsafe self.init(line: Int(input.pointee.line), column: Int(input.pointee.col))
  }
}
