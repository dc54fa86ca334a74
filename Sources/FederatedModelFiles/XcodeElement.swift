import FederatedModel
import Foundation
import XMLStream

/// One element while it is read: typed attributes with errors that know the place, and what nobody asked for.
struct XcodeElement {
  let element: XMLElementValue
  let file: URL
  private var read: Set<String> = []
  /// Texts that say in other words what the description says: a flag with its default, `0` for `0.0`.
  private var respelt: [String: String] = [:]

  init(_ element: XMLElementValue, in file: URL) {
    self.element = element
    self.file = file
  }

  /// Attributes that nobody asked for, and those whose text a writer would not give by itself.
  var keptAttributes: [String: String] {
    Dictionary(
      self.element.attributes.filter { !self.read.contains($0.name) }.map { ($0.name, $0.value) },
      uniquingKeysWith: { first, _ in first }
    ).merging(self.respelt) { first, _ in first }
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
    let text = self.text(name)
    if text?.isEmpty == true { self.respelt[name] = "" }
    return text?.isEmpty == true ? nil : text
  }

  /// Keeps the attribute's text when a writer would give another.
  mutating func keep(_ name: String, unless written: String?) {
    guard let text = self.element[name], text != written else { return }
    self.respelt[name] = text
  }

  mutating func required(_ name: String) throws(ModelFileError) -> String {
    if let text = self.nonEmptyText(name) { return text }
    throw self.error(
      .missingAttribute, "<\(self.element.name)> has no \"\(name)\". Give it one.")
  }

  mutating func flag(_ name: String, default: Bool = false) throws(ModelFileError) -> Bool {
    guard let text = self.text(name) else { return `default` }
    guard let flag = ModelValueText.flag(text) else { throw self.invalid(name, text, "Write YES or NO.") }
    self.keep(name, unless: flag == `default` ? nil : ModelValueText.text(flag))
    return flag
  }

  /// - Parameters:
  ///   - absent: what stands for an attribute that is not there.
  ///   - omitted: the number that a writer says by leaving the attribute out.
  mutating func integer(
    _ name: String, absent: Int = 0, omitted: Int = 0
  ) throws(ModelFileError) -> Int {
    guard let text = self.nonEmptyText(name) else { return absent }
    guard let number = Int(text) else { throw self.invalid(name, text, "Write a whole number.") }
    self.keep(name, unless: number == omitted ? nil : String(number))
    return number
  }

  /// Seconds since 2001-01-01 UTC.
  mutating func date(_ name: String) throws(ModelFileError) -> Value {
    guard let text = self.nonEmptyText(name) else { return .null }
    guard let value = ModelValueText.value(text, of: .date) else {
      throw self.invalid(name, text, "Write seconds since 2001-01-01 UTC.")
    }
    self.keep(name, unless: ModelValueText.text(value))
    return value
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
