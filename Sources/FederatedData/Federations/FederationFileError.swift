public import Foundation

/// What is wrong in a federation file, where, and what to do.
public struct FederationFileError: Error, Sendable, CustomStringConvertible {
  public let code: Code
  public let file: URL
  /// Nil when the file as a whole is meant.
  public let place: Place?
  public let detail: String

  public enum Code: String, Sendable, Hashable, CaseIterable {
    case unreadable, invalidJSON, unknownKey, missingKey, wrongKind
    case unknownStoreType, unrecognisedContent, unknownConfiguration, duplicateStoreName
  }

  /// Line and column, both from 1, and the JSON path where there is one: `$.stores[0].type`.
  public struct Place: Sendable, Hashable {
    public let line: Int
    public let column: Int
    public let path: String?
  }

  init(_ code: Code, file: URL, place: Place? = nil, _ detail: String) {
    self.code = code
    self.file = file
    self.place = place
    self.detail = detail
  }

  /// `FILE:LINE:COLUMN: JSON PATH: what, and what to do`.
  public var description: String {
    let file = self.file.path(percentEncoded: false)
    guard let place = self.place else { return "\(file): \(self.detail)" }
    let path = place.path.map { $0 == "$" ? "" : "\($0.dropFirst(2)): " } ?? ""
    return "\(file):\(place.line):\(place.column): \(path)\(self.detail)"
  }
}
