import FederatedData

/// What `--linked` takes: `[any|all|none|count OP N] PROPERTY[: FORMAT]`.
enum LinkedArgument {
  static func condition(_ text: String) throws -> LinkedCondition {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let words = parts[0].split(whereSeparator: \.isWhitespace).map(String.init)
    guard let property = words.last else {
      throw ToolError.usage("--linked", "names no property in '\(text)'; write PROPERTY: FORMAT")
    }
    let test = try Self.test(words.dropLast().joined(), in: text)
    guard parts.count == 2 else { return LinkedCondition(property, test) }
    do {
      return LinkedCondition(property, test, where: try FetchPredicate(format: String(parts[1])))
    } catch {
      throw ToolError.usage("--linked", "\(error)")
    }
  }

  private static func test(_ words: String, in text: String) throws -> LinkedCondition.Test {
    switch words.lowercased() {
    case "", "any": return .any
    case "all": return .all
    case "none": return .none
    case let count where count.hasPrefix("count"):
      let comparison = count.dropFirst("count".count)
      let sign = String(comparison.prefix { !$0.isNumber })
      guard let known = LinkedCondition.Comparison(rawValue: sign == "=" ? "==" : sign),
        let number = Int(comparison.dropFirst(sign.count))
      else {
        throw ToolError.usage("--linked", "has no number to compare with in '\(text)'; write count > 3")
      }
      return .count(known, number)
    default:
      throw ToolError.usage(
        "--linked",
        "begins with '\(words)' in '\(text)'; write any, all, none or count > 3 before the property")
    }
  }

  /// Sort keys `PROPERTY.KEY` or `-PROPERTY.KEY:COMPARISON`.
  static func sort(_ text: String) throws -> FetchSortDescriptor {
    var sort = try SortArgument.descriptor(text, of: "--sort-linked")
    let parts = sort.key.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(
      String.init)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
      throw ToolError.usage("--sort-linked", "needs a property and a key of what it finds, and not '\(text)'")
    }
    sort.key = parts[1]
    return sort.through(parts[0])
  }
}
