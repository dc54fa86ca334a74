internal import Foundation

/// Finds the bounds of tags and elements in the bytes of a document that was parsed before.
///
/// The document is known to be well-formed, so nothing is checked; an answer of nil says that the bytes end
/// before the thing does.
struct XMLMarkup {
  let bytes: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// The place of the next such byte.
  @inline(__always) func next(_ byte: UInt8, from index: Int) -> Int? {
    guard index < self.bytes.count, let start = self.bytes.baseAddress,
      let found = memchr(start + index, Int32(byte), self.bytes.count - index)
    else { return nil }
    return UnsafeRawPointer(found) - start
  }

  @inline(__always) func has(_ text: StaticString, at index: Int) -> Bool {
    let count = text.utf8CodeUnitCount
    guard index + count <= self.bytes.count, let start = self.bytes.baseAddress else { return false }
    return memcmp(start + index, text.utf8Start, count) == 0
  }

  func isSpace(_ range: Range<Int>) -> Bool { self.bytes[range].allSatisfy(\.isXMLSpace) }

  subscript(range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: self.bytes[range])
  }

  /// What begins with a `<`.
  enum Kind { case startTag, endTag, other }

  /// - Returns: nil when too few bytes are there to tell.
  func kind(at index: Int) -> Kind? {
    guard index + 1 < self.bytes.count else { return nil }
    switch self.bytes[index + 1] {
    case UInt8(ascii: "/"): return .endTag
    case UInt8(ascii: "!"), UInt8(ascii: "?"): return .other
    default: return .startTag
    }
  }

  /// The end of a comment, a CDATA section, a processing instruction or a DOCTYPE.
  func otherEnd(at index: Int) -> Int? {
    if index + 9 > self.bytes.count { return nil }
    if self.has("<!--", at: index) { return self.end(of: "-->", from: index + 4) }
    if self.has("<![CDATA[", at: index) { return self.end(of: "]]>", from: index + 9) }
    if self.has("<?", at: index) { return self.end(of: "?>", from: index + 2) }
    return self.doctypeEnd(at: index)
  }

  private func end(of text: StaticString, from start: Int) -> Int? {
    var index = start
    let count = text.utf8CodeUnitCount
    while let found = self.next(text.utf8Start[count - 1], from: index) {
      if found + 1 - count >= start, self.has(text, at: found + 1 - count) { return found + 1 }
      index = found + 1
    }
    return nil
  }

  /// A DOCTYPE has quoted text and perhaps brackets, which hold no declarations here.
  private func doctypeEnd(at index: Int) -> Int? {
    var place = index
    var inBrackets = false
    while place < self.bytes.count {
      switch self.bytes[place] {
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        guard let close = self.next(self.bytes[place], from: place + 1) else { return nil }
        place = close
      case UInt8(ascii: "["): inBrackets = true
      case UInt8(ascii: "]"): inBrackets = false
      case UInt8(ascii: ">") where !inBrackets: return place + 1
      case UInt8(ascii: "<") where place > index && self.kind(at: place) == .other:
        guard let end = self.otherEnd(at: place) else { return nil }
        place = end - 1
      default: break
      }
      place += 1
    }
    return nil
  }

  /// The end of the element whose start tag stands there.
  func elementEnd(_ tag: XMLTag) -> Int? {
    if tag.isEmpty { return tag.range.upperBound }
    if self.has("<object", at: tag.range.lowerBound),
      let end = self.plainObjectEnd(from: tag.range.upperBound)
    {
      return end
    }
    var depth = 1
    var index = tag.range.upperBound
    while let open = self.next(UInt8(ascii: "<"), from: index), let kind = self.kind(at: open) {
      switch kind {
      case .other:
        guard let end = self.otherEnd(at: open) else { return nil }
        index = end
      case .endTag:
        guard let close = self.next(UInt8(ascii: ">"), from: open) else { return nil }
        index = close + 1
        depth -= 1
        if depth == 0 { return index }
      case .startTag:
        guard let inner = self.tag(at: open) else { return nil }
        index = inner.range.upperBound
        if !inner.isEmpty { depth += 1 }
      }
    }
    return nil
  }

  /// The end of an object in which no comment, CDATA or other object stands: the next `</object`.
  private func plainObjectEnd(from start: Int) -> Int? {
    var index = start
    while let open = self.next(UInt8(ascii: "<"), from: index), open + 8 < self.bytes.count {
      switch self.bytes[open + 1] {
      case UInt8(ascii: "!"), UInt8(ascii: "?"): return nil
      case UInt8(ascii: "o"): if self.has("<object", at: open) { return nil }
      case UInt8(ascii: "/"):
        if self.has("</object", at: open) { return self.next(UInt8(ascii: ">"), from: open).map { $0 + 1 } }
      default: break
      }
      index = open + 2
    }
    return nil
  }

  /// The elements directly inside an element that is there whole.
  func children(of tag: XMLTag) -> [XMLChild] {
    var children: [XMLChild] = []
    var index = tag.range.upperBound
    while let open = self.next(UInt8(ascii: "<"), from: index), let kind = self.kind(at: open) {
      switch kind {
      case .endTag: return children
      case .other:
        guard let end = self.otherEnd(at: open) else { return children }
        index = end
      case .startTag:
        guard let child = self.tag(at: open), let end = self.elementEnd(child) else { return children }
        children.append(XMLChild(tag: child, end: end))
        index = end
      }
    }
    return children
  }
}

/// An element inside another.
struct XMLChild {
  var tag: XMLTag
  var end: Int
  var range: Range<Int> { self.tag.range.lowerBound..<self.end }
}
