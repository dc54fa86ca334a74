public import Foundation

/// What is wrong in a federation file, where, and what to do.
public struct FederationFileError: Error, Sendable, CustomStringConvertible {
  /// The kind of fault; each has a heading in the documentation.
  public let code: Code
  /// The federation file.
  public let file: URL
  /// Nil when the file as a whole is meant.
  public let place: Place?
  /// What is wrong and what to do, without the place.
  public let detail: String

  /// A stable name for each kind of fault.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    case unreadable, tooLarge, invalidJSON, unknownKey, missingKey, wrongKind
    case unknownStoreType, unrecognisedContent, unknownConfiguration, duplicateStoreName
    case invalidMapping
  }

  /// Where in the file: a position where the text is no JSON, else a JSON path such as `$.stores[0].type`.
  public enum Place: Sendable, Hashable {
    /// Both from 1.
    case text(line: Int, column: Int)
    case path(String)
  }

  init(_ code: Code, file: URL, place: Place? = nil, _ detail: String) {
    self.code = code
    self.file = file
    self.place = place
    self.detail = detail
  }

  /// `FILE:LINE:COLUMN: what, and what to do`, or `FILE: JSON PATH: what, and what to do`.
  public var description: String {
    let file = self.file.path(percentEncoded: false)
    switch self.place {
    case nil, .path("$"): return "\(file): \(self.detail)"
    case .text(let line, let column): return "\(file):\(line):\(column): \(self.detail)"
    case .path(let path): return "\(file): \(path.dropFirst(2)): \(self.detail)"
    }
  }
}
