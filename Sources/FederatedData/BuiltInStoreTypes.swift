import FederatedSQLiteStore
public import FederatedStore
import FederatedXMLStore
public import Foundation

/// The store types that come with the library, by the names that federation files and the command line use.
public enum BuiltInStoreTypes {
  public static let names = ["xml", "sqlite"]

  /// The types themselves, in the same order.
  public static let all: [StoreType] = [.xml, .sqlite]

  /// The type of that name; nil for an unknown one.
  public static func type(named name: String) -> StoreType? {
    switch name {
    case "xml": .xml
    case "sqlite": .sqlite
    default: nil
    }
  }

  /// The type that a file's content shows, whatever the file is called.
  /// - Throws: a ``StoreError`` when there is no file, or when it is no store of these types.
  public static func type(ofFileAt url: URL) throws -> StoreType {
    guard FileManager.default.fileExists(atPath: url.path(percentEncoded: false)) else {
      throw StoreError(
        .missingFile, store: url,
        "there is no such file to tell the type from; check the path, or name the type")
    }
    let found = try FileInspection(of: url)
    switch found.kind {
    case .coreDataSQLite: return .sqlite
    case .coreDataXML: return .xml
    case .xcodeModel, .compiledModel, .otherSQLite, .otherXML, .other:
      throw StoreError(
        .unknownType, store: url,
        "the content is that of no store (\(found.kind.rawValue)\(found.note.map { ": " + $0 } ?? "")); "
          + "name a Core Data SQLite or XML store")
    }
  }

  /// The type of that name, `auto` looking into the file.
  package static func type(named name: String, forFileAt url: URL) throws -> StoreType {
    if let type = self.type(named: name) { return type }
    return try self.type(ofFileAt: url)
  }
}
