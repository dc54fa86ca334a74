internal import FederatedStore
internal import Foundation
internal import XMLStream

extension MetadataValue {
  /// Takes one value of a property list.
  /// - Throws: ``XMLError`` when the element is none.
  init(propertyList element: XMLElementValue) throws(XMLError) {
    switch element.name {
    case "string": self = .string(element.text)
    case "true": self = .bool(true)
    case "false": self = .bool(false)
    case "integer": self = .int(try element.parsed(Int64.init))
    case "real": self = .double(try element.parsed(Double.init))
    case "date": self = .date(try element.parsed(MetadataValue.date))
    case "data":
      self = .data(try element.parsed { Data(base64Encoded: $0, options: .ignoreUnknownCharacters) })
    case "array":
      var values: [MetadataValue] = []
      for child in element.children { values.append(try MetadataValue(propertyList: child)) }
      self = .array(values)
    case "dict": self = .dictionary(try MetadataValue.entries(of: element))
    default: throw XMLError(.content, at: element.position, "\(element.name) is no part of a property list")
    }
  }

  private static func date(_ text: String) -> Date? {
    do { return try Date(text, strategy: .iso8601) } catch { return nil }
  }

  private static func entries(of element: XMLElementValue) throws(XMLError) -> [String: MetadataValue] {
    var entries: [String: MetadataValue] = [:]
    var key: String?
    for child in element.children {
      if let known = key {
        entries[known] = try MetadataValue(propertyList: child)
        key = nil
      } else {
        guard child.name == "key" else {
          throw XMLError(.content, at: child.position, "a value of the property list has no key")
        }
        key = child.text
      }
    }
    guard key == nil else {
      throw XMLError(.content, at: element.position, "a key of the property list has no value")
    }
    return entries
  }
}

extension XMLElementValue {
  fileprivate func parsed<T>(_ parse: (String) -> T?) throws(XMLError) -> T {
    guard let value = parse(self.trimmedText) else {
      throw XMLError(.content, at: self.position, "\"\(self.trimmedText.prefix(40))\" is no \(self.name)")
    }
    return value
  }
}

/// Writes property lists as the original framework does inside a store: sorted keys, base64 on its own line.
struct XMLPropertyListWriter {
  let writer: XMLByteWriter

  func write(_ entries: [String: MetadataValue], indent: Int) throws(XMLError) {
    self.indent(indent)
    if entries.isEmpty { return self.writer.raw("<dict></dict>\n") }
    self.writer.raw("<dict>\n")
    // Byte order, which is the same in every process.
    let keys = entries.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    for key in keys {
      self.indent(indent + 1)
      self.writer.raw("<key>")
      try self.writer.text(key)
      self.writer.raw("</key>\n")
      if let value = entries[key] { try self.write(value, indent: indent + 1) }
    }
    self.indent(indent)
    self.writer.raw("</dict>\n")
  }

  private func write(_ value: MetadataValue, indent: Int) throws(XMLError) {
    if case .dictionary(let entries) = value { return try self.write(entries, indent: indent) }
    self.indent(indent)
    switch value {
    case .string(let text):
      self.writer.raw("<string>")
      try self.writer.text(text)
      self.writer.raw("</string>\n")
    case .int(let number):
      self.writer.raw("<integer>")
      self.writer.integer(number)
      self.writer.raw("</integer>\n")
    case .double(let number):
      self.writer.raw("<real>")
      XMLDoubleText.writeShortest(number, to: self.writer)
      self.writer.raw("</real>\n")
    case .bool(let flag): self.writer.raw(flag ? "<true/>\n" : "<false/>\n")
    case .date(let date): self.writer.raw("<date>\(date.ISO8601Format())</date>\n")
    case .data(let data):
      self.writer.raw("<data>\n\t\t")
      data.withUnsafeBytes { XMLBase64.write($0, to: self.writer) }
      self.writer.raw("\n\t\t</data>\n")
    case .array(let values):
      if values.isEmpty { return self.writer.raw("<array></array>\n") }
      self.writer.raw("<array>\n")
      for value in values { try self.write(value, indent: indent + 1) }
      self.indent(indent)
      self.writer.raw("</array>\n")
    case .dictionary: break
    }
  }

  private func indent(_ level: Int) { for _ in 0..<level { self.writer.raw("    ") } }
}
