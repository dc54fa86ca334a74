import FederatedStore

/// Names for what files call by others: legal in a model, and each of its own.
struct SuggestedNames {
  /// In small letters: names that differ by case alone would be one in some files.
  private var taken: Set<String>

  init(taken: some Sequence<String> = [String]()) { self.taken = Set(taken.map { $0.lowercased() }) }

  /// The first of the names that is free, or the last of them with a number.
  mutating func take(_ names: String...) -> String { self.take(names) }

  mutating func take(_ names: [String]) -> String {
    let names = names.map(Self.legal)
    if let free = names.first(where: { self.taken.insert($0.lowercased()).inserted }) { return free }
    let last = names.last ?? "value"
    var number = 2
    while !self.taken.insert("\(last)\(number)".lowercased()).inserted { number += 1 }
    return "\(last)\(number)"
  }

  /// A model's names begin with a letter.
  private static func legal(_ name: String) -> String {
    guard let first = name.first else { return "value" }
    return first.isLetter ? name : "n" + name
  }

  // MARK: Words

  static func entity(_ name: String) -> String { NameWords(name).upperCamel }
  static func property(_ name: String) -> String { NameWords(name).lowerCamel }

  /// `albums` for `Album`.
  static func plural(_ name: String) -> String {
    let word = NameWords(name).lowerCamel
    if word.hasSuffix("y"), !["a", "e", "o", "u"].contains(word.dropLast().last.map(String.init) ?? "") {
      return word.dropLast() + "ies"
    }
    if word.hasSuffix("s") { return word.hasSuffix("ss") ? word + "es" : word }
    return word + "s"
  }

  /// `album` for `albums` and `Album`.
  static func singular(_ word: String) -> String {
    if word.hasSuffix("ies"), word.count > 4 { return word.dropLast(3) + "y" }
    let keeps = ["ss", "us", "is"].contains { word.hasSuffix($0) }
    return word.hasSuffix("s") && !keeps && word.count > 3 ? String(word.dropLast()) : word
  }

  /// The words that say that a column holds a key.
  static let keyWords: Set<String> = [
    "id", "key", "number", "no", "nr", "num", "code", "ref", "reference", "uuid", "guid", "fk",
  ]

  /// The words of a column's name without those that say that it is a key: `customer` for `customerId`.
  static func subject(_ name: String) -> [String] {
    var words = NameWords(name).words
    while let last = words.last, self.keyWords.contains(last) { words.removeLast() }
    return words
  }
}
