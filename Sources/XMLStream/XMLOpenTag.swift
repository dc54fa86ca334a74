internal import CXML2

/// Counts the values of a start tag whose end the parser has not met yet.
///
/// libxml2 compares every attribute of a tag with every other one before it tells anybody of the tag, which takes minutes
/// for a tag of ten million bytes. So a tag that is longer than what is handed over at once is looked at while it grows.
struct XMLOpenTag {
  /// Where in the document the tag begins; nil when no tag is open.
  private var start: Int?
  private var looked = 0
  private var quote: UInt8?
  /// How many values have begun.
  private(set) var values = 0

  /// Looks at what the parser holds and has not used.
  mutating func look(at parser: xmlParserCtxtPtr) {
    guard let input = unsafe parser.pointee.input, let base = unsafe input.pointee.base,
      let current = unsafe input.pointee.cur, let end = unsafe input.pointee.end
    else { return }
    let rest = unsafe UnsafeBufferPointer(start: current, count: end - current)
    guard rest.count > 1, unsafe rest[0] == UInt8(ascii: "<"), unsafe !Self.others.contains(rest[1]) else {
      self.start = nil
      return
    }
    let place = unsafe Int(input.pointee.consumed) + (current - base)
    if self.start != place { self = XMLOpenTag(start: place) }
    for index in self.looked..<max(self.looked, rest.count) {
      let byte = unsafe rest[index]
      if let quote = self.quote {
        if byte == quote { self.quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        self.quote = byte
        self.values += 1
      }
    }
    self.looked = rest.count
  }

  init() {}

  private init(start: Int) { self.start = start }

  /// What behind `<` makes something else than a start tag.
  private static let others: Set<UInt8> = [UInt8(ascii: "!"), UInt8(ascii: "?"), UInt8(ascii: "/")]
}
