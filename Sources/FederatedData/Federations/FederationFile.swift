import FederatedModel
import FederatedSQLiteStore
public import FederatedStore
import FederatedXMLStore
public import Foundation

/// A JSON file that names a model and the stores that hold its rows.
///
/// ```json
/// {
///   "model": "Shop.xcdatamodeld",
///   "stores": [
///     {"name": "crm", "type": "xml", "path": "customers.xml", "configuration": "CRM"},
///     {"name": "ledger", "type": "sqlite", "path": "ledger.sqlite", "configuration": "Ledger", "readOnly": true}
///   ]
/// }
/// ```
///
/// A store with a `mapping` is a file that another program made (<doc:ForeignFiles>); its `type` is named.
/// Paths are relative to the file. `type` is `xml`, `sqlite` or `auto` (the default: told from the file's
/// content). `name` names the store in messages and requests; without it the configuration or the file does.
/// `limits` of the file and of each store say how much may be read (``ReadingLimits``), and `encoding` what an XML file
/// that is mislabelled is in.
/// A key that the format does not know is an error: a misspelt `readonly` must not open a file for writing.
public struct FederationFile: Sendable {
  /// The file itself.
  public let url: URL
  /// The model, as an absolute URL.
  public let model: URL
  /// In the order of the file, which is the order of attachment.
  public let stores: [Store]
  /// How much the model file may hold, and each store that does not say otherwise.
  public let limits: ReadingLimits

  /// One entry of `stores`.
  public struct Store: Sendable {
    public var name: String?
    /// `xml`, `sqlite` or `auto`.
    public var type: String
    public var url: URL
    public var configuration: String?
    public var isReadOnly: Bool
    /// How entities lie in a file that another program made; nil for a store of the tradition's own layout.
    public var mapping: (any StoreMapping)?
    /// How much the store's file may hold: its own `limits` over those of the federation.
    public var limits: ReadingLimits
    /// The encoding of an XML file that is mislabelled.
    public var encoding: String?
    /// Where the entry and its parts stand in the file, for messages.
    let place: FederationFileError.Place
    let typePlace: FederationFileError.Place
    let configurationPlace: FederationFileError.Place
    let mappingPlace: FederationFileError.Place?
  }

  /// Reads and checks the file; neither model nor stores are opened.
  /// - Parameters:
  ///   - url: the federation file.
  ///   - limits: how much this file may hold; also the limits of what it names, where it does not set them.
  /// - Throws: ``FederationFileError`` with the position of a syntax error, or the JSON path of a wrong value.
  public init(at url: URL, limits: ReadingLimits = .standard) throws(FederationFileError) {
    let bytes: Data
    guard FileManager.default.fileExists(atPath: url.path(percentEncoded: false)) else {
      throw FederationFileError(.unreadable, file: url, "there is no such file; check the path")
    }
    do { bytes = try FederationFile.bytes(of: url, atMost: limits.descriptionBytes) } catch {
      throw FederationFileError(
        .unreadable, file: url, "cannot be read (\(error.localizedDescription)); check its permissions")
    }
    guard bytes.count <= limits.descriptionBytes else {
      throw FederationFileError(
        .tooLarge, file: url,
        "has more than the \(limits.descriptionBytes) bytes that the limits allow; make it shorter")
    }
    do {
      let root = FederationNode(try JSONNode.read(bytes), path: "$", file: url)
      self.url = url
      let members = try root.members(allowing: ["model", "stores", "limits"])
      let common = try limits.reading(members["limits"])
      self.limits = common
      self.model = try members.required("model").path(relativeTo: url)
      self.stores = try members.required("stores").elements().map { entry throws(FederationFileError) in
        try FederationFile.store(entry, in: url, common)
      }
      guard !self.stores.isEmpty else {
        throw try members.required("stores").error(.missingKey, "is empty; name at least one store")
      }
    } catch let error as JSONSyntaxError {
      throw FederationFileError(
        .invalidJSON, file: url, place: .text(line: error.line, column: error.column), error.detail)
    } catch let error as FederationFileError {
      throw error
    } catch {
      throw FederationFileError(.unreadable, file: url, "\(error)")
    }
    try self.checkNames()
  }

  /// One byte more than the limit tells that there are too many.
  private static func bytes(of url: URL, atMost limit: Int) throws -> Data {
    let file = try FileHandle(forReadingFrom: url)
    defer { file.closeFile() }
    return try file.read(upToCount: limit < .max ? limit + 1 : limit) ?? Data()
  }

  private static func store(
    _ entry: FederationNode, in file: URL, _ limits: ReadingLimits
  ) throws(FederationFileError) -> Store {
    let members = try entry.members(
      allowing: ["name", "type", "path", "configuration", "readOnly", "mapping", "limits", "encoding"])
    let type = members["type"]
    let configuration = members["configuration"]
    let typeName = try type?.string() ?? "auto"
    guard typeName == "auto" || BuiltInStoreTypes.names.contains(typeName) else {
      let names = BuiltInStoreTypes.names + ["auto"]
      throw (type ?? entry).error(
        .unknownStoreType,
        "'\(typeName)' is no store type\(NearestName.suggestion(for: typeName, among: names)); "
          + "use one of \(names.joined(separator: ", "))")
    }
    let mapping = try members["mapping"].map { (node) throws(FederationFileError) in
      try self.mapping(node, ofType: typeName, type ?? entry)
    }
    return Store(
      name: try members["name"]?.string(), type: typeName,
      url: try members.required("path").path(relativeTo: file), configuration: try configuration?.string(),
      isReadOnly: try members["readOnly"]?.boolean() ?? false, mapping: mapping,
      limits: try limits.reading(members["limits"]), encoding: try members["encoding"]?.string(),
      place: entry.place,
      typePlace: (type ?? entry).place, configurationPlace: (configuration ?? entry).place,
      mappingPlace: members["mapping"]?.place)
  }

  /// A mapping is read as its store's type has it, so the type cannot be left to the file's content.
  private static func mapping(
    _ node: FederationNode, ofType type: String, _ typeNode: FederationNode
  ) throws(FederationFileError) -> any StoreMapping {
    switch type {
    case "sqlite": return try SQLiteMapping(node)
    case "xml": return try XMLMapping(node)
    default:
      throw typeNode.error(
        .invalidMapping,
        "a store of type '\(type)' takes no mapping; name the type, \"sqlite\" or \"xml\"")
    }
  }

  private func checkNames() throws(FederationFileError) {
    var seen: Set<String> = []
    for store in self.stores {
      if let name = store.name, !seen.insert(name).inserted {
        throw FederationFileError(
          .duplicateStoreName, file: self.url, place: store.place,
          "the store name '\(name)' stands twice; store names are unique")
      }
    }
  }
}
