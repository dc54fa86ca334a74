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
  let sink: UnsafeMutablePointer<RowSink>
  let words: UnsafeMutablePointer<XMLStoreWords>
  private let names: XMLStoreNames
  let url: URL?
  /// Tells where the current event is; set while the document is read.
  var position: () -> XMLPosition = { .none }

  private var depth = 0
  var state = State.outside
  /// The depth at which an element that is passed over stands.
  private var passedOver = 0
  private var info: XMLTreeHandler?
  let text = XMLTextBuffer()

  // The object and the property being read.
  var entity: XMLEntityNames?
  var child = 0
  var property = 0
  var idrefs: [Int64] = []

  enum State { case outside, database, info, object, attribute, relationship, other }

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

  func passOver() {
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
  func reference(_ id: UnsafeRawBufferPointer) -> Int64 {
    XMLObjectName.number(id) ?? self.sink.pointee.reference(opaque: String(decoding: id, as: UTF8.self))
  }

  var place: StoreError.Place? {
    let position = self.position()
    return position == .none ? nil : .text(line: position.line, column: position.column)
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

  /// An error about the property being read.
  func error(_ code: StoreError.Code, _ detail: String) -> StoreError {
    let entity = self.entity?.entity.name ?? ""
    guard let names = self.entity, case .attribute(_, _, let attribute) = names.properties[self.property].kind
    else {
      return StoreError(code, store: self.url, place: self.place, "\(entity): \(detail)")
    }
    return StoreError(
      code, store: self.url, place: self.place,
      "\(entity), \(attribute.name) (\(attribute.type.xmlName)): \(detail)")
  }
}
