internal import FederatedModel
internal import FederatedStore
internal import Foundation
internal import XMLStream

/// Changes the values of one record in the bytes of its document, and nothing besides.
struct XMLRecordEditor {
  let plan: XMLMappingPlan
  let record: XMLRecordPlan
  let markup: XMLMarkup
  let tree: XMLElementTree
  /// How messages call the record.
  let title: String
  let url: URL?
  var edits: XMLEdits
  /// Elements to add, by the element that they go into.
  private var added: [(parent: XMLElementTree, behind: XMLElementTree?, element: XMLNewElement)] = []

  init(
    _ plan: XMLMappingPlan, _ record: XMLRecordPlan, _ markup: XMLMarkup, _ tree: XMLElementTree,
    title: String, url: URL?, _ edits: XMLEdits
  ) {
    self.plan = plan
    self.record = record
    self.markup = markup
    self.tree = tree
    self.title = title
    self.url = url
    self.edits = edits
  }

  var namespaces: [String: String] { self.plan.mapping.namespaces }

  /// What cannot be written without more of the document changing than the value.
  func refusal(_ value: XMLValuePlan, _ reason: String) -> StoreError {
    let line = 1 + self.markup.bytes[..<self.tree.tag.range.lowerBound].count { $0 == UInt8(ascii: "\n") }
    return StoreError(
      .unstorableValue, store: self.url, place: .text(line: line, column: 0),
      "\(self.title), \(value.name) at \(value.pathText) cannot be written: \(reason)")
  }

  func converted<R>(_ value: XMLValuePlan, _ body: () throws(XMLError) -> R) throws(StoreError) -> R {
    do throws(XMLError) { return try body() } catch {
      throw self.refusal(value, error.message)
    }
  }

  // MARK: One value

  /// Gives a value its new text; nil takes it away.
  /// - Parameter text: makes the text from the one that stands there.
  mutating func set(
    _ value: XMLValuePlan, isString: Bool, to text: (String?) throws(StoreError) -> String?
  ) throws(StoreError) {
    switch value.path.end {
    case .ownKey: throw self.refusal(value, "it is the key under which the record stands")
    case .ownText:
      let old = try self.converted(value) { () throws(XMLError) in try self.tree.text(self.markup) }
      guard let new = try text(old) else {
        throw self.refusal(value, "an element always has a text, if an empty one")
      }
      try self.setText(value, of: self.tree, old, new, isString)
    case .element:
      let places = try self.places(value)
      guard let place = places.count > 1 && value.repeated == .last ? places.last : places.first else {
        if let new = try text(nil) { try self.add(value, new) }
        return
      }
      let old = try self.converted(value) { () throws(XMLError) in try place.text(self.markup) }
      guard let new = try text(old) else {
        if places.count > 1 { throw self.refusal(value, "it stands more than once, and nil is none") }
        return try self.remove(value, place)
      }
      try self.setText(value, of: place, old, new, isString)
    case .attribute(let name): try self.setAttribute(value, name, text)
    }
  }

  private func places(_ value: XMLValuePlan) throws(StoreError) -> [XMLElementTree] {
    try self.converted(value) { () throws(XMLError) in
      try self.tree.elements(at: value.path.steps[...], self.namespaces, self.markup)
    }
  }

  private mutating func setAttribute(
    _ value: XMLValuePlan, _ name: XMLPathName, _ text: (String?) throws(StoreError) -> String?
  ) throws(StoreError) {
    let uri = name.prefix.isEmpty ? nil : self.namespaces[name.prefix]
    let places = try self.places(value)
    let having = places.filter { $0.attribute(name.local, uri, self.markup) != nil }
    guard let place = having.count > 1 && value.repeated == .last ? having.last : having.first,
      let attribute = place.attribute(name.local, uri, self.markup)
    else {
      guard let new = try text(nil) else { return }
      guard let place = places.first else { return try self.add(value, new) }
      return try self.addAttribute(value, name, new, to: place)
    }
    let old = try self.converted(value) { () throws(XMLError) in try self.markup.decoded(attribute) }
    guard let new = try text(old) else {
      if having.count > 1 { throw self.refusal(value, "it stands more than once, and nil is none") }
      // With the white space before it.
      var start = attribute.name.lowerBound
      while self.markup.bytes[start - 1].isXMLSpace { start -= 1 }
      return self.edits.remove(start..<(attribute.value.upperBound + 1))
    }
    let quote = self.markup.bytes[attribute.value.upperBound]
    let bytes = try self.converted(value) { () throws(XMLError) in
      try XMLTextForm.attribute(new, quote: quote)
    }
    self.edits.replace(attribute.value, with: bytes)
  }

  private mutating func addAttribute(
    _ value: XMLValuePlan, _ name: XMLPathName, _ text: String, to element: XMLElementTree
  ) throws(StoreError) {
    let (raw, declaration) = XMLNaming(namespaces: self.namespaces, scope: element.scope).attribute(name)
    let bytes = try self.converted(value) { () throws(XMLError) in try XMLTextForm.attribute(text) }
    var written = declaration.map { Array(" \($0.name)=\"\($0.value)\"".utf8) } ?? []
    written += Array(" \(raw)=\"".utf8) + bytes + Array("\"".utf8)
    self.edits.insert(written, at: element.attributeEnd)
  }

