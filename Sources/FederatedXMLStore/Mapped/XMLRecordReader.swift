internal import FederatedModel
internal import FederatedStore
internal import Foundation
internal import XMLStream

/// Finds the records of a mapping in the events of a document, and their values, and hands each record on when its
/// element ends.
final class XMLRecordReader<Receiver: XMLRecordReceiver>: XMLStreamHandler {
  let plan: XMLMappingPlan
  let receiver: Receiver
  let url: URL?
  /// Tells where the current event is; set while the document is read.
  var position: () -> XMLPosition = { .none }
  /// Where the tags stand, for whoever is going to change them.
  var places: XMLPlaceRecorder?
  /// The root element as it is, for messages.
  private(set) var root: XMLRootName?

  /// Behind a pointer, because properties of a class are checked for exclusive access at every use.
  private let work: UnsafeMutablePointer<XMLReadingWork>
  private let nilName: Int32
  private let schemaInstance: Int32
  private let keyBuffer = XMLTextBuffer()

  /// Of each value, by record and value, how many were read as nil because they did not fit, and the first line.
  var unfitValues: [[Int]: (count: Int, line: Int)] = [:]

  init(_ plan: XMLMappingPlan, _ receiver: Receiver, url: URL?) {
    self.plan = plan
    self.receiver = receiver
    self.url = url
    self.nilName = plan.names["nil"] ?? 0
    self.schemaInstance = plan.namespaces[XMLMappingPlan.schemaInstance] ?? 0
    var outside = XMLElementFrame(firstState: 0)
    outside.usesKeys = plan.nodes[Int(XMLMappingPlan.start)].usesKeys
    self.work = .allocate(capacity: 1)
    self.work.initialize(
      to: XMLReadingWork(
        names: XMLSymbols(plan.names, none: 0), namespaces: XMLSymbols(plan.namespaces, none: 1),
        states: [XMLPathState(node: XMLMappingPlan.start, record: -1)], frames: [outside],
        pool: Array(repeating: [], count: plan.records.count),
        ordinals: Array(repeating: 0, count: plan.model.entities.count),
        counts: Array(repeating: 0, count: plan.records.count)))
  }

  deinit { self.work.deinitialize(count: 1).deallocate() }

  /// How many records of each entity were read, by the number of its plan.
  var counts: [Int] { self.work.pointee.counts }

  /// The open record of that number, from the outermost.
  func openRecord(_ number: Int32) -> XMLRecord { self.work.pointee.open[Int(number)] }

  // MARK: Events

  func elementStarts(_ element: XMLElementStart) throws {
    try self.places?.elementStarts()
    if self.root == nil { self.root = XMLRootName(element) }
    let parent = self.work.pointee.frames.count - 1
    let first = self.work.pointee.frames[parent].firstState
    let end = self.work.pointee.states.count
    if self.work.pointee.skipped > 0 || (first == end && !self.work.pointee.frames[parent].usesKeys) {
      self.work.pointee.skipped += 1
      return
    }
    var frame = XMLElementFrame(firstState: end)
    if self.work.pointee.frames[parent].usesKeys, element.namespacePlace == nil, element.name.matches("key") {
      frame.isKey = true
      self.keyBuffer.removeAll()
      self.work.pointee.frames.append(frame)
      return
    }
    try self.match(
      element, first..<end, key: self.work.pointee.frames[parent].key,
      keyText: self.work.pointee.frames[parent].keyText)
    if self.plan.usesKeys {
      self.work.pointee.frames[parent].key = 0
      self.work.pointee.frames[parent].keyText = nil
    }
    if self.plan.usesKeys {
      for state in self.work.pointee.states[end...] where self.plan.nodes[Int(state.node)].usesKeys {
        frame.usesKeys = true
      }
    }
    self.work.pointee.frames.append(frame)
  }

  func characters(_ bytes: UnsafeRawBufferPointer) throws {
    for (index, capture) in self.work.pointee.captures.enumerated()
    where !capture.isOwnText
      || (self.work.pointee.skipped == 0 && capture.depth == self.work.pointee.frames.count - 1)
    {
      self.work.pointee.buffers[index].append(bytes)
    }
    if self.plan.usesKeys, self.work.pointee.skipped == 0,
      self.work.pointee.frames[self.work.pointee.frames.count - 1].isKey
    {
      self.keyBuffer.append(bytes)
    }
  }

