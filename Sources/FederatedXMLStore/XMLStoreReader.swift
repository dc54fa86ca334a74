internal import FederatedModel
internal import FederatedStore
internal import Foundation
internal import XMLStream

/// Takes the events of an XML store and puts its objects into rows, value by value.
///
/// What the model does not know (elements, entities, properties) is passed over here; a save copies it from
/// the file as it stands.
final class XMLStoreReader: XMLStreamHandler {
  /// Behind pointers, because properties of a class are checked for exclusive access at every use.
  private let sink: UnsafeMutablePointer<RowSink>
  private let words: UnsafeMutablePointer<XMLStoreWords>
  private let names: XMLStoreNames
  private let url: URL?
  /// Tells where the current event is; set while the document is read.
  var position: () -> XMLPosition = { .none }

  private var depth = 0
  private var state = State.outside
  /// The depth at which an element that is passed over stands.
  private var passedOver = 0
  private var info: XMLTreeHandler?
  private let text = XMLTextBuffer()

  // The object and the property being read.
  private var entity: XMLEntityNames?
  private var child = 0
  private var property = 0
  private var idrefs: [Int64] = []

  private enum State { case outside, database, info, object, attribute, relationship, other }

  init(_ sink: RowSink, _ names: XMLStoreNames, url: URL?) {
    self.sink = .allocate(capacity: 1)
    self.sink.initialize(to: sink)
    self.words = .allocate(capacity: 1)
    self.words.initialize(to: XMLStoreWords())
    self.names = names
    self.url = url
  }

  deinit {
    self.sink.deinitialize(count: 1).deallocate()
    self.words.deinitialize(count: 1).deallocate()
  }

  /// What was read, after the document has ended.
  var rows: RowSink { self.sink.pointee }

  // MARK: Events

  func elementStarts(_ element: XMLElementStart) throws {
    self.depth += 1
    if self.state == .other { return }
    switch self.state {
    case .object: try self.propertyStarts(element)
    case .database: try self.objectStarts(element)
    case .outside: try self.rootStarts(element)
    case .info: try self.info?.elementStarts(element)
    case .attribute, .relationship, .other:
      throw XMLRefusal("\(element.name.string) stands inside a property; properties hold text alone")
    }
  }

  func elementEnds(_ name: XMLName) throws {
    defer { self.depth -= 1 }
    switch self.state {
    case .attribute:
      try self.attributeEnds()
      self.state = .object
    case .relationship: self.state = .object
    case .object:
      self.state = .database
    case .other:
      if self.depth == self.passedOver { self.state = self.depth == 2 ? .database : .object }
    case .info:
      try self.info?.elementEnds(name)
      if self.depth == 2 { try self.infoEnds() }
    case .database, .outside: self.state = .outside
    }
  }

  func characters(_ bytes: UnsafeRawBufferPointer) throws {
    if self.state == .attribute {
      self.text.append(bytes)
    } else if self.state == .info {
      try self.info?.characters(bytes)
    }
  }

  private func passOver() {
    self.passedOver = self.depth
    self.state = .other
  }

  // MARK: Document and objects

  private func rootStarts(_ element: XMLElementStart) throws {
    guard element.name.matches("database") else {
      let namespace = element.namespace.map { "{\($0)}" } ?? ""
      throw XMLRefusal(
        "the root is \(namespace)\(element.name.string), not database: the file is no store of this kind")
    }
    self.state = .database
  }

  private func objectStarts(_ element: XMLElementStart) throws {
    if self.words.pointee.object.matches(element.name) {
      try self.begin(element)
    } else if element.name.matches("databaseInfo") {
      let tree = XMLTreeHandler()
      try tree.elementStarts(element)
      self.info = tree
      self.state = .info
    } else {
      self.passOver()
    }
  }

