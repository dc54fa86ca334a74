internal import FederatedModel
internal import FederatedStore
internal import XMLStream

/// Follows the tags of a document in its bytes while its events pass, so that a record's place is known when it ends.
///
/// Events come in the order of the tags, one for each, and an empty tag gives two.
final class XMLPlaceRecorder {
  let markup: XMLMarkup
  private var cursor = 0
  private var open: [Element] = []
  /// Namespaces by prefix inside each open element that declares any, and how deep it stands.
  private var scopes: [(depth: Int, scope: [String: String])] = []
  /// Where the element ends whose end was the last event.
  private(set) var lastEnd = 0
  private(set) var lastTag: XMLTag?
  /// Behind the start tag of the root.
  private(set) var rootTag: XMLTag?

  private struct Element {
    var tag: XMLTag
    /// Whether its end tag was met.
    var isEmpty: Bool
  }

  init(_ bytes: UnsafeRawBufferPointer) { self.markup = XMLMarkup(bytes) }

  func elementStarts() throws(XMLError) {
    while let open = self.markup.next(UInt8(ascii: "<"), from: self.cursor),
      let kind = self.markup.kind(at: open)
    {
      if kind == .other, let end = self.markup.otherEnd(at: open) {
        self.cursor = end
        continue
      }
      guard kind == .startTag, let tag = self.markup.tag(at: open) else { break }
      self.cursor = tag.range.upperBound
      self.open.append(Element(tag: tag, isEmpty: tag.isEmpty))
      if self.rootTag == nil { self.rootTag = tag }
      if tag.attributes.contains(where: { self.markup.has("xmlns", at: $0.name.lowerBound) }) {
        let scope = try XMLElementTree.scope(self.markup, tag, within: self.scopes.last?.scope ?? [:])
        self.scopes.append((self.open.count, scope))
      }
      return
    }
    throw XMLError(.malformed, "the tags of the document could not be followed")
  }

  func elementEnds() throws(XMLError) {
    guard let element = self.open.popLast() else {
      throw XMLError(.malformed, "the tags of the document could not be followed")
    }
    if let last = self.scopes.last, last.depth > self.open.count { self.scopes.removeLast() }
    self.lastTag = element.tag
    if element.isEmpty {
      self.lastEnd = element.tag.range.upperBound
      return
    }
    while let open = self.markup.next(UInt8(ascii: "<"), from: self.cursor),
      let kind = self.markup.kind(at: open)
    {
      if kind == .other, let end = self.markup.otherEnd(at: open) {
        self.cursor = end
        continue
      }
      guard kind == .endTag, let end = self.markup.next(UInt8(ascii: ">"), from: open) else { break }
      self.cursor = end + 1
      self.lastEnd = end + 1
      return
    }
    throw XMLError(.malformed, "the tags of the document could not be followed")
  }

  /// Namespaces by prefix around the element that ended last.
  var scope: [String: String] { self.scopes.last?.scope ?? [:] }
}
