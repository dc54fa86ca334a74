import Foundation

/// How predicates and sort keys compare text: one set of functions for all stores.
///
/// Without options text is its Unicode scalars. With `[c]` and `[d]` both sides are *folded* first
/// (``fold(_:_:)``) and then compared as scalars, so equality, order, search and patterns agree with each
/// other. A SQL function or collation that calls these gives the answers of the in-memory evaluator.
public enum StringMatching {
  /// Text made comparable: full case folding for `[c]` (ß is ss), marks removed for `[d]`, and then, for
  /// either, canonical composition, so that both writings of é are one, and neither begins with e.
  ///
  /// `[n]` says that text is folded already: nothing is done. `[l]` folds by the rules of the current locale.
  public static func fold(_ text: String, _ options: FetchPredicate.Options) -> String {
    guard options.folds else { return text }
    var text = text
    let isASCII = text.withUTF8 { bytes in bytes.allSatisfy { $0 < 0x80 } }
    let locale: Locale? = options.contains(.localeSensitive) ? .current : nil
    if isASCII, locale == nil {
      guard options.contains(.caseInsensitive) else { return text }
      return String(decoding: text.utf8.map(StringMatching.lowercaseASCII), as: UTF8.self)
    }
    var folding: String.CompareOptions = []
    if options.contains(.caseInsensitive) { folding.insert(.caseInsensitive) }
    if options.contains(.diacriticInsensitive) { folding.insert(.diacriticInsensitive) }
    return text.folding(options: folding, locale: locale).precomposedStringWithCanonicalMapping
  }

  /// Text made ready to be put in order by its scalars: folded, and decomposed again so that é stands
  /// behind e and not behind z. Without `[c]` and `[d]` it is the text itself.
  public static func orderKey(_ text: String, _ options: FetchPredicate.Options) -> String {
    guard options.folds else { return text }
    let folded = StringMatching.fold(text, options)
    return folded.utf8.allSatisfy { $0 < 0x80 } ? folded : folded.decomposedStringWithCanonicalMapping
  }

  @inline(__always) static func lowercaseASCII(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
  }

  /// Whether two texts are equal under the options.
  public static func equal(_ a: String, _ b: String, _ options: FetchPredicate.Options = []) -> Bool {
    guard options.folds else { return a.utf8.elementsEqual(b.utf8) }
    return StringMatching.fold(a, options).utf8.elementsEqual(StringMatching.fold(b, options).utf8)
  }

  /// Below 0 when `a` comes first, by Unicode scalars; `[l]` asks the current locale instead.
  public static func order(_ a: String, _ b: String, _ options: FetchPredicate.Options = []) -> Int {
    if options.collates {
      return a.compare(b, options: options.foundationOptions, range: nil, locale: .current).rawValue
    }
    return StringMatching.scalarOrder(
      StringMatching.orderKey(a, options), StringMatching.orderKey(b, options))
  }

  /// Below 0 when `a` comes first by Unicode scalars: the order of the UTF-8 bytes.
  public static func scalarOrder(_ a: String, _ b: String) -> Int {
    var (a, b) = (a, b)
    return a.withUTF8 { left in
      b.withUTF8 { right in
        StringMatching.order(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right))
      }
    }
  }

  static func order(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
    let shared = min(a.count, b.count)
    if shared > 0 {
      let difference = memcmp(a.baseAddress!, b.baseAddress!, shared)
      if difference != 0 { return Int(difference) }
    }
    return a.count - b.count
  }

  /// Whether `text` holds `needle`. An empty needle is in every text.
  public static func contains(
    _ text: String, _ needle: String, _ options: FetchPredicate.Options = []
  ) -> Bool {
    var (text, needle) = (StringMatching.fold(text, options), StringMatching.fold(needle, options))
    return text.withUTF8 { text in
      needle.withUTF8 { needle in
        StringMatching.contains(UnsafeRawBufferPointer(text), UnsafeRawBufferPointer(needle))
      }
    }
  }

  static func contains(_ text: UnsafeRawBufferPointer, _ needle: UnsafeRawBufferPointer) -> Bool {
    if needle.isEmpty { return true }
    let first = Int32(needle[0])
    var start = 0
    while text.count - start >= needle.count {
      let room = text.count - start - needle.count + 1
      guard let found = memchr(text.baseAddress! + start, first, room) else { return false }
      if memcmp(found, needle.baseAddress!, needle.count) == 0 { return true }
      start = UnsafeRawPointer(found) - text.baseAddress! + 1
    }
    return false
  }

  public static func hasPrefix(
    _ text: String, _ prefix: String, _ options: FetchPredicate.Options = []
  ) -> Bool {
    let (text, prefix) = (StringMatching.fold(text, options).utf8, StringMatching.fold(prefix, options).utf8)
    return text.starts(with: prefix)
  }

  public static func hasSuffix(
    _ text: String, _ suffix: String, _ options: FetchPredicate.Options = []
  ) -> Bool {
    let (text, suffix) = (StringMatching.fold(text, options).utf8, StringMatching.fold(suffix, options).utf8)
    return text.count >= suffix.count && text.suffix(suffix.count).elementsEqual(suffix)
  }

  /// Whether the whole text is like the pattern: `*` is any run, `?` one scalar, `\` makes the next literal.
  public static func like(
    _ text: String, _ pattern: String, _ options: FetchPredicate.Options = []
  ) -> Bool {
    GlobPattern(pattern, options).matches(text)
  }

  /// The number of UTF-16 units, as the tradition counts `length`.
  public static func length(_ text: String) -> Int { text.utf16.count }

  /// Compares two texts as a sort key does.
  public static func order(
    _ a: String, _ b: String, by comparison: FetchSortDescriptor.Comparison
  ) -> Int {
    switch comparison {
    case .scalar: StringMatching.scalarOrder(a, b)
    case .caseInsensitive: StringMatching.order(a, b, .caseInsensitive)
    case .localized: a.localizedCompare(b).rawValue
    case .localizedCaseInsensitive: a.localizedCaseInsensitiveCompare(b).rawValue
    case .localizedStandard: a.localizedStandardCompare(b).rawValue
    }
  }
}

extension FetchPredicate.Options {
  /// Whether texts must be folded before they are compared.
  public var folds: Bool {
    !self.contains(.normalized) && !self.isDisjoint(with: [.caseInsensitive, .diacriticInsensitive])
  }

  /// Whether texts are put in order by the current locale.
  var collates: Bool { self.contains(.localeSensitive) && !self.contains(.normalized) }

  fileprivate var foundationOptions: String.CompareOptions {
    var options: String.CompareOptions = []
    if self.contains(.caseInsensitive) { options.insert(.caseInsensitive) }
    if self.contains(.diacriticInsensitive) { options.insert(.diacriticInsensitive) }
    return options
  }
}
