extension RowBlock {
  /// The same rows under other references, counted up from `first`. Text is shared.
  /// - Precondition: to-one columns, if any, mean rows whose references stay.
  package func renumbered(from first: Int64, version: Int64) -> RowBlock {
    var words = self.words
    words.withUnsafeMutableBufferPointer { words in
      for row in 0..<self.count {
        let start = row * self.layout.stride
        words[start] = UInt64(bitPattern: first + Int64(row))
        words[start + 1] = UInt64(bitPattern: version)
      }
    }
    return RowBlock(layout: self.layout, count: self.count, words: words, arena: self.arena)
  }
}
