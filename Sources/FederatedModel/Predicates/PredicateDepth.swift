/// How deep a predicate may be nested.
///
/// Parsing, binding, printing and answering walk a tree by recursion. The limit keeps the deepest of these
/// walks within a thread's stack of 512 KB; flat lists of terms, of any length, count as one level.
enum PredicateDepth {
  static let limit = 400
}
