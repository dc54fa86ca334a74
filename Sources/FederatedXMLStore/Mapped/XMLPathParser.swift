/// Reads the text of a path.
struct XMLPathParser {
  private let text: [Character]
  private var index = 0

  /// - Throws: ``XMLPathError`` with the column.
  static func parse(_ text: String) throws(XMLPathError) -> XMLPath {
    var parser = XMLPathParser(text: Array(text))
    return try parser.path()
  }

  private init(text: [Character]) { self.text = text }

  private mutating func path() throws(XMLPathError) -> XMLPath {
    guard !self.text.isEmpty else { throw self.error("the path is empty; name an element or an @attribute") }
    if self.text == ["."] { return XMLPath(isAbsolute: false, steps: [], end: .ownText) }
    if self.text == Array("key()") { return XMLPath(isAbsolute: false, steps: [], end: .ownKey) }
    var path = XMLPath(isAbsolute: self.text[0] == "/", steps: [], end: .element)
    var isDescendant = false
    if path.isAbsolute { isDescendant = try self.slash() }
    while true {
      if self.take("@") {
        guard !isDescendant else {
          throw XMLPathError(
            column: self.index, message: "an attribute stands on an element: write a step before it")
        }
        path.end = .attribute(try self.name())
        guard self.index == self.text.count else {
          throw self.error("an attribute is the last step of a path")
        }
        return path
      }
      var step = try self.step()
      step.isDescendant = isDescendant
      path.steps.append(step)
      if self.index == self.text.count { return path }
      isDescendant = try self.slash()
    }
  }

  /// - Returns: whether there are two.
  private mutating func slash() throws(XMLPathError) -> Bool {
    guard self.take("/") else { throw self.error("expected / before the next step, or the end of the path") }
    return self.take("/")
  }

  private mutating func step() throws(XMLPathError) -> XMLPath.Step {
    if self.take("*") { return XMLPath.Step(test: .any, filters: try self.filters()) }
    let name = try self.name()
    if name.text == "key", self.take("(") {
      let key = try self.quoted()
      guard self.take(")") else { throw self.error("expected ) behind the key") }
      return XMLPath.Step(test: .key(key))
    }
    return XMLPath.Step(test: .name(name), filters: try self.filters())
  }

  private mutating func filters() throws(XMLPathError) -> [XMLPath.Filter] {
    var filters: [XMLPath.Filter] = []
    while self.take("[") {
      guard self.take("@") else { throw self.error("expected @ and an attribute's name behind [") }
      let name = try self.name()
      guard self.take("=") else { throw self.error("expected = behind the attribute's name") }
      filters.append(XMLPath.Filter(name: name, value: try self.quoted()))
      guard self.take("]") else { throw self.error("expected ] behind the value") }
    }
    return filters
  }

  private mutating func quoted() throws(XMLPathError) -> String {
    let quote: Character = self.index < self.text.count && self.text[self.index] == "\"" ? "\"" : "'"
    guard self.take(quote) else { throw self.error("expected a text in quotes") }
    guard let end = self.text[self.index...].firstIndex(of: quote) else {
      throw self.error("the quote is not closed")
    }
    defer { self.index = end + 1 }
    return String(self.text[self.index..<end])
  }

  private mutating func name() throws(XMLPathError) -> XMLPathName {
    let column = self.index + 1
    let first = try self.part()
    if self.take(":") { return XMLPathName(prefix: first, local: try self.part(), column: column) }
    return XMLPathName(local: first, column: column)
  }

  private mutating func part() throws(XMLPathError) -> String {
    let start = self.index
    while self.index < self.text.count, XMLPathParser.isOfName(self.text[self.index]) { self.index += 1 }
    guard self.index > start, let first = self.text[start].unicodeScalars.first,
      !first.properties.isWhitespace, !"-.0123456789".unicodeScalars.contains(first)
    else {
      self.index = start
      throw self.error("expected the name of an element or attribute")
    }
    return String(self.text[start..<self.index])
  }

  private static func isOfName(_ character: Character) -> Bool {
    !character.isWhitespace && !"/@[]()'\":*=,|<>&#;!?{}$%^~`\\+".contains(character)
  }

  private mutating func take(_ character: Character) -> Bool {
    guard self.index < self.text.count, self.text[self.index] == character else { return false }
    self.index += 1
    return true
  }

  private func error(_ message: String) -> XMLPathError {
    XMLPathError(column: self.index + 1, message: message)
  }
}