  private func begin(_ element: XMLElementStart) throws {
    guard let type = self.words.pointee.type.value(in: element) else {
      throw XMLRefusal("an object has no type")
    }
    guard let id = self.words.pointee.id.value(in: element) else { throw XMLRefusal("an object has no id") }
    let reference = self.reference(id)
    guard let entity = self.names.entity(named: type) else {
      self.sink.pointee.reserve(through: reference)
      return self.passOver()
    }
    self.entity = entity
    self.child = 0
    self.state = .object
    try self.sink.pointee.beginRow(of: entity.entity.id, reference: reference, at: self.place)
  }

  /// `z` and a number is that number; anything else is an opaque name.
  private func reference(_ id: UnsafeRawBufferPointer) -> Int64 {
    XMLObjectName.number(id) ?? self.sink.pointee.reference(opaque: String(decoding: id, as: UTF8.self))
  }

  private var place: StoreError.Place? {
    let position = self.position()
    return position == .none ? nil : .text(line: position.line, column: position.column)
  }

  // MARK: Properties

  private func propertyStarts(_ element: XMLElementStart) throws {
    let isAttribute = self.words.pointee.attribute.matches(element.name)
    guard isAttribute || self.words.pointee.relationship.matches(element.name) else { return self.passOver() }
    guard let name = self.words.pointee.name.value(in: element), let entity = self.entity else {
      throw XMLRefusal("\(element.name.string) has no name")
    }
    let found = entity.property(named: name, at: self.child)
    self.child += 1
    guard let found else { return self.passOver() }
    self.property = found
    switch (entity.properties[found].kind, isAttribute) {
    case (.attribute, true):
      self.text.removeAll()
      self.state = .attribute
    case (.toOne(_, let relationship), false):
      try self.toOne(relationship, element)
      self.state = .relationship
    case (.toMany(let relationship), false):
      self.toMany(relationship, element)
      self.state = .relationship
    default:
      throw XMLRefusal(
        "\(entity.entity.name) has \(String(decoding: name, as: UTF8.self)) as "
          + (isAttribute
            ? "a relationship, the file as an attribute" : "an attribute, the file as a relationship"))
    }
  }

  private func attributeEnds() throws {
    guard let entity = self.entity,
      case .attribute(let slot, let kind, let attribute) = entity.properties[self.property].kind
    else { return }
    guard self.text.count <= RowBlockBuilder.longestBytes else {
      throw self.error(
        .refusedContent, attribute,
        "a value may have \(RowBlockBuilder.longestBytes) bytes; this one has more")
    }
    let isRead = XMLValueReader.read(
      self.text, as: kind, of: attribute.type, into: &self.sink.pointee.row, at: slot)
    if !isRead {
      let shown = String(decoding: self.text.text.prefix(40), as: UTF8.self)
      throw self.error(.unreadableValue, attribute, "\"\(shown)\" is no \(attribute.type.xmlName)")
    }
  }

  private func toOne(_ relationship: Relationship, _ element: XMLElementStart) throws {
    self.readReferences(element)
    guard self.idrefs.count <= 1 else {
      throw XMLRefusal("\(relationship.name) is to-one and names \(self.idrefs.count) objects")
    }
    if let reference = self.idrefs.first { self.sink.pointee.setToOne(relationship, to: reference) }
  }

  private func toMany(_ relationship: Relationship, _ element: XMLElementStart) {
    self.readReferences(element)
    self.sink.pointee.setToMany(relationship, to: self.idrefs)
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

  // MARK: Information about the store

  private func infoEnds() throws {
    self.state = .database
    guard let root = self.info?.root else { return }
    self.info = nil
    let info = try XMLStoreInfo(root)
    self.sink.pointee.metadata = info.metadata
    self.sink.pointee.reserve(through: info.highestID)
  }

  private func error(_ code: StoreError.Code, _ attribute: Attribute, _ detail: String) -> StoreError {
    StoreError(
      code, store: self.url, place: self.place,
      "\(self.entity?.entity.name ?? ""), \(attribute.name): \(detail)")
  }
}
