internal import FederatedStore
internal import XMLStream

extension XMLElementTree {
  /// Whether the element is what a step of a path asks for; keys of property lists are asked of the parent.
  func fits(
    _ step: XMLPath.Step, _ namespaces: [String: String], _ markup: XMLMarkup
  ) throws(XMLError) -> Bool {
    switch step.test {
    case .any: break
    case .key(let key): return try self.propertyKey(markup)?.text == key
    case .name(let name):
      guard name.local == self.local, namespaces[name.prefix] == self.namespace else { return false }
    }
    for filter in step.filters {
      let uri = filter.name.prefix.isEmpty ? nil : namespaces[filter.name.prefix]
      guard let attribute = self.attribute(filter.name.local, uri, markup) else { return false }
      guard try markup.decoded(attribute) == filter.value else { return false }
    }
    return true
  }

  /// All elements at a path below this one, in document order.
  func elements(
    at steps: ArraySlice<XMLPath.Step>, _ namespaces: [String: String], _ markup: XMLMarkup
  ) throws(XMLError) -> [XMLElementTree] {
    guard let step = steps.first else { return [self] }
    var found: [XMLElementTree] = []
    for child in self.children {
      if try child.fits(step, namespaces, markup) {
        found += try child.elements(at: steps.dropFirst(), namespaces, markup)
      }
      if step.isDescendant { found += try child.elements(at: steps, namespaces, markup) }
    }
    return found
  }

  /// The element's key in a dictionary of a property list: the `key` right before it.
  func propertyKey(_ markup: XMLMarkup) throws(XMLError) -> (element: XMLElementTree, text: String)? {
    guard let siblings = self.parent?.children, let place = siblings.firstIndex(where: { $0 === self }),
      place > 0
    else { return nil }
    let key = siblings[place - 1]
    guard key.local == "key", key.namespace == nil else { return nil }
    return (key, try key.text(markup) ?? "")
  }

  /// The text of an element without elements inside; nil for others.
  func text(_ markup: XMLMarkup) throws(XMLError) -> String? {
    guard self.children.isEmpty else { return nil }
    return try markup.decoded(content: self.content)
  }
}

extension XMLMarkup {
  /// Text, references and CDATA sections between two tags as one text.
  func decoded(content: Range<Int>) throws(XMLError) -> String {
    let raw = self[content]
    if !raw.contains(UInt8(ascii: "&")), !raw.contains(UInt8(ascii: "<")), !raw.contains(UInt8(ascii: "\r")) {
      return String(decoding: raw, as: UTF8.self)
    }
    return try XMLElementValue.parse(bytes: Array("<a>".utf8) + raw + Array("</a>".utf8)).text
  }

  /// The value of an attribute, references replaced.
  func decoded(_ attribute: XMLRawAttribute) throws(XMLError) -> String {
    let raw = self[attribute.value]
    if !raw.contains(where: { $0 == UInt8(ascii: "&") || $0 < 0x20 }) {
      return String(decoding: raw, as: UTF8.self)
    }
    // Its own quotes go with it, since the other kind may stand inside.
    let quoted = self[(attribute.value.lowerBound - 1)..<(attribute.value.upperBound + 1)]
    return try XMLElementValue.parse(bytes: Array("<a v=".utf8) + quoted + Array("/>".utf8))["v"] ?? ""
  }
}
