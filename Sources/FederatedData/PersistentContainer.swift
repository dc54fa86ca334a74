public import FederatedModel
public import FederatedRuntime
public import FederatedStore
public import Foundation

/// A model and its open stores, ready to make contexts.
///
/// ```swift
/// let container = try PersistentContainer(
///   model: model,
///   stores: [
///     PersistentStoreDescription(.xml, at: customers, configuration: "CRM"),
///     PersistentStoreDescription(.sqlite, at: ledger, configuration: "Ledger"),
///   ])
/// let context = container.makeContext()
/// ```
/// A container is Sendable and made once; contexts are made for each task and stay in it.
public final class PersistentContainer: Sendable {
  /// The stores, open.
  public let coordinator: PersistentStoreCoordinator
  private let classes: ObjectClasses

  /// The model that all stores share.
  public var model: ManagedObjectModel { self.coordinator.model }

  /// What to do about a fetched property whose destination no store holds: it would answer empty arrays for
  /// ever.
  public enum MissingDestinations: Sendable {
    /// Opening throws ``PersistentContainerError``.
    case refuse
    /// Opening goes on; the property answers an empty array.
    case allow
  }

  /// Opens the stores, in order; empty ones are made where there is no file.
  /// - Parameters:
  ///   - model: what the stores hold.
  ///   - stores: which stores to open; each holds the entities of its configuration.
  ///   - classes: typed classes of entities; other entities get plain objects.
  ///   - missingDestinations: whether a fetched property may lead to an entity without a store.
  /// - Throws: ``PersistentContainerError``, a ``CoordinatorError`` or a ``StoreError``; no store stays open.
  public init(
    model: ManagedObjectModel, stores: [PersistentStoreDescription], classes: [any TypedObject.Type] = [],
    missingDestinations: MissingDestinations = .refuse
  ) throws {
    if missingDestinations == .refuse { try Self.checkDestinations(model, stores) }
    self.classes = try ObjectClasses(classes, checkedAgainst: model)
    self.coordinator = PersistentStoreCoordinator(model: model)
    try self.coordinator.add(stores)
  }

  /// Opens Core Data SQLite stores by the copies of their models that they keep, and other stores of the same entities.
  ///
  /// ```swift
  /// let container = try PersistentContainer(
  ///   stores: [PersistentStoreDescription(.sqlite, at: library, readOnly: true)])
  /// ```
  /// Several models are made one; each store holds the entities that it was saved with.
  /// - Parameters:
  ///   - stores: which stores to open; one without a configuration holds what its metadata name.
  ///   - codecs: by the name of the value transformer that a model gives.
  ///   - classes: typed classes of entities; other entities get plain objects.
  ///   - missingDestinations: whether a fetched property may lead to an entity without a store.
  /// - Throws: ``ModelFileError`` with `noModelCache` when a store keeps no copy of its model; a ``ModelError`` when
  ///   two copies describe an entity differently; and what ``init(model:stores:classes:missingDestinations:)`` throws.
  public convenience init(
    stores: [PersistentStoreDescription], codecs: [TransformableCodec] = [],
    classes: [any TypedObject.Type] = [], missingDestinations: MissingDestinations = .refuse
  ) throws {
    let cached = try CachedModels(stores, codecs: codecs)
    try self.init(
      model: cached.model, stores: cached.stores, classes: classes, missingDestinations: missingDestinations)
  }

  /// Opens what a federation file names.
  /// - Parameters:
  ///   - file: the JSON file; see ``FederationFile``.
  ///   - classes: typed classes of entities; other entities get plain objects.
  ///   - readOnly: opens every store for reading only, whatever the file says.
  ///   - missingDestinations: whether a fetched property may lead to an entity without a store.
  /// - Throws: ``FederationFileError``, a ``ModelFileError``, and what ``init(model:stores:classes:missingDestinations:)``
  ///   throws.
  public convenience init(
    federation file: URL, classes: [any TypedObject.Type] = [], readOnly: Bool = false,
    missingDestinations: MissingDestinations = .refuse
  ) throws {
    let federation = try FederationFile(at: file)
    let model = try federation.loadModel()
    do {
      try self.init(
        model: model, stores: federation.storeDescriptions(for: model, readOnly: readOnly), classes: classes,
        missingDestinations: missingDestinations)
    } catch let error as StoreError {
      throw federation.placed(error)
    }
  }

  /// A new context, confined to the caller.
  public func makeContext() -> ManagedObjectContext {
    ManagedObjectContext(coordinator: self.coordinator, classes: self.classes)
  }

  /// Runs work off the caller's actor with a context of its own. What is to outlive it must be Sendable:
  /// identifiers, values, snapshots.
  ///
  /// ```swift
  /// let names = try await container.withContext { context in
  ///   try context.fetch(FetchRequest("Customer")).map { try $0.value("name") }
  /// }
  /// ```
  @concurrent
  public func withContext<Result: Sendable>(
    _ body: @Sendable (ManagedObjectContext) async throws -> Result
  ) async throws -> Result {
    try await body(self.makeContext())
  }

  /// Whether an attached store holds the entity or one of its subentities.
  public func holds(_ entity: Entity) -> Bool {
    Self.entities(of: self.coordinator.stores.map(\.description), in: self.model).contains {
      entity.family.contains($0)
    }
  }
}

extension PersistentContainer {
  private static func checkDestinations(
    _ model: ManagedObjectModel, _ stores: [PersistentStoreDescription]
  ) throws(PersistentContainerError) {
    let held = self.entities(of: stores, in: model)
    var missing: [PersistentContainerError.MissingDestination] = []
    for entity in model.entities where entity.family.contains(where: held.contains) {
      for property in entity.fetchedProperties where property.declaringEntity == entity.id {
        guard let destination = property.destination.map({ model[$0] }),
          !destination.family.contains(where: held.contains)
        else { continue }
        missing.append(.init(entity: entity.name, property: property.name, destination: destination.name))
      }
    }
    if !missing.isEmpty { throw PersistentContainerError(missingDestinations: missing) }
  }

  private static func entities(
    of stores: [PersistentStoreDescription], in model: ManagedObjectModel
  ) -> Set<EntityID> {
    Set(stores.flatMap { model.entities(forConfiguration: $0.configuration) ?? [] }.map(\.id))
  }
}

/// Fetched properties that could never answer anything: their destinations have no store.
public struct PersistentContainerError: Error, Sendable, CustomStringConvertible {
  /// One for each such property.
  public let missingDestinations: [MissingDestination]

  /// A fetched property, the entity that declares it, and the entity that no store holds.
  public struct MissingDestination: Sendable, Hashable {
    public let entity: String
    public let property: String
    public let destination: String
  }

  public var description: String {
    let list = self.missingDestinations.map {
      "\($0.entity).\($0.property): no store holds its destination \($0.destination)"
    }
    return list.joined(separator: "\n")
      + "\nAdd a store that does, or open the container with missingDestinations: .allow."
  }
}
