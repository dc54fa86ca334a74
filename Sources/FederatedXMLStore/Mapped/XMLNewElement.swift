/// An element that a save adds to a document.
final class XMLNewElement {
  /// The step of a path that it was made for.
  let step: XMLPath.Step
  /// As it stands in the document, prefix included.
  var name: String
  /// Names and values, quoted and escaped already.
  var attributes: [(name: String, value: [UInt8])] = []
  var children: [XMLNewElement] = []
  /// Escaped already.
  var text: [UInt8] = []
  /// The key of a property list that stands before it.
  var key: [UInt8]?

  init(_ step: XMLPath.Step, name: String) {
    self.step = step
    self.name = name
  }

  /// - Parameters:
  ///   - space: what stands before the element, so that its children and end tag get their lines; empty for none.
  ///   - unit: what a level adds to it.
  func bytes(_ space: [UInt8], unit: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    if let key = self.key {
      bytes += Array("<key>".utf8) + key + Array("</key>".utf8)
      // A value stands on the line of its key, a dictionary on the next.
      if !self.children.isEmpty { bytes += space }
    }
    bytes += Array("<\(self.name)".utf8)
    for (name, value) in self.attributes { bytes += Array(" \(name)=\"".utf8) + value + Array("\"".utf8) }
    if self.children.isEmpty, self.text.isEmpty { return bytes + Array("/>".utf8) }
    bytes.append(UInt8(ascii: ">"))
    bytes += self.text
    let inner = space.isEmpty ? [] : space + unit
    for child in self.children { bytes += inner + child.bytes(inner, unit: unit) }
    if !self.children.isEmpty { bytes += space }
    return bytes + Array("</\(self.name)>".utf8)
  }
}

/// The names of new elements and attributes: with the prefixes that the document has where they go.
struct XMLNaming {
  /// Of the mapping.
  let namespaces: [String: String]
  /// Of the document, by prefix.
  let scope: [String: String]

  /// The name of an element, and the declaration that it needs.
  func element(_ name: XMLPathName) -> (name: String, declaration: (name: String, value: String)?) {
    guard let uri = self.namespaces[name.prefix] else {
      return (name.local, self.scope[""]?.isEmpty ?? true ? nil : ("xmlns", ""))
    }
    if self.scope[""] == uri { return (name.local, nil) }
    return self.prefixed(name, uri)
  }

  /// The name of an attribute, and the declaration that its element needs.
  func attribute(_ name: XMLPathName) -> (name: String, declaration: (name: String, value: String)?) {
    guard !name.prefix.isEmpty, let uri = self.namespaces[name.prefix] else { return (name.local, nil) }
    return self.prefixed(name, uri)
  }

  private func prefixed(
    _ name: XMLPathName, _ uri: String
  ) -> (name: String, declaration: (name: String, value: String)?) {
    if let prefix = self.prefix(of: uri) { return ("\(prefix):\(name.local)", nil) }
    var prefix = name.prefix.isEmpty ? "ns" : name.prefix
    while self.scope[prefix] != nil { prefix += "1" }
    return ("\(prefix):\(name.local)", ("xmlns:\(prefix)", uri))
  }

  func prefix(of uri: String) -> String? {
    self.scope.filter { !$0.key.isEmpty && $0.value == uri }.keys.min()
  }
}