  // MARK: Text

  private mutating func setText(
    _ value: XMLValuePlan, of element: XMLElementTree, _ old: String?, _ new: String, _ isString: Bool
  ) throws(StoreError) {
    if element.isPropertyWord {
      // `true` and `false` of a property list are elements.
      return self.edits.replace(element.range, with: Array("<\(new)/>".utf8))
    }
    guard element.children.isEmpty, !element.hasOther else {
      throw self.refusal(
        value, "elements, comments or processing instructions stand inside the text, and would be lost")
    }
    self.removeNil(of: element)
    if element.tag.isEmpty {
      if new.isEmpty { return }
      let bytes = try self.converted(value) { () throws(XMLError) in try XMLTextForm.content(new) }
      let close = (element.tag.range.upperBound - 2)..<element.tag.range.upperBound
      return self.edits.replace(
        close, with: Array(">".utf8) + bytes + Array("</\(self.markup.text(element.tag.name))>".utf8))
    }
    let place = isString ? element.content : self.trimmed(element.content)
    if let inside = self.sectionText(element.content), !new.contains("]]>") {
      // A CDATA section stays one.
      _ = try self.converted(value) { () throws(XMLError) in try XMLTextForm.content(new) }
      return self.edits.replace(inside, with: Array(new.utf8))
    }
    let bytes = try self.converted(value) { () throws(XMLError) in try XMLTextForm.content(new) }
    self.edits.replace(place, with: bytes)
  }

  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, self.markup.bytes[start].isXMLSpace { start += 1 }
    while end > start, self.markup.bytes[end - 1].isXMLSpace { end -= 1 }
    return start..<end
  }

  /// The inside of the CDATA section that is all of a content.
  private func sectionText(_ content: Range<Int>) -> Range<Int>? {
    guard self.markup.has("<![CDATA[", at: content.lowerBound),
      self.markup.otherEnd(at: content.lowerBound) == content.upperBound
    else { return nil }
    return (content.lowerBound + 9)..<(content.upperBound - 3)
  }

  // MARK: Nil

  private func nilAttribute(of element: XMLElementTree) -> XMLRawAttribute? {
    element.attribute("nil", XMLMappingPlan.schemaInstance, self.markup)
  }

  private mutating func removeNil(of element: XMLElementTree) {
    guard let attribute = self.nilAttribute(of: element) else { return }
    var start = attribute.name.lowerBound
    while self.markup.bytes[start - 1].isXMLSpace { start -= 1 }
    self.edits.remove(start..<(attribute.value.upperBound + 1))
  }

  /// Takes an element away with its line; one that has more to it than its text stays, and says that it is nil.
  private mutating func remove(_ value: XMLValuePlan, _ element: XMLElementTree) throws(StoreError) {
    let key = try self.converted(value) { () throws(XMLError) in try element.propertyKey(self.markup)?.element
    }
    if let key, case .key? = value.path.steps.last?.test {
      return self.edits.remove(self.markup.lineStart(before: key.range.lowerBound).lowerBound..<element.end)
    }
    if element.ownAttributes(self.markup).isEmpty, element.children.isEmpty {
      return self.edits.remove(
        self.markup.lineStart(before: element.range.lowerBound).lowerBound..<element.end)
    }
    if self.nilAttribute(of: element) != nil { return }
    guard element.children.isEmpty, !element.hasOther else {
      throw self.refusal(value, "elements stand inside the one that would have to go")
    }
    let prefix = XMLNaming(namespaces: [:], scope: element.scope).prefix(of: XMLMappingPlan.schemaInstance)
    let declaration = prefix == nil ? " xmlns:xsi=\"\(XMLMappingPlan.schemaInstance)\"" : ""
    self.edits.insert(Array("\(declaration) \(prefix ?? "xsi"):nil=\"true\"".utf8), at: element.attributeEnd)
    self.edits.remove(element.content)
  }

  // MARK: New elements

  /// Adds the elements of a path that are missing.
  mutating func add(
    _ value: XMLValuePlan, _ text: String, behind last: XMLElementTree? = nil, isRepeated: Bool = false
  ) throws(StoreError) {
    var parent = self.tree
    var steps = value.path.steps[...]
    // As far as the path is there; the last element itself is to be new where it may repeat.
    while let step = steps.first, steps.count > (last == nil ? 0 : 1) {
      let found = try self.converted(value) { () throws(XMLError) -> XMLElementTree? in
        try parent.elements(at: [step], self.namespaces, self.markup).last
      }
      guard let found else { break }
      parent = found
      steps = steps.dropFirst()
    }
    let maker = XMLElementMaker(XMLNaming(namespaces: self.namespaces, scope: parent.scope))
    do throws(XMLPathRefusal) {
      // A container that was added for another value serves this one too.
      if last == nil, let first = steps.first, steps.count > (isRepeated ? 1 : 0),
        let known = self.newElement(first, in: parent)
      {
        return try maker.put(
          text, of: value, self.record, at: steps.dropFirst(), into: known, isRepeated: isRepeated)
      }
      self.added.append((parent, last, try maker.element(steps, value, text, self.record)))
    } catch { throw self.refusal(value, error.reason) }
  }

  /// An element that is added already, for a step from an element of the document.
  func newElement(_ step: XMLPath.Step, in parent: XMLElementTree) -> XMLNewElement? {
    self.added.first { $0.parent === parent && $0.element.step == step }?.element
  }

  /// Adds a whole record inside this one.
  mutating func add(_ element: XMLNewElement, to parent: XMLElementTree, behind last: XMLElementTree?) {
    self.added.append((parent, last, element))
  }

  /// Writes the added elements: what goes into one element stands together.
  mutating func finish() throws(StoreError) -> XMLEdits {
    var parents: [XMLElementTree] = []
    for (parent, _, _) in self.added where !parents.contains(where: { $0 === parent }) {
      parents.append(parent)
    }
    for parent in parents {
      let elements = self.added.filter { $0.parent === parent }
      let behind = try self.anchor(in: parent, elements.compactMap(\.behind).last)
      let layout = XMLLayout(self.markup, parent)
      if let behind {
        let space = self.markup.copy(self.markup.lineStart(before: behind.lineBegin(self.markup)))
        let bytes = elements.flatMap { space + $0.element.bytes(space, unit: layout.unit) }
        self.edits.insert(bytes, at: behind.end)
      } else {
        let bytes = elements.flatMap { layout.inner + $0.element.bytes(layout.inner, unit: layout.unit) }
        self.fill(parent, bytes + layout.outer)
      }
    }
    self.added = []
    return self.edits
  }

  /// Puts the first children into an element.
  private mutating func fill(_ parent: XMLElementTree, _ bytes: [UInt8]) {
    if parent.tag.isEmpty {
      let close = (parent.tag.range.upperBound - 2)..<parent.tag.range.upperBound
      let end = Array("</\(self.markup.text(parent.tag.name))>".utf8)
      self.edits.replace(close, with: Array(">".utf8) + bytes + end)
    } else if self.markup.isSpace(parent.content) {
      self.edits.replace(parent.content, with: bytes)
    } else {
      self.edits.insert(bytes, at: parent.content.upperBound)
    }
  }

  /// The child behind which new ones go: the last that the mapping knows, else the last.
  private func anchor(in parent: XMLElementTree, _ wanted: XMLElementTree?) throws(StoreError)
    -> XMLElementTree?
  {
    if let wanted { return wanted }
    guard parent === self.tree else { return parent.children.last }
    do throws(XMLError) {
      for child in parent.children.reversed() {
        for path in self.record.values.map(\.path) + self.record.links.map(\.path) {
          guard let step = path.steps.first else { continue }
          if try child.fits(step, self.namespaces, self.markup) { return child }
        }
      }
    } catch { throw StoreError(error, url: self.url) }
    return parent.children.last
  }
}

