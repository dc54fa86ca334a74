/// A `LIKE` pattern, read once.
public struct GlobPattern: Sendable {
  private enum Piece: Equatable {
    case any, one
    case scalar(Unicode.Scalar)
  }

  private let pieces: [Piece]
  private let options: FetchPredicate.Options

  public init(_ pattern: String, _ options: FetchPredicate.Options = []) {
    self.options = options
    var pieces: [Piece] = []
    var isEscaped = false
    // Folding leaves * ? and \ as they are, so it may come first.
    for scalar in StringMatching.fold(pattern, options).unicodeScalars {
      if isEscaped {
        pieces.append(.scalar(scalar))
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else if scalar == "*" {
        if pieces.last != .any { pieces.append(.any) }
      } else {
        pieces.append(scalar == "?" ? .one : .scalar(scalar))
      }
    }
    if isEscaped { pieces.append(.scalar("\\")) }
    self.pieces = pieces
  }

  /// Whether the whole text is like the pattern. Takes time in the product of the lengths at worst.
  public func matches(_ text: String) -> Bool {
    let scalars = StringMatching.fold(text, self.options).unicodeScalars
    var place = scalars.startIndex
    var piece = 0
    var retry: (piece: Int, place: String.UnicodeScalarView.Index)?
    while place < scalars.endIndex {
      if piece < self.pieces.count, self.pieces[piece] == .any {
        piece += 1
        retry = (piece, place)
      } else if piece < self.pieces.count,
        self.pieces[piece] == .one || self.pieces[piece] == .scalar(scalars[place])
      {
        piece += 1
        place = scalars.index(after: place)
      } else if let (retryPiece, retryPlace) = retry {
        // The last * takes one scalar more.
        place = scalars.index(after: retryPlace)
        piece = retryPiece
        retry = (retryPiece, place)
      } else {
        return false
      }
    }
    while piece < self.pieces.count, self.pieces[piece] == .any { piece += 1 }
    return piece == self.pieces.count
  }
}
