internal import XMLStream

/// One element of a document with what stands inside, by its places in the bytes: for the few records that a save
/// changes.
final class XMLElementTree {
  let tag: XMLTag
  /// Between start tag and end tag; empty behind a tag that is its own end.
  let content: Range<Int>
  /// Behind the end tag.
  let end: Int
  let local: String
  /// Nil for none.
  let namespace: String?
  /// Namespaces by prefix inside the element.
  let scope: [String: String]
  private(set) var children: [XMLElementTree] = []
  /// Whether comments or processing instructions stand in the content.
  private(set) var hasOther = false
  unowned(unsafe) let parent: XMLElementTree?

  var range: Range<Int> { self.tag.range.lowerBound..<self.end }

  /// - Parameter scope: namespaces by prefix outside the element.
  /// - Returns: nil when the document ends before the element does.
  init?(
    _ markup: XMLMarkup, _ tag: XMLTag, scope: [String: String], parent: XMLElementTree? = nil
  ) throws(XMLError) {
    self.tag = tag
    self.parent = parent
    self.scope = try XMLElementTree.scope(markup, tag, within: scope)
    let name = markup.text(tag.name)
    let parts = name.split(separator: ":", maxSplits: 1)
    self.local = parts.count == 2 ? String(parts[1]) : name
    let uri = self.scope[parts.count == 2 ? String(parts[0]) : ""]
    self.namespace = uri?.isEmpty ?? true ? nil : uri
    if tag.isEmpty {
      self.content = tag.range.upperBound..<tag.range.upperBound
      self.end = tag.range.upperBound
      return
    }
    var found: [(tag: XMLTag, end: Int)] = []
    var index = tag.range.upperBound
    var close: Range<Int>?
    while close == nil, let open = markup.next(UInt8(ascii: "<"), from: index),
      let kind = markup.kind(at: open)
    {
      switch kind {
      case .other:
        guard let end = markup.otherEnd(at: open) else { return nil }
        if !markup.has("<![CDATA[", at: open) { self.hasOther = true }
        index = end
      case .endTag:
        guard let end = markup.next(UInt8(ascii: ">"), from: open) else { return nil }
        close = open..<(end + 1)
      case .startTag:
        guard let child = markup.tag(at: open), let end = markup.elementEnd(child) else { return nil }
        found.append((child, end))
        index = end
      }
    }
    guard let close else { return nil }
    self.content = tag.range.upperBound..<close.lowerBound
    self.end = close.upperBound
    for child in found {
      guard let tree = try XMLElementTree(markup, child.tag, scope: self.scope, parent: self) else {
        return nil
      }
      self.children.append(tree)
    }
  }

  /// The namespaces that a tag declares, and those around it.
  static func scope(
    _ markup: XMLMarkup, _ tag: XMLTag, within outer: [String: String]
  ) throws(XMLError) -> [String: String] {
    var scope = outer
    for attribute in tag.attributes {
      let name = markup.text(attribute.name)
      guard name == "xmlns" || name.hasPrefix("xmlns:") else { continue }
      scope[name == "xmlns" ? "" : String(name.dropFirst(6))] = try markup.decoded(attribute)
    }
    return scope
  }

  // MARK: Attributes

  /// The attribute of that name.
  func attribute(_ local: String, _ namespace: String?, _ markup: XMLMarkup) -> XMLRawAttribute? {
    self.tag.attributes.first { attribute in
      let parts = markup.text(attribute.name).split(separator: ":", maxSplits: 1)
      guard parts.last.map(String.init) == local else { return false }
      return (parts.count == 2 ? self.scope[String(parts[0])] : nil) == namespace
    }
  }

  /// Attributes that are no declarations of namespaces.
  func ownAttributes(_ markup: XMLMarkup) -> [XMLRawAttribute] {
    self.tag.attributes.filter { attribute in
      let name = markup.text(attribute.name)
      return name != "xmlns" && !name.hasPrefix("xmlns:")
    }
  }
}

extension XMLMarkup {
  func text(_ range: Range<Int>) -> String { String(decoding: self.bytes[range], as: UTF8.self) }
}