extension XMLElementTree {
  /// Behind the last attribute, or the name.
  var attributeEnd: Int {
    self.tag.attributes.last.map { $0.value.upperBound + 1 } ?? self.tag.name.upperBound
  }

  /// Whether the element is `true` or `false` without anything inside.
  var isPropertyWord: Bool {
    self.namespace == nil && (self.local == "true" || self.local == "false") && self.content.isEmpty
      && self.tag.attributes.isEmpty
  }

  /// Where the element's line begins: at the key before it in a property list.
  func lineBegin(_ markup: XMLMarkup) -> Int {
    guard let siblings = self.parent?.children, let place = siblings.firstIndex(where: { $0 === self }),
      place > 0,
      siblings[place - 1].local == "key", siblings[place - 1].namespace == nil
    else { return self.range.lowerBound }
    return siblings[place - 1].range.lowerBound
  }
}

/// The white space in which the children of an element stand, as the document has it around there.
struct XMLLayout {
  /// Before the element.
  let outer: [UInt8]
  /// Before each child.
  let inner: [UInt8]
  let unit: [UInt8]

  init(_ markup: XMLMarkup, _ element: XMLElementTree) {
    self.outer = markup.copy(markup.lineStart(before: element.range.lowerBound))
    let known =
      element.children.first.map { markup.copy(markup.lineStart(before: $0.range.lowerBound)) } ?? []
    if let parent = element.parent, known.count <= self.outer.count {
      let above = markup.copy(markup.lineStart(before: parent.range.lowerBound))
      self.unit = XMLLayout.difference(above, self.outer)
    } else {
      self.unit = XMLLayout.difference(self.outer, known)
    }
    self.inner = known.isEmpty ? (self.outer.isEmpty ? [] : self.outer + self.unit) : known
  }

  private static func difference(_ short: [UInt8], _ long: [UInt8]) -> [UInt8] {
    if long.count > short.count, long.starts(with: short), !short.isEmpty {
      return Array(long[short.count...])
    }
    let longer = short.count > long.count ? short : long
    return longer.last == UInt8(ascii: "\t") ? [UInt8(ascii: "\t")] : Array("  ".utf8)
  }
}
