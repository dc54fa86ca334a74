/// Guesses which name was meant, for error messages.
package enum NearestName {
  /// ` (did you mean NAME?)`, or nothing when no name is near.
  package static func suggestion(for name: String, among candidates: some Sequence<String>) -> String {
    self.nearest(to: name, among: candidates).map { " (did you mean \($0)?)" } ?? ""
  }

  /// The candidate with the fewest edits, if those are few beside the name's length; the first of equals.
  package static func nearest(to name: String, among candidates: some Sequence<String>) -> String? {
    let wanted = Array(name.lowercased())
    let limit = Swift.max(1, wanted.count / 3)
    var best: (name: String, edits: Int)?
    for candidate in candidates {
      let edits = self.edits(wanted, Array(candidate.lowercased()))
      if edits <= limit, edits < best?.edits ?? .max { best = (candidate, edits) }
    }
    return best?.name
  }

  /// Insertions, deletions, replacements and swaps of neighbours.
  private static func edits(_ a: [Character], _ b: [Character]) -> Int {
    var before: [Int] = []
    var row = Array(0...b.count)
    for i in a.indices {
      var next = [i + 1]
      for j in b.indices {
        var cost = Swift.min(row[j] + (a[i] == b[j] ? 0 : 1), row[j + 1] + 1, next[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = Swift.min(cost, before[j - 1] + 1) }
        next.append(cost)
      }
      before = row
      row = next
    }
    return row[b.count]
  }
}
