internal import Foundation

/// The words that a name is made of: `customerId`, `customer_id` and `CUSTOMER-ID` are `customer` and `id`.
package struct NameWords: Sendable, Hashable {
  package let words: [String]

  package init(_ name: String) {
    var words: [String] = []
    var word = ""
    let characters = Array(name)
    for (place, character) in characters.enumerated() {
      guard character.isLetter || character.isNumber else {
        if !word.isEmpty { words.append(word) }
        word = ""
        continue
      }
      let isAfterSmall = place > 0 && (characters[place - 1].isLowercase || characters[place - 1].isNumber)
      let isBeforeSmall =
        place > 0 && characters[place - 1].isUppercase && place + 1 < characters.count
        && characters[place + 1].isLowercase
      if character.isUppercase, !word.isEmpty, isAfterSmall || isBeforeSmall {
        words.append(word)
        word = ""
      }
      word.append(contentsOf: character.lowercased())
    }
    if !word.isEmpty { words.append(word) }
    self.words = words
  }

  package func contains(anyOf others: Set<String>) -> Bool { self.words.contains(where: others.contains) }

  /// `customerId`.
  package var lowerCamel: String {
    self.words.enumerated().map { $0.offset == 0 ? $0.element : $0.element.capitalized }.joined()
  }

  /// `CustomerId`.
  package var upperCamel: String { self.words.map(\.capitalized).joined() }
}
