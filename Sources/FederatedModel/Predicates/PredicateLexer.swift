import Foundation

/// Cuts a format into tokens.
struct PredicateLexer {
  private let format: String
  private let scalars: [Unicode.Scalar]
  private var position = 0

  static func tokens(of format: String) throws(PredicateFormatError) -> [PredicateToken] {
    var lexer = PredicateLexer(format: format, scalars: Array(format.unicodeScalars))
    var tokens: [PredicateToken] = []
    repeat { tokens.append(try lexer.next()) } while tokens.last?.kind != .end
    return tokens
  }

  private init(format: String, scalars: [Unicode.Scalar]) {
    self.format = format
    self.scalars = scalars
  }

  private var current: Unicode.Scalar? {
    self.position < self.scalars.count ? self.scalars[self.position] : nil
  }

  private func peek(_ distance: Int = 1) -> Unicode.Scalar? {
    self.position + distance < self.scalars.count ? self.scalars[self.position + distance] : nil
  }

  private func error(
    _ expected: String, _ code: PredicateFormatError.Code = .syntax, at place: Int? = nil, found: String = ""
  ) -> PredicateFormatError {
    PredicateFormatError(
      code, format: self.format, column: self.format.predicateColumn(ofScalar: place ?? self.position),
      expected: expected, found: found)
  }

  private mutating func next() throws(PredicateFormatError) -> PredicateToken {
    while let scalar = self.current, scalar.properties.isWhitespace { self.position += 1 }
    let start = self.position
    guard let scalar = self.current else { return PredicateToken(kind: .end, start: start) }
    return PredicateToken(kind: try self.kind(beginningWith: scalar), start: start)
  }

  private mutating func kind(
    beginningWith scalar: Unicode.Scalar
  ) throws(PredicateFormatError) -> PredicateToken.Kind {
    switch scalar {
    case "\"", "'": return .string(try self.quoted())
    case "0"..."9": return .number(try self.number())
    case "%": return .placeholder(try self.placeholder())
    case "$": return .variable(try self.name(after: "a variable's name after $"))
    case "@": return .collectionOperator("@" + (try self.name(after: "a collection operator after @")))
    case "#":
      if let quote = self.peek(), quote == "\"" {
        self.position += 1
        return .key(try self.quoted())
      }
      return .key(try self.name(after: "a key after #"))
    default:
      if scalar.beginsPredicateName { return self.word() }
      return .symbol(try self.symbol())
    }
  }

  private mutating func name(after expected: String) throws(PredicateFormatError) -> String {
    self.position += 1
    guard let scalar = self.current, scalar.beginsPredicateName else { throw self.error(expected) }
    return self.identifier()
  }

  private mutating func identifier() -> String {
    var text = String.UnicodeScalarView()
    while let scalar = self.current, scalar.continuesPredicateName {
      text.append(scalar)
      self.position += 1
    }
    return String(text)
  }

  private mutating func word() -> PredicateToken.Kind {
    var text = self.identifier()
    if text.uppercased() == "UTI" {
      for keyword in [PredicateKeyword.utiConformsTo, .utiEquals] {
        let tail = keyword.rawValue.unicodeScalars.dropFirst(3)
        let rest = self.scalars[self.position...].prefix(tail.count)
        if String(String.UnicodeScalarView(rest)).uppercased() == String(tail) {
          self.position += tail.count
          return .keyword(keyword, spelling: keyword.rawValue)
        }
      }
    }
    while self.current == ":", self.peek() != "=" {
      self.position += 1
      text += ":" + self.identifier()
    }
    return PredicateKeyword(spelling: text).map { .keyword($0, spelling: text) } ?? .name(text)
  }

  private mutating func symbol() throws(PredicateFormatError) -> PredicateSymbol {
    if let second = self.peek() {
      var pair = String.UnicodeScalarView([self.scalars[self.position]])
      pair.append(second)
      if let symbol = PredicateSymbol(rawValue: String(pair)) {
        self.position += 2
        return symbol
      }
    }
    let single = String(String.UnicodeScalarView([self.scalars[self.position]]))
    guard let symbol = PredicateSymbol(rawValue: single) else {
      throw self.error("a key, a literal or an operator", found: "\"\(single)\"")
    }
    self.position += 1
    return symbol
  }

  private mutating func placeholder() throws(PredicateFormatError) -> PredicatePlaceholder {
    let start = self.position
    self.position += 1
    var hasLength = false
    while let scalar = self.current, scalar == "h" || scalar == "l" || scalar == "q" {
      hasLength = true
      self.position += 1
    }
    guard let scalar = self.current else {
      throw self.error("@, K or a printf conversion after %", .arguments, at: start)
    }
    self.position += 1
    switch scalar {
    case "@" where !hasLength: return .value
    case "K" where !hasLength: return .keyPath
    case "d", "i", "u", "o", "x", "X", "c", "C", "D", "U", "O": return .integer
    case "e", "E", "f", "F", "g", "G", "a", "A": return .floating
    case "%":
      throw self.error(
        "an operand; the remainder of a division is modulus:by:(a, b)", at: start, found: "\"%%\"")
    default:
      throw self.error(
        "one of %@ %K %d %f and their kin", .arguments, at: start, found: "\"%\(Character(scalar))\"")
    }
  }
}

