internal import FederatedModel
internal import FederatedStore
internal import XMLStream

extension XMLRecordEditor {
  /// Makes the elements that hold keys of destinations hold these keys and no others.
  ///
  /// Without an order, what stays is not touched. With one, the elements that there are get the keys in their order.
  mutating func setList(
    _ value: XMLValuePlan, to wanted: [String], isOrdered: Bool, _ conversion: TextConversion
  ) throws(StoreError) {
    let found = try self.occurrences(value, conversion)
    let keys = try wanted.map { (text) throws(StoreError) in self.canonical(text, conversion) }
    var kept: [Int] = []
    var present = Set<String>()
    for (index, occurrence) in found.enumerated() {
      if keys.contains(occurrence.key), present.insert(occurrence.key).inserted { kept.append(index) }
    }
    let missing = wanted.indices.filter { !present.contains(keys[$0]) }
    let result = kept.map { found[$0].key } + missing.map { keys[$0] }
    var stay = kept
    var texts: [String] = missing.map { wanted[$0] }
    if isOrdered, result != keys {
      // Every place gets the key that its number has now.
      stay = Array(found.indices.prefix(wanted.count))
      texts = Array(wanted.dropFirst(stay.count))
      for (index, place) in stay.enumerated() where found[place].key != keys[index] {
        try self.replace(value, found[place].element, with: wanted[index])
      }
    }
    for index in found.indices where !stay.contains(index) {
      try self.removeOccurrence(value, found[index].element)
    }
    for text in texts {
      try self.add(value, text, behind: stay.last.map { found[$0].element }, isRepeated: true)
    }
  }

  private func occurrences(
    _ value: XMLValuePlan, _ conversion: TextConversion
  ) throws(StoreError) -> [(element: XMLElementTree, key: String)] {
    try self.converted(value) { () throws(XMLError) in
      var found: [(element: XMLElementTree, key: String)] = []
      for element in try self.tree.elements(at: value.path.steps[...], self.namespaces, self.markup) {
        guard let text = try self.text(of: value, in: element) else { continue }
        found.append((element, self.canonical(text, conversion)))
      }
      return found
    }
  }

  private func text(of value: XMLValuePlan, in element: XMLElementTree) throws(XMLError) -> String? {
    guard case .attribute(let name) = value.path.end else { return try element.text(self.markup) }
    let uri = name.prefix.isEmpty ? nil : self.namespaces[name.prefix]
    guard let attribute = element.attribute(name.local, uri, self.markup) else { return nil }
    return try self.markup.decoded(attribute)
  }

  private func canonical(_ text: String, _ conversion: TextConversion) -> String {
    conversion.value(of: text).flatMap { RowKeys.text(of: [$0]) } ?? text
  }

  private mutating func replace(
    _ value: XMLValuePlan, _ element: XMLElementTree, with text: String
  ) throws(StoreError) {
    guard case .attribute(let name) = value.path.end else {
      let bytes = try self.converted(value) { () throws(XMLError) in try XMLTextForm.content(text) }
      guard !element.tag.isEmpty, element.children.isEmpty, !element.hasOther else {
        throw self.refusal(value, "more than a text stands in one of its elements")
      }
      return self.edits.replace(element.content, with: bytes)
    }
    let uri = name.prefix.isEmpty ? nil : self.namespaces[name.prefix]
    guard let attribute = element.attribute(name.local, uri, self.markup) else { return }
    let quote = self.markup.bytes[attribute.value.upperBound]
    let bytes = try self.converted(value) { () throws(XMLError) in
      try XMLTextForm.attribute(text, quote: quote)
    }
    self.edits.replace(attribute.value, with: bytes)
  }

  /// Takes away one element of a list; nothing else may stand on or in it.
  private mutating func removeOccurrence(
    _ value: XMLValuePlan, _ element: XMLElementTree
  ) throws(StoreError) {
    let limit = if case .attribute = value.path.end { 1 } else { 0 }
    guard element !== self.tree, element.ownAttributes(self.markup).count <= limit, element.children.isEmpty
    else {
      throw self.refusal(value, "more than the key stands in the element that would have to go")
    }
    // Containers of a property list hold one key each and go with it.
    var outermost = element
    while value.path.steps.count > 1, case .key? = value.path.steps.last?.test, let parent = outermost.parent,
      parent !== self.tree, parent.local == "dict", parent.children.count == 2
    {
      outermost = parent
    }
    self.edits.remove(
      self.markup.lineStart(before: outermost.lineBegin(self.markup)).lowerBound..<outermost.end)
  }
}