  func elementEnds(_ name: XMLName) throws {
    try self.places?.elementEnds()
    if self.work.pointee.skipped > 0 {
      self.work.pointee.skipped -= 1
      return
    }
    let depth = self.work.pointee.frames.count - 1
    let frame = self.work.pointee.frames[depth]
    if frame.isKey { self.keyEnds(in: depth - 1) }
    while let capture = self.work.pointee.captures.last, capture.depth == depth { try self.finish(capture) }
    while let record = self.work.pointee.open.last, record.depth == depth { try self.finish(record) }
    self.work.pointee.states.removeLast(self.work.pointee.states.count - frame.firstState)
    self.work.pointee.frames.removeLast()
  }

  private func keyEnds(in parent: Int) {
    let text = String(decoding: self.keyBuffer.text, as: UTF8.self)
    self.work.pointee.frames[parent].key = self.plan.keys[text] ?? -1
    self.work.pointee.frames[parent].keyText = text
  }

  // MARK: Matching

  private func match(
    _ element: XMLElementStart, _ range: Range<Int>, key: Int32, keyText: String?
  ) throws {
    let name = self.work.pointee.names.number(element.name.address)
    let namespace = self.work.pointee.namespaces.number(element.namespacePlace)
    if self.plan.descends { self.work.pointee.arrivals.removeAll(keepingCapacity: true) }
    for index in range {
      let state = self.work.pointee.states[index]
      let node = self.plan.nodes[Int(state.node)]
      for place in node.edges {
        let edge = self.plan.edges[Int(place)]
        if state.onlyDescends, !edge.descends { continue }
        if edge.key != 0 {
          if edge.key != key { continue }
        } else if edge.name != XMLMappingPlan.Edge.anyName, edge.name != name || edge.namespace != namespace {
          continue
        }
        if !edge.filters.isEmpty, !self.fits(element, edge.filters) { continue }
        try self.arrive(XMLPathState(node: edge.target, record: state.record), element, keyText)
      }
      if node.descends {
        self.work.pointee.states.append(
          XMLPathState(node: state.node, record: state.record, onlyDescends: true))
      }
    }
  }

  private func fits(_ element: XMLElementStart, _ filters: Range<Int32>) -> Bool {
    filters.allSatisfy { place in
      let filter = self.plan.filters[Int(place)]
      for index in 0..<element.attributeCount
      where self.work.pointee.names.number(element.attributeName(index).address) == filter.name
        && self.work.pointee.namespaces.number(element.attributeNamespacePlace(index)) == filter.namespace
      {
        return filter.value.matches(element.attributeValue(index))
      }
      return false
    }
  }

  /// An element is at a place of a path. Two ways may lead to one place; it counts once.
  private func arrive(_ state: XMLPathState, _ element: XMLElementStart, _ keyText: String?) throws {
    if self.plan.descends {
      if self.work.pointee.arrivals.contains(state) { return }
      self.work.pointee.arrivals.append(state)
    }
    let record = self.plan.nodes[Int(state.node)].record
    guard record >= 0 else { return try self.enter(state, element, keyText) }
    let link = Int(self.plan.nodes[Int(state.node)].link)
    self.begin(
      Int(record), in: state.record < 0 || link < 0 ? nil : self.work.pointee.open[Int(state.record)], link,
      element)
    let inner = XMLPathState(
      node: self.plan.bodies[Int(record)], record: Int32(self.work.pointee.open.count - 1))
    try self.enter(inner, element, keyText)
  }

  private func enter(_ state: XMLPathState, _ element: XMLElementStart, _ keyText: String?) throws {
    let node = self.plan.nodes[Int(state.node)]
    if !node.attributes.isEmpty { try self.takeAttributes(element, node.attributes, state.record) }
    for place in node.captures {
      let capture = self.plan.captures[Int(place)]
      if capture.text == .key {
        if let keyText { try self.set(capture.value, state.record, keyText) }
      } else if self.isNil(element) {
        try self.setNil(capture.value, state.record)
      } else {
        self.begin(capture, state.record, element)
      }
    }
    if !node.edges.isEmpty { self.work.pointee.states.append(state) }
  }

  private func takeAttributes(_ element: XMLElementStart, _ wanted: Range<Int32>, _ record: Int32) throws {
    for index in 0..<element.attributeCount {
      let name = self.work.pointee.names.number(element.attributeName(index).address)
      if name == 0 { continue }
      let namespace = self.work.pointee.namespaces.number(element.attributeNamespacePlace(index))
      for place in wanted {
        let attribute = self.plan.attributes[Int(place)]
        guard attribute.name == name, attribute.namespace == namespace else { continue }
        try self.set(attribute.value, record, element.attributeValue(index))
      }
    }
  }

