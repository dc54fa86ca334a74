package import FederatedStore
package import Foundation
internal import XMLStream

/// What an XML document holds, told without a model: for tools that look into files.
package struct XMLFileSummary: Sendable {
  /// The root element's local name; nil when the document ends before it.
  package private(set) var root: String?
  package private(set) var namespace: String?
  /// The root element's attribute `type`.
  package private(set) var rootType: String?
  /// Whether the document has the form of a store of the tradition's layout.
  package private(set) var isStore = false
  package private(set) var uuid: UUID?
  /// How many objects each entity has, by name.
  package private(set) var contents: [(name: String, rows: Int)] = []
  /// Why the document could not be read to its end.
  package private(set) var damage: StoreError?

  /// Reads the file once, from beginning to end, and keeps none of it.
  package init(of url: URL) {
    let outline = XMLOutline()
    do { try XMLStreamReader.read(contentsOf: url, to: outline) } catch {
      self.damage = StoreError(error, url: url)
    }
    self.root = outline.root
    self.namespace = outline.namespace
    self.rootType = outline.rootType
    self.isStore = outline.isStore
    self.uuid = UUID(uuidString: outline.identifier)
    // Objects have their entity's name in capitals; the metadata has it as it was.
    let names = Dictionary(outline.hashedNames.map { ($0.uppercased(), $0) }) { first, _ in first }
    self.contents = outline.objects.map { (names[$0.key] ?? $0.key, $0.value) }.sorted { $0.0 < $1.0 }
  }
}

/// Root, identifier and counts of a document, as its events pass.
private final class XMLOutline: XMLStreamHandler {
  private(set) var root: String?
  private(set) var namespace: String?
  private(set) var rootType: String?
  private(set) var isStore = false
  private(set) var identifier = ""
  private(set) var objects: [String: Int] = [:]
  private(set) var hashedNames: [String] = []
  private var path: [String] = []
  private var text = ""
  private var lastKey = ""

  func elementStarts(_ element: XMLElementStart) throws {
    let name = element.name.string
    self.text = ""
    if self.path.isEmpty {
      self.root = name
      self.namespace = element.namespace
      self.rootType = element.text("type")
    } else if self.path == ["database"], name == "databaseInfo" || name == "object" {
      self.isStore = true
      if name == "object", let type = element.text("type") { self.objects[type, default: 0] += 1 }
    }
    self.path.append(name)
  }

  func elementEnds(_ name: XMLName) throws {
    let path = self.path.dropFirst()
    if path == ["databaseInfo", "UUID"] { self.identifier = self.text }
    if path.last == "key", path.starts(with: ["databaseInfo", "metadata", "plist", "dict"]) {
      if path.count == 5 { self.lastKey = self.text }
      if path.count == 6, self.lastKey == "NSStoreModelVersionHashes" { self.hashedNames.append(self.text) }
    }
    self.path.removeLast()
    self.text = ""
  }

  func characters(_ bytes: UnsafeRawBufferPointer) throws {
    guard self.path.count > 2, self.path[1] == "databaseInfo" else { return }
    self.text += String(decoding: bytes, as: UTF8.self)
  }
}

extension XMLElementStart {
  fileprivate func text(_ name: StaticString) -> String? {
    self.value(name).map { String(decoding: $0, as: UTF8.self) }
  }
}
