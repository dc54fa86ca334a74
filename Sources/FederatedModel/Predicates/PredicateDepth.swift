/// How deep a predicate may be nested.
///
/// Binding, printing, comparing and answering walk a tree by recursion. The limit keeps the deepest of these
/// walks, in a debug build, within a thread's stack of 512 KB. A level of compounds weighs 1 and a level of
/// operands 2; flat lists of terms, of any length, are one level, and parentheses are none.
enum PredicateDepth {
  static let limit = 310
  static let predicate = 1
  static let operand = 2
}