  /// Whether the element says of itself that it stands for nil.
  private func isNil(_ element: XMLElementStart) -> Bool {
    if element.attributeCount == 0 { return false }
    for index in 0..<element.attributeCount
    where self.work.pointee.names.number(element.attributeName(index).address) == self.nilName
      && self.work.pointee.namespaces.number(element.attributeNamespacePlace(index)) == self.schemaInstance
    {
      let value = String(decoding: element.attributeValue(index), as: UTF8.self)
      return value == "true" || value == "1"
    }
    return false
  }

  // MARK: Captures and records

  private func begin(_ plan: XMLMappingPlan.Capture, _ record: Int32, _ element: XMLElementStart) {
    var capture = XMLOpenCapture(
      value: plan.value, record: record, depth: self.work.pointee.frames.count, isOwnText: plan.text == .own,
      word: nil)
    if self.plan.usesKeys, element.namespacePlace == nil {
      if element.name.matches("true") { capture.word = "true" }
      if element.name.matches("false") { capture.word = "false" }
    }
    if self.work.pointee.buffers.count == self.work.pointee.captures.count {
      self.work.pointee.buffers.append(XMLTextBuffer())
    }
    self.work.pointee.buffers[self.work.pointee.captures.count].removeAll()
    self.work.pointee.captures.append(capture)
  }

  private func finish(_ capture: XMLOpenCapture) throws {
    self.work.pointee.captures.removeLast()
    let buffer = self.work.pointee.buffers[self.work.pointee.captures.count]
    if let word = capture.word, buffer.count == 0 {
      return try self.set(capture.value, capture.record, "\(word)")
    }
    try self.set(capture.value, capture.record, buffer.text)
  }

  private func begin(_ number: Int, in parent: XMLRecord?, _ link: Int, _ element: XMLElementStart) {
    let record = self.work.pointee.pool[number].popLast() ?? XMLRecord(number, self.plan.records[number])
    let root = record.plan.entity.root.index
    self.work.pointee.ordinals[root] += 1
    record.begin(
      in: parent, link: link, depth: self.work.pointee.frames.count, line: element.position.line,
      ordinal: self.work.pointee.ordinals[root])
    self.work.pointee.open.append(record)
  }

  private func finish(_ record: XMLRecord) throws {
    self.work.pointee.counts[record.number] += 1
    try self.receiver.take(record)
    self.work.pointee.open.removeLast()
    self.work.pointee.pool[record.number].append(record)
  }
}

/// The root element of a document, as messages name it.
struct XMLRootName: Sendable, Hashable {
  let name: String
  let namespace: String?

  init(_ element: XMLElementStart) {
    self.name = element.name.string
    self.namespace = element.namespace
  }

  var text: String { self.namespace.map { "{\($0)}\(self.name)" } ?? self.name }
}

// Outside of the generic class, whose own types would be looked up at every use.

private struct XMLPathState: Equatable {
  var node: Int32
  /// The open record that values found from here belong to; -1 for none.
  var record: Int32
  /// Whether only steps to any depth go on from here.
  var onlyDescends = false
}

private struct XMLElementFrame {
  var firstState: Int
  /// Whether keys of a property list matter among the element's children.
  var usesKeys = false
  /// Whether the element is such a key.
  var isKey = false
  /// The number of the key before the next child; -1 for one that no path has, 0 for none.
  var key: Int32 = 0
  var keyText: String?
}

private struct XMLOpenCapture {
  var value: Int32
  var record: Int32
  var depth: Int
  var isOwnText: Bool
  /// The element is `true` or `false` of a property list, whose name is its value.
  var word: StaticString?
}

/// What changes with every event.
private struct XMLReadingWork {
  var names: XMLSymbols
  var namespaces: XMLSymbols
  /// Places in paths that the open elements are at, element after element.
  var states: [XMLPathState]
  var frames: [XMLElementFrame]
  /// How many elements are open below one inside which nothing can be found.
  var skipped = 0
  var arrivals: [XMLPathState] = []
  /// Records whose elements are open, outermost first.
  var open: [XMLRecord] = []
  var pool: [[XMLRecord]]
  var ordinals: [Int64]
  var counts: [Int]
  var captures: [XMLOpenCapture] = []
  var buffers: [XMLTextBuffer] = []
}
