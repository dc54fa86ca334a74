internal import FederatedModel
package import FederatedStore
package import Foundation
internal import XMLStream

/// How the elements of a document stand inside one another, and what values stand in them: for tools that propose a
/// mapping.
package struct XMLFileOutline: Sendable {
  /// The root element; nil for a document without one.
  package private(set) var root: Element?
  /// Whether the document has more kinds of places than are told.
  package private(set) var isCut = false

  /// All elements of one name at one place of the document.
  package struct Element: Sendable {
    package let name: String
    /// The namespace; nil for none.
    package let namespace: String?
    /// How many elements stand at this place.
    package fileprivate(set) var count = 0
    /// In how many of the elements around it one stands.
    package fileprivate(set) var parents = 0
    /// The most of them in one element around it.
    package fileprivate(set) var most = 0
    /// The element's own text; elements of nothing but white space count as without text.
    package fileprivate(set) var text = ValueProfile()
    /// Attributes without a prefix, in the order in which they were met, with their values.
    package fileprivate(set) var attributes: [(name: String, values: ValueProfile)] = []
    /// Elements inside, in the order in which they were met.
    package fileprivate(set) var children: [Element] = []
  }

  /// Reads the file once, from beginning to end, and keeps none of it but samples.
  /// - Throws: ``StoreError`` for a document that cannot be read to its end.
  package init(of url: URL) throws(StoreError) {
    let reader = OutlineReader()
    do { try XMLStreamReader.read(contentsOf: url, to: reader) } catch { throw StoreError(error, url: url) }
    self.root = reader.root?.outline
    self.isCut = reader.isCut
  }
}

/// Gathers the outline as the events of the document pass.
private final class OutlineReader: XMLStreamHandler {
  private(set) var root: Place?
  private(set) var isCut = false
  private var stack: [Open] = []
  /// Elements below a place that is not kept.
  private var skipped = 0
  private var places = 0

  /// Places of a document, and bytes of a text, that are looked at. More of them tell no more about its form.
  private static let mostPlaces = 2000
  private static let mostText = 4096

  final class Place {
    var element: XMLFileOutline.Element
    var children: [Place] = []

    init(_ name: String, _ namespace: String?) {
      self.element = XMLFileOutline.Element(name: name, namespace: namespace)
    }

    var outline: XMLFileOutline.Element {
      var outline = self.element
      outline.children = self.children.map(\.outline)
      return outline
    }
  }

  /// An element that has begun.
  private struct Open {
    let place: Place
    var text: [UInt8] = []
    /// How many elements of each place stand in it, by the place's number among the children.
    var counts: [Int] = []
  }

  func elementStarts(_ element: XMLElementStart) throws {
    if self.skipped > 0 {
      self.skipped += 1
      return
    }
    guard let place = self.place(element.name.string, element.namespace) else {
      self.skipped = 1
      self.isCut = true
      return
    }
    place.element.count += 1
    for index in 0..<element.attributeCount where element.attributePrefix(index) == nil {
      let name = element.attributeName(index).string
      let value = String(decoding: element.attributeValue(index), as: UTF8.self)
      let known = place.element.attributes.firstIndex { $0.name == name }
      if known == nil { place.element.attributes.append((name, ValueProfile())) }
      place.element.attributes[known ?? place.element.attributes.count - 1].values.add(.string(value))
    }
    self.stack.append(Open(place: place))
  }

  /// The place of an element of that name inside the one that is open.
  private func place(_ name: String, _ namespace: String?) -> Place? {
    guard let parent = self.stack.last?.place else {
      let root = Place(name, namespace)
      self.root = root
      return root
    }
    var number = parent.children.firstIndex { $0.element.name == name && $0.element.namespace == namespace }
    if number == nil {
      if self.places == Self.mostPlaces { return nil }
      self.places += 1
      number = parent.children.count
      parent.children.append(Place(name, namespace))
    }
    guard let number else { return nil }
    let last = self.stack.count - 1
    while self.stack[last].counts.count <= number { self.stack[last].counts.append(0) }
    self.stack[last].counts[number] += 1
    return parent.children[number]
  }

  func elementEnds(_ name: XMLName) throws {
    if self.skipped > 0 {
      self.skipped -= 1
      return
    }
    guard let open = self.stack.popLast() else { return }
    let place = open.place
    let text = String(decoding: open.text, as: UTF8.self)
    if text.contains(where: { !$0.isWhitespace }) {
      place.element.text.add(.string(text))
    } else {
      place.element.text.addNull()
    }
    for (number, count) in open.counts.enumerated() where count > 0 {
      let child = place.children[number]
      child.element.parents += 1
      child.element.most = max(child.element.most, count)
    }
  }

  func characters(_ bytes: UnsafeRawBufferPointer) throws {
    guard self.skipped == 0, !self.stack.isEmpty else { return }
    let last = self.stack.count - 1
    let room = Self.mostText - self.stack[last].text.count
    if room > 0 { unsafe self.stack[last].text.append(contentsOf: bytes.prefix(room)) }
  }
}
