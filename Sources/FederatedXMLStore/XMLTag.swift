internal import Foundation
internal import XMLStream

/// A start tag as its bytes have it.
struct XMLTag {
  /// From `<` to behind `>`.
  var range: Range<Int>
  /// The name, prefix included.
  var name: Range<Int>
  /// Whether it ends with `/>`.
  var isEmpty: Bool
  var attributes: [XMLRawAttribute]
}

/// An attribute as its bytes have it, references and all.
struct XMLRawAttribute {
  var name: Range<Int>
  /// Without its quotes.
  var value: Range<Int>
}

extension XMLMarkup {
  /// The start tag at that place; nil when it is not there whole.
  func tag(at start: Int) -> XMLTag? {
    var index = start + 1
    guard let nameEnd = self.nameEnd(from: index) else { return nil }
    var tag = XMLTag(range: start..<start, name: index..<nameEnd, isEmpty: false, attributes: [])
    index = nameEnd
    while index < self.bytes.count {
      let byte = self.bytes[index]
      if byte.isXMLSpace {
        index += 1
      } else if byte == UInt8(ascii: ">") {
        tag.range = start..<(index + 1)
        return tag
      } else if byte == UInt8(ascii: "/") {
        tag.isEmpty = true
        index += 1
      } else {
        guard let attribute = self.attribute(at: index) else { return nil }
        tag.attributes.append(attribute)
        index = attribute.value.upperBound + 1
      }
    }
    return nil
  }

  private func attribute(at start: Int) -> XMLRawAttribute? {
    guard let nameEnd = self.nameEnd(from: start), let equals = self.next(UInt8(ascii: "="), from: nameEnd)
    else {
      return nil
    }
    var open = equals + 1
    while open < self.bytes.count, self.bytes[open].isXMLSpace { open += 1 }
    guard open < self.bytes.count, let close = self.next(self.bytes[open], from: open + 1) else { return nil }
    return XMLRawAttribute(name: start..<nameEnd, value: (open + 1)..<close)
  }

  private func nameEnd(from start: Int) -> Int? {
    var index = start
    while index < self.bytes.count {
      switch self.bytes[index] {
      case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: "="), UInt8(ascii: ">"), UInt8(ascii: "/"): return index
      default: index += 1
      }
    }
    return nil
  }

  func isNamed(_ name: StaticString, _ tag: XMLTag) -> Bool {
    tag.name.count == name.utf8CodeUnitCount && self.has(name, at: tag.name.lowerBound)
  }

  /// The attribute of that name.
  func attribute(_ name: StaticString, of tag: XMLTag) -> XMLRawAttribute? {
    for attribute in tag.attributes
    where attribute.name.count == name.utf8CodeUnitCount && self.has(name, at: attribute.name.lowerBound) {
      return attribute
    }
    return nil
  }

  /// The value of a tag's attribute, references replaced.
  func value(_ name: StaticString, of tag: XMLTag) throws(XMLError) -> [UInt8]? {
    guard let attribute = self.attribute(name, of: tag) else { return nil }
    let raw = self[attribute.value]
    guard raw.contains(UInt8(ascii: "&")) else { return Array(raw) }
    // Its own quotes go with it, since the other kind may stand inside.
    let quoted = self[(attribute.value.lowerBound - 1)..<(attribute.value.upperBound + 1)]
    return try XMLElementValue.parse(bytes: Array("<a v=".utf8) + quoted + Array("/>".utf8))["v"].map {
      Array($0.utf8)
    }
  }
}
