import FederatedData

/// One sort key as it is written: `-name:localizedStandard`.
enum SortArgument {
  static func descriptor(_ text: String, of option: String = "--sort") throws -> FetchSortDescriptor {
    let unsigned = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
    let parts = unsigned.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let key = parts.first, !key.isEmpty else {
      throw ToolError.usage(option, "has a sign without a key")
    }
    let comparison = try parts.count == 1 ? .scalar : self.comparison(String(parts[1]), of: option)
    return FetchSortDescriptor(String(key), ascending: !text.hasPrefix("-"), comparison: comparison)
  }

  private static func comparison(
    _ name: String, of option: String
  ) throws -> FetchSortDescriptor.Comparison {
    if let comparison = FetchSortDescriptor.Comparison(rawValue: name) { return comparison }
    let names = FetchSortDescriptor.Comparison.allCases.map(\.rawValue)
    let hint = NearestName.suggestion(for: name, among: names)
    throw ToolError.usage(
      option, "'\(name)' is no comparison\(hint); use one of \(names.joined(separator: ", "))")
  }
}
