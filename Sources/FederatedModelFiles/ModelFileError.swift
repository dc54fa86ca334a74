public import FederatedModel
public import Foundation

/// Why a model file cannot be read or written, and where.
public struct ModelFileError: Error, Sendable, CustomStringConvertible {
  public let code: Code
  public let file: URL
  /// Line and column of the element in question, from 1; 0 when the place is the file as a whole.
  public let line: Int
  public let column: Int
  /// The number of the archive's object in question; nil for other files, and when the place is the file as a whole.
  public let object: Int?
  /// What is wrong and what to do, without the place.
  public let detail: String
  /// The rules that a readable file's model breaks; nil for other errors.
  public let modelError: ModelError?

  /// Stable names; each has a heading in the documentation.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// There is no file at the place given, or it cannot be read.
    case unreadable
    /// The place holds something that is no model.
    case notAModel
    /// A model from before Xcode 4, kept as keyed archives.
    case oldFormat
    /// A compiled model, or the copy of a model in a store, that is no keyed archive or a damaged one.
    case malformedArchive
    /// A compiled model holds an object of a kind that is not read here.
    case unsupportedObject
    /// A store has no copy of its model inside.
    case noModelCache
    /// The copy of a model inside a store is not of the entities that the store holds.
    case foreignModelCache
    /// More bytes than the limits allow.
    case tooLarge
    /// Not well-formed XML, or XML that is refused for safety.
    case malformedXML
    /// An element lacks an attribute that it must have.
    case missingAttribute
    /// An attribute's text is none of those that it may have.
    case invalidValue
    /// The package names a version that it does not hold, or holds none.
    case unknownVersion
    /// The file is readable, and its model breaks rules.
    case invalidModel
    /// The model cannot be written.
    case unwritable
  }

  public init(
    _ code: Code, file: URL, line: Int = 0, column: Int = 0, object: Int? = nil, _ detail: String,
    modelError: ModelError? = nil
  ) {
    self.code = code
    self.file = file
    self.line = line
    self.column = column
    self.object = object
    self.detail = detail
    self.modelError = modelError
  }

  public var description: String {
    let path = self.file.path(percentEncoded: false)
    if self.line > 0 { return "\(path):\(self.line):\(self.column): \(self.detail)" }
    return "\(path): \(self.object.map { "object \($0): " } ?? "")\(self.detail)"
  }
}