extension PredicateLexer {
  private mutating func quoted() throws(PredicateFormatError) -> String {
    let start = self.position
    let quote = self.scalars[start]
    self.position += 1
    var text = String.UnicodeScalarView()
    while let scalar = self.current {
      self.position += 1
      if scalar == quote { return String(text) }
      if scalar == "\\" {
        text.append(contentsOf: try self.escaped())
      } else {
        text.append(scalar)
      }
    }
    throw self.error("a string that ends in \(Character(quote))", at: start)
  }

  /// What stands behind a backslash. An escape that is none keeps its backslash, as regular expressions want.
  private mutating func escaped() throws(PredicateFormatError) -> [Unicode.Scalar] {
    guard let scalar = self.current else { throw self.error("a character after the backslash") }
    self.position += 1
    switch scalar {
    case "\\", "\"", "'": return [scalar]
    case "n": return ["\n"]
    case "t": return ["\t"]
    case "r": return ["\r"]
    case "u":
      let unit = try self.hexUnit()
      if let scalar = Unicode.Scalar(unit) { return [scalar] }
      guard self.current == "\\", self.peek() == "u" else {
        throw self.error("the second half of a surrogate pair, as \\uXXXX")
      }
      self.position += 2
      let pair = [unit, try self.hexUnit()]
      guard let decoded = String(validating: pair, as: UTF16.self) else {
        throw self.error("the second half of a surrogate pair, as \\uXXXX")
      }
      return Array(decoded.unicodeScalars)
    default: return ["\\", scalar]
    }
  }

  private mutating func hexUnit() throws(PredicateFormatError) -> UInt16 {
    let digits = self.scalars[self.position...].prefix(4)
    guard digits.count == 4, digits.allSatisfy({ $0.isASCII && $0.properties.isASCIIHexDigit }),
      let unit = UInt16(String(String.UnicodeScalarView(digits)), radix: 16)
    else { throw self.error("four hexadecimal digits after \\u") }
    self.position += 4
    return unit
  }

  private mutating func number() throws(PredicateFormatError) -> Value {
    let start = self.position
    if self.current == "0",
      let radix = self.peek().flatMap({ ["x": 16, "o": 8, "b": 2][$0.properties.lowercaseMapping] })
    {
      self.position += 2
      let digits = self.identifier()
      guard let magnitude = UInt64(digits, radix: radix) else {
        throw self.error("digits of base \(radix) that fit into 64 bits", at: start)
      }
      return magnitude.value
    }
    self.skipDigits()
    var isWhole = true
    if self.current == ".", let digit = self.peek(), ("0"..."9").contains(digit) {
      isWhole = false
      self.position += 1
      self.skipDigits()
    }
    if self.current == "e" || self.current == "E" {
      let signed = self.peek() == "+" || self.peek() == "-"
      if let digit = self.peek(signed ? 2 : 1), ("0"..."9").contains(digit) {
        isWhole = false
        self.position += signed ? 2 : 1
        self.skipDigits()
      }
    }
    if let scalar = self.current, scalar.continuesPredicateName {
      throw self.error("an operator behind the number", found: "\"\(Character(scalar))\"")
    }
    let text = String(String.UnicodeScalarView(self.scalars[start..<self.position]))
    if isWhole {
      if let int = Int64(text) { return .int(int) }
      if text.utf8.count <= 38, let decimal = Decimal(string: text, locale: nil) { return .decimal(decimal) }
    }
    guard let double = Double(text) else { throw self.error("a number", at: start) }
    return .double(double)
  }

  private mutating func skipDigits() {
    while let scalar = self.current, ("0"..."9").contains(scalar) { self.position += 1 }
  }
}

extension Unicode.Scalar {
  var beginsPredicateName: Bool { self == "_" || self.properties.isAlphabetic }

  var continuesPredicateName: Bool {
    if self.isASCII { return self == "_" || self.properties.isAlphabetic || ("0"..."9").contains(self) }
    switch self.properties.generalCategory {
    case .decimalNumber, .nonspacingMark, .spacingMark: return true
    default: return self.properties.isAlphabetic
    }
  }
}

extension String {
  /// The character, counted from 1, in which a scalar stands.
  func predicateColumn(ofScalar index: Int) -> Int {
    String(String.UnicodeScalarView(self.unicodeScalars.prefix(index))).count + 1
  }
}
