package import Foundation

/// An element with all that is in it: for small documents such as model files, never for rows.
///
/// ```swift
/// let model = try XMLElementValue.parse(contentsOf: url)
/// for entity in model.children(named: "entity") { print(entity["name"] ?? "-") }
/// ```
package struct XMLElementValue: Sendable, Hashable {
  /// The local name.
  package var name: String
  /// In the order of the document; names without prefix unless the document gave one.
  package var attributes: [XMLAttributeValue] = []
  package var children: [XMLElementValue] = []
  /// All text directly inside the element, white space included.
  package var text = ""
  /// Where the start tag ends.
  package var position = XMLPosition.none

  package var line: Int { self.position.line }
  package var column: Int { self.position.column }

  package init(
    name: String, attributes: [XMLAttributeValue] = [], children: [XMLElementValue] = [], text: String = "",
    position: XMLPosition = .none
  ) {
    self.name = name
    self.attributes = attributes
    self.children = children
    self.text = text
    self.position = position
  }

  /// The value of an attribute; nil when the element does not have it.
  package subscript(attribute: String) -> String? {
    self.attributes.first { $0.name == attribute }?.value
  }

  package func children(named name: String) -> [XMLElementValue] { self.children.filter { $0.name == name } }
  package func child(named name: String) -> XMLElementValue? { self.children.first { $0.name == name } }
}

/// One attribute of an element.
package struct XMLAttributeValue: Sendable, Hashable {
  package var name: String
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

extension XMLElementValue {
  /// How much a tree may hold: a model file has thousands of elements, never millions.
  package static var limits: XMLLimits {
    var limits = XMLLimits()
    limits.documentBytes = 32 << 20
    return limits
  }

  /// Reads a document that is in memory.
  package static func parse(
    bytes: some Sequence<UInt8>, limits: XMLLimits = XMLElementValue.limits
  ) throws(XMLError) -> XMLElementValue {
    let bytes = ContiguousArray(bytes)
    return try self.tree { handler in
      try unsafe bytes.withUnsafeBytes { try unsafe XMLStreamReader.read($0, limits: limits, to: handler) }
    }
  }

  /// Reads a document from a file.
  package static func parse(
    contentsOf url: URL, limits: XMLLimits = XMLElementValue.limits
  ) throws(XMLError) -> XMLElementValue {
    try self.tree { try XMLStreamReader.read(contentsOf: url, limits: limits, to: $0) }
  }

  private static func tree(_ read: (XMLTreeHandler) throws -> Void) throws(XMLError) -> XMLElementValue {
    let handler = XMLTreeHandler()
    do { try read(handler) } catch let error as XMLError { throw error } catch {
      throw XMLError(.inputOutput, "\(error)")
    }
    guard let root = handler.root else { throw XMLError(.malformed, "the document has no element") }
    return root
  }
}

/// Builds the tree: a stack of the elements that are still open.
package final class XMLTreeHandler: XMLStreamHandler {
  private var open: [XMLElementValue] = []
  package private(set) var root: XMLElementValue?

  package init() {}

  package func elementStarts(_ element: XMLElementStart) throws {
    var value = XMLElementValue(name: element.name.string, position: element.position)
    value.attributes.reserveCapacity(element.attributeCount)
    for index in 0..<element.attributeCount {
      let name = element.attributeName(index).string
      let full = element.attributePrefix(index).map { "\($0):\(name)" } ?? name
      value.attributes.append(
        XMLAttributeValue(full, unsafe String(decoding: element.attributeValue(index), as: UTF8.self)))
    }
    self.open.append(value)
  }

  package func elementEnds(_ name: XMLName) throws {
    let value = self.open.removeLast()
    if self.open.isEmpty { self.root = value } else { self.open[self.open.count - 1].children.append(value) }
  }

  package func characters(_ bytes: UnsafeRawBufferPointer) throws {
    guard !self.open.isEmpty else { return }
    self.open[self.open.count - 1].text += unsafe String(decoding: bytes, as: UTF8.self)
  }
}
