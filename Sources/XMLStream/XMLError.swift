/// What is wrong in an XML document, and where.
package struct XMLError: Error, Sendable, Hashable, CustomStringConvertible {
  package let code: Code
  /// Both count from 1; 0 when there is no position, as for a file that cannot be read.
  package let position: XMLPosition
  package let message: String

  package enum Code: String, Sendable, Hashable {
    /// Not well-formed, or bytes that are not what the document's encoding says.
    case malformed
    /// Well-formed and refused: declarations in a DOCTYPE, unknown entities, too deep, too large.
    case refused
    /// Well-formed, and not what its reader understands.
    case content
    /// A character that XML cannot hold.
    case character
    /// The file cannot be read.
    case inputOutput
  }

  package init(_ code: Code, at position: XMLPosition = .none, _ message: String) {
    self.code = code
    self.position = position
    self.message = message
  }

  package var description: String {
    self.position == .none ? self.message : "\(self.position): \(self.message)"
  }
}

/// A line and a column, both from 1.
package struct XMLPosition: Sendable, Hashable, CustomStringConvertible {
  package let line: Int
  package let column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  package static let none = XMLPosition(line: 0, column: 0)

  package var description: String { "\(self.line):\(self.column)" }
}

/// How much a document may hold. What goes beyond is refused.
package struct XMLLimits: Sendable, Hashable {
  /// Elements inside one another, the root included.
  package var depth = 256
  /// Bytes of the whole document.
  package var documentBytes = Int.max
  /// Bytes of one text: what stands between two tags, as UTF-8.
  package var textBytes = Int.max
  /// Attributes of one element.
  package var attributes = 4096

  package init() {}
  package static let standard = XMLLimits()
}
