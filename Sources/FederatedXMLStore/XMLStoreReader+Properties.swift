internal import FederatedModel
internal import FederatedStore
internal import XMLStream

extension XMLStoreReader {
  func propertyStarts(_ element: XMLElementStart) throws {
    let isAttribute = self.words.pointee.attribute.matches(element.name)
    guard isAttribute || self.words.pointee.relationship.matches(element.name) else { return self.passOver() }
    guard let name = self.words.pointee.name.value(in: element), let entity = self.entity else {
      throw XMLRefusal("\(element.name.string) has no name")
    }
    let found = entity.property(named: name, at: self.child)
    self.child += 1
    guard let found else { return self.passOver() }
    self.property = found
    if isAttribute, entity.columns[found] != nil {
      self.text.removeAll()
      self.state = .attribute
    } else if !isAttribute, let relationship = entity.properties[found].relationship {
      try self.read(relationship, element)
      self.state = .relationship
    } else {
      throw XMLRefusal(
        "\(entity.entity.name) has \(String(decoding: name, as: UTF8.self)) as "
          + (isAttribute
            ? "a relationship, the file as an attribute" : "an attribute, the file as a relationship"))
    }
  }

  func attributeEnds() throws {
    guard let entity = self.entity, let column = entity.columns[self.property] else { return }
    guard self.text.count <= RowBlockBuilder.longestBytes else {
      throw self.error(
        .refusedContent, "a value may have \(RowBlockBuilder.longestBytes) bytes; this one has more")
    }
    if XMLValueReader.read(self.text, into: &self.sink.pointee.row, at: column) { return }
    let shown = String(decoding: self.text.text.prefix(40), as: UTF8.self)
    throw self.error(.unreadableValue, "\"\(shown)\" does not fit the attribute's type")
  }

  private func read(_ relationship: Relationship, _ element: XMLElementStart) throws {
    self.readReferences(element)
    if relationship.isToMany { return self.sink.pointee.setToMany(relationship, to: self.idrefs) }
    guard self.idrefs.count <= 1 else {
      throw XMLRefusal("\(relationship.name) is to-one and names \(self.idrefs.count) objects")
    }
    if let reference = self.idrefs.first { self.sink.pointee.setToOne(relationship, to: reference) }
  }

  private func readReferences(_ element: XMLElementStart) {
    self.idrefs.removeAll(keepingCapacity: true)
    guard let list = self.words.pointee.idrefs.value(in: element) else { return }
    var start = 0
    while start < list.count {
      while start < list.count, list[start].isXMLSpace { start += 1 }
      var end = start
      while end < list.count, !list[end].isXMLSpace { end += 1 }
      if end > start {
        self.idrefs.append(self.reference(UnsafeRawBufferPointer(rebasing: list[start..<end])))
      }
      start = end
    }
  }
}
