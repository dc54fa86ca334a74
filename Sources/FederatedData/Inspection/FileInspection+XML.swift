import FederatedModelFiles
import Foundation
import XMLStream

extension FileInspection {
  mutating func inspectXML() throws {
    let document = DocumentOutline()
    do {
      try XMLStreamReader.read(contentsOf: self.url, to: document)
    } catch let error as XMLError {
      try self.takeDamage(error, in: document)
      return
    }
    switch document.kind {
    case .store: self.take(document)
    case .model: try self.inspectModel()
    case .other:
      self.kind = .otherXML
      let namespace = document.namespace.map { " in namespace \($0)" } ?? ""
      self.note = "root element \(document.root ?? "")\(namespace)"
    }
  }

  /// A damaged file of a known kind is an error; one that merely begins like XML is none of the kinds.
  private mutating func takeDamage(_ error: XMLError, in document: DocumentOutline) throws {
    guard document.kind == .other else {
      throw FileInspectionError(
        file: self.url, line: error.position.line, column: error.position.column, error.message)
    }
    self.note = "the content begins like XML and is not well-formed: \(error)"
  }

  private mutating func take(_ document: DocumentOutline) {
    self.kind = .coreDataXML
    self.uuid = UUID(uuidString: document.identifier)
    let names = Dictionary(document.hashedNames.map { ($0.uppercased(), $0) }) { first, _ in first }
    self.entities = document.objects.map { Entity(name: names[$0.key] ?? $0.key, rows: $0.value) }
      .sorted { $0.name < $1.name }
  }
}

/// What can be told of a document in one pass: its root, and the counts of a Core Data XML store.
private final class DocumentOutline: XMLStreamHandler {
  enum Kind { case store, model, other }

  private(set) var kind = Kind.other
  private(set) var root: String?
  private(set) var namespace: String?
  /// The store's UUID as it stands.
  private(set) var identifier = ""
  /// How many objects each type name has.
  private(set) var objects: [String: Int] = [:]
  /// The entity names of the metadata, which keep their case.
  private(set) var hashedNames: [String] = []
  private var path: [String] = []
  private var text = ""
  private var lastKey = ""

  func elementStarts(_ element: XMLElementStart) throws {
    let name = element.name.string
    self.text = ""
    switch self.path.count {
    case 0:
      self.root = name
      self.namespace = element.namespace
      if name == "model", (element.string("type") ?? "").hasSuffix("DataModel") { self.kind = .model }
    case 1 where self.root == "database" && (name == "databaseInfo" || name == "object"):
      self.kind = .store
      if name == "object", let type = element.string("type") { self.objects[type, default: 0] += 1 }
    default: break
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
  fileprivate func string(_ name: StaticString) -> String? {
    self.value(name).map { String(decoding: $0, as: UTF8.self) }
  }
}
