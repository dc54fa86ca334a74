public import FederatedModel
public import FederatedStore
public import Foundation

/// A store type, the shared model, and a folder that goes when the value does.
public final class StoreUnderTest {
  public let type: StoreType
  public let model: ManagedObjectModel
  /// The file of the store; nil for a store without one.
  public let url: URL?
  private let folder: URL

  /// - Parameter model: nil takes ``ConformanceModel``.
  public init(_ type: StoreType, isPersistent: Bool = true, model: ManagedObjectModel? = nil) throws {
    self.type = type
    self.model = try model ?? ConformanceModel.make()
    self.folder = FileManager.default.temporaryDirectory
      .appending(path: "FederatedStoreTesting-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
    self.url = isPersistent ? self.folder.appending(path: "store.data") : nil
  }

  deinit {
    do { try FileManager.default.removeItem(at: self.folder) } catch {
      FileHandle.standardError.write(Data("temporary folder stays: \(error)\n".utf8))
    }
  }

  /// Opens the store, or makes it.
  public func open(
    readOnly: Bool = false, model: ManagedObjectModel? = nil, ignoringVersion: Bool = false,
    configuration: String? = nil
  ) throws -> OpenStore {
    var description = PersistentStoreDescription(
      self.type, at: self.url, name: "store", configuration: configuration, readOnly: readOnly)
    description.ignoresModelVersion = ignoringVersion
    let model = model ?? self.model
    return OpenStore(try self.type.open(description, model), model)
  }

  /// The bytes of every file in the folder, by name.
  public func files() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: self.folder.path(percentEncoded: false)) {
      files[name] = try Data(contentsOf: self.folder.appending(path: name))
    }
    return files
  }
}
