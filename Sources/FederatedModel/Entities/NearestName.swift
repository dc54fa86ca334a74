/// Finds the name that somebody who mistyped may have meant.
package enum NearestName {
  /// The candidate with the fewest edits, if a third of the name's length is enough to reach it.
  package static func nearest(to name: String, among candidates: some Sequence<String>) -> String? {
    let limit = max(1, name.count / 3)
    var best: (name: String, distance: Int)?
    for candidate in candidates where candidate != name {
      let distance = self.distance(Array(name.lowercased()), Array(candidate.lowercased()))
      if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
  }

  /// ` Did you mean "x"?`, or nothing.
  package static func hint(for name: String, among candidates: some Sequence<String>) -> String {
    self.nearest(to: name, among: candidates).map { " Did you mean \"\($0)\"?" } ?? ""
  }

  /// Insertions, deletions, replacements and swaps of neighbours that turn one text into the other.
  private static func distance(_ a: [Character], _ b: [Character]) -> Int {
    var beforePrevious: [Int] = []
    var previous = Array(0...b.count)
    for i in a.indices {
      var current = [i + 1]
      for j in b.indices {
        var best = min(previous[j + 1] + 1, current[j] + 1, previous[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, beforePrevious[j - 1] + 1) }
        current.append(best)
      }
      beforePrevious = previous
      previous = current
    }
    return previous[b.count]
  }
}
