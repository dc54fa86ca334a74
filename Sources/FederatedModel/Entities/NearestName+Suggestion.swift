extension NearestName {
  /// ` (did you mean NAME?)` for the middle of a sentence, or nothing when no name is near.
  package static func suggestion(for name: String, among candidates: some Sequence<String>) -> String {
    self.nearest(to: name, among: candidates).map { " (did you mean \($0)?)" } ?? ""
  }
}
