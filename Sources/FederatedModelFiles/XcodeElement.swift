import FederatedModel
import Foundation
import XMLStream

/// One element while it is read: typed attributes with errors that know the place, and what nobody asked for.
struct XcodeElement {
  let element: XMLElementValue
  let file: URL
  private var read: Set<String> = []

  init(_ element: XMLElementValue, in file: URL) {
    self.element = element
    self.file = file
  }

  /// Attributes that were never asked for.
  var unreadAttributes: [String: String] {
    Dictionary(
      self.element.attributes.filter { !self.read.contains($0.name) }.map { ($0.name, $0.value) },
      uniquingKeysWith: { first, _ in first })
  }

  func children(_ name: String) -> [XcodeElement] {
    self.element.children(named: name).map { XcodeElement($0, in: self.file) }
  }

  func child(_ name: String) -> XcodeElement? {
    self.element.child(named: name).map { XcodeElement($0, in: self.file) }
  }

  /// Children under other names than those that are understood.
  func unknownChildren(besides names: Set<String>) -> [ModelFileElement] {
    self.element.children.filter { !names.contains($0.name) }.map { $0.kept }
  }

  // MARK: Attributes

  /// The attribute's text; nil when it is absent.
  mutating func text(_ name: String) -> String? {
    self.read.insert(name)
    return self.element[name]
  }

  /// The attribute's text; nil when it is absent or empty.
  mutating func nonEmptyText(_ name: String) -> String? {
    self.text(name).flatMap { $0.isEmpty ? nil : $0 }
  }

  mutating func required(_ name: String) throws(ModelFileError) -> String {
    if let text = self.nonEmptyText(name) { return text }
    throw self.error(
      .missingAttribute, "<\(self.element.name)> has no \"\(name)\". Give it one.")
  }

  mutating func flag(_ name: String, default: Bool = false) throws(ModelFileError) -> Bool {
    guard let text = self.text(name) else { return `default` }
    switch text {
    case "YES", "true", "1": return true
    case "NO", "false", "0": return false
    default: throw self.invalid(name, text, "Write YES or NO.")
    }
  }

  mutating func integer(_ name: String) throws(ModelFileError) -> Int? {
    guard let text = self.nonEmptyText(name) else { return nil }
    guard let number = Int(text) else { throw self.invalid(name, text, "Write a whole number.") }
    return number
  }

  /// Seconds since 2001-01-01 UTC.
  mutating func date(_ name: String) throws(ModelFileError) -> Value {
    guard let text = self.nonEmptyText(name) else { return .null }
    guard let seconds = Double(text), seconds.isFinite else {
      throw self.invalid(name, text, "Write seconds since 2001-01-01 UTC.")
    }
    return .date(Date(timeIntervalSinceReferenceDate: seconds))
  }

  // MARK: Errors

  func invalid(_ name: String, _ text: String, _ advice: String) -> ModelFileError {
    self.error(.invalidValue, "\"\(text)\" is no value of \"\(name)\" in <\(self.element.name)>. \(advice)")
  }

  func error(_ code: ModelFileError.Code, _ detail: String) -> ModelFileError {
    ModelFileError(code, file: self.file, line: self.element.line, column: self.element.column, detail)
  }
}

extension XMLElementValue {
  /// The element as a description keeps it.
  var kept: ModelFileElement {
    ModelFileElement(
      self.name, attributes: self.attributes.map { .init($0.name, $0.value) },
      children: self.children.map(\.kept),
      text: self.text.allSatisfy(\.isWhitespace) ? "" : self.text)
  }
}
