public import FederatedModel
public import Foundation

/// Which store to open, and how.
public struct PersistentStoreDescription: Sendable {
  public var type: StoreType
  /// Nil for a store without a file.
  public var url: URL?
  /// A short name for messages, requests (`affectedStores`) and federation files. Unique in a coordinator.
  public var name: String
  /// The configuration that the store holds; nil is every entity.
  public var configuration: String?
  public var isReadOnly: Bool
  /// Opens a store whose version hashes differ from the model's.
  public var ignoresModelVersion = false
  /// The identifier that a store gets when it is made; nil makes one up. A store that exists keeps its own.
  public var newStoreIdentifier: UUID?
  /// How rows of a file made by others become entities. Nil means the tradition's own layout.
  public var mapping: (any StoreMapping)?
  /// How much the file may hold.
  public var limits = ReadingLimits.standard
  /// The encoding of an XML file's text, in place of what the file says of itself: `UTF-8`, `windows-1252`. For files that
  /// are mislabelled; nil believes the file.
  public var encoding: String?

  public init(
    _ type: StoreType, at url: URL?, name: String? = nil, configuration: String? = nil, readOnly: Bool = false
  ) {
    self.type = type
    self.url = url
    self.name = name ?? configuration ?? url?.deletingPathExtension().lastPathComponent ?? type.name
    self.configuration = configuration
    self.isReadOnly = readOnly
  }
}

/// A mapping of entities onto a file that somebody else made. Each store type defines its own.
public protocol StoreMapping: Sendable {}

/// A kind of store: a name, and how to recognise and open one. A plain value; there is no registry.
///
/// ```swift
/// extension StoreType {
///   public static let csv = StoreType("CSV") { description, model in
///     try WholeFileStore(CSVFormat(), description, model)
///   }
/// }
/// ```
public struct StoreType: Sendable, CustomStringConvertible {
  public let name: String
  /// Opens the store, making an empty one where there is no file or an empty file. A store that lacks its part of
  /// a save over several stores is given it first; where that cannot be, it throws `recoveryPending`.
  public let open:
    @Sendable (PersistentStoreDescription, ManagedObjectModel) throws(StoreError) -> any PersistentStore
  /// Opens a store without a look for journals.
  let openPlainly:
    @Sendable (PersistentStoreDescription, ManagedObjectModel) throws(StoreError) -> any PersistentStore
  /// Reads a store's metadata without opening it. Nil when the type cannot.
  public let readMetadata: (@Sendable (URL) throws(StoreError) -> StoreMetadata)?
  /// Removes a store's files, side files included.
  public let destroy: (@Sendable (URL) throws(StoreError) -> Void)?
  /// Replaces the metadata in a file. Nil when the type cannot.
  let writeMetadata: (@Sendable (StoreMetadata, URL) throws(StoreError) -> Void)?
  /// Makes the first file what the second one is. Nil when the type cannot.
  let replace: (@Sendable (URL, URL) throws(StoreError) -> Void)?

  public init(
    _ name: String,
    readMetadata: (@Sendable (URL) throws(StoreError) -> StoreMetadata)? = nil,
    destroy: (@Sendable (URL) throws(StoreError) -> Void)? = nil,
    writeMetadata: (@Sendable (StoreMetadata, URL) throws(StoreError) -> Void)? = nil,
    replace: (@Sendable (_ file: URL, _ source: URL) throws(StoreError) -> Void)? = nil,
    open:
      @escaping @Sendable (PersistentStoreDescription, ManagedObjectModel) throws(StoreError) ->
      any PersistentStore
  ) {
    self.name = name
    self.readMetadata = readMetadata
    self.writeMetadata = writeMetadata
    self.replace = replace
    if let destroy {
      self.destroy = { (url) throws(StoreError) in
        try StoreType.checkNothingIsPending(url)
        try destroy(url)
      }
    } else {
      self.destroy = nil
    }
    self.openPlainly = open
    self.open = { (description, model) throws(StoreError) in
      if let url = description.url, SideFiles(of: url).hasPointer, StoreType.hasContent(url) {
        // What a mapping makes of a file tells only the store that it opens.
        let reader = description.mapping == nil ? readMetadata : nil
        try JournalRecovery(description, at: url, model, reader, open).settle()
      }
      return try open(description, model)
    }
  }

  /// A file of no bytes becomes a new store, which has no part in the saves of another one.
  private static func hasContent(_ url: URL) -> Bool { (FileStamp(url)?.size ?? 0) > 0 }

  public var description: String { self.name }
}
