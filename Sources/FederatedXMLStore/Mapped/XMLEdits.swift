internal import FederatedStore
internal import XMLStream

/// Replacements in the bytes of a document, gathered in any order and made in one pass.
struct XMLEdits {
  private var edits: [(range: Range<Int>, bytes: [UInt8])] = []

  var isEmpty: Bool { self.edits.isEmpty }

  /// Puts bytes in the place of others. At one place, what comes first stands first.
  mutating func replace(_ range: Range<Int>, with bytes: [UInt8]) { self.edits.append((range, bytes)) }

  mutating func insert(_ bytes: [UInt8], at place: Int) { self.replace(place..<place, with: bytes) }

  mutating func remove(_ range: Range<Int>) { self.replace(range, with: []) }

  /// The document with everything replaced. What lies inside a range that is removed goes with it.
  func applied(to bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + self.edits.reduce(0) { $0 + $1.bytes.count })
    let order = self.edits.indices.sorted { a, b in
      let (left, right) = (self.edits[a].range, self.edits[b].range)
      if left.lowerBound != right.lowerBound { return left.lowerBound < right.lowerBound }
      // An insertion stands before what is replaced behind it.
      if left.isEmpty != right.isEmpty { return left.isEmpty }
      return left.isEmpty ? a < b : left.upperBound > right.upperBound
    }
    var done = 0
    for index in order {
      let edit = self.edits[index]
      if edit.range.lowerBound < done { continue }
      result.append(contentsOf: bytes[done..<edit.range.lowerBound])
      result.append(contentsOf: edit.bytes)
      done = edit.range.upperBound
    }
    result.append(contentsOf: bytes[done...])
    return result
  }
}

/// Texts as they stand in a document.
enum XMLTextForm {
  /// Inside an element.
  static func content(_ text: String) throws(XMLError) -> [UInt8] {
    try self.written { (writer) throws(XMLError) in try writer.text(text) }
  }

  /// Inside the quotes of an attribute.
  static func attribute(_ text: String, quote: UInt8 = UInt8(ascii: "\"")) throws(XMLError) -> [UInt8] {
    let bytes = try self.written { (writer) throws(XMLError) in try writer.attribute(text) }
    if quote != UInt8(ascii: "'") { return bytes }
    return bytes.flatMap { $0 == quote ? Array("&apos;".utf8) : [$0] }
  }

  private static func written(_ write: (XMLByteWriter) throws(XMLError) -> Void) throws(XMLError) -> [UInt8] {
    let output = Output()
    let writer = XMLByteWriter(capacity: 4096) { output.bytes.append(contentsOf: $0) }
    try write(writer)
    writer.empty()
    return output.bytes
  }

  private final class Output { var bytes: [UInt8] = [] }
}

extension XMLMarkup {
  /// The white space right before a place, if it begins a line; else none.
  func lineStart(before place: Int) -> Range<Int> {
    var start = place
    while start > 0, self.bytes[start - 1].isXMLSpace { start -= 1 }
    // Lines above that are empty stay.
    guard let last = self.bytes[start..<place].lastIndex(of: UInt8(ascii: "\n")) else { return place..<place }
    let first = last > start && self.bytes[last - 1] == UInt8(ascii: "\r") ? last - 1 : last
    return first..<place
  }

  func copy(_ range: Range<Int>) -> [UInt8] { Array(self.bytes[range]) }
}
