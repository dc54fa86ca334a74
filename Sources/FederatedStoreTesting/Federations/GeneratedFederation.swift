import FederatedModel
import FederatedRuntime
public import FederatedStore
import Foundation

/// How generated rows are dealt out to stores, and how much of them is saved.
public struct FederationPlan: Sendable, CustomStringConvertible {
  /// The first store holds the first half; the last store the second one.
  let stores: [StoreType]
  /// Whether part of the rows is unsaved work of the context that is asked.
  let isPending: Bool

  /// All rows in one store, or a half in each of two.
  public init(_ stores: StoreType...) {
    precondition((1...2).contains(stores.count), "rows have two halves")
    self.stores = stores
    self.isPending = false
  }

  private init(pending store: StoreType) {
    self.stores = [store]
    self.isPending = true
  }

  /// All rows in one store, some of them with other values, some not at all, and some others besides: what is asked is
  /// a context whose unsaved changes make them what they should be.
  public static func pending(over store: StoreType) -> FederationPlan { FederationPlan(pending: store) }

  public var description: String {
    self.stores.map(\.name).joined(separator: " and ") + (self.isPending ? " with unsaved changes" : "")
  }
}

/// Open stores that hold generated rows, and a context over them.
final class GeneratedFederation {
  let plan: FederationPlan
  let context: ManagedObjectContext
  /// The identifiers of rows, under the names that questions have for them.
  let identifiers: [String: Value]
  private let numbers: [ManagedObjectID: Int]
  private let ranks: [Int: Int]
  private let folder: GenerationFolder

  init(_ plan: FederationPlan, _ rows: GeneratedRows, _ model: ManagedObjectModel, seed: UInt64) throws {
    self.plan = plan
    let folder = try GenerationFolder()
    self.folder = folder
    func open() throws -> PersistentStoreCoordinator {
      let coordinator = PersistentStoreCoordinator(model: model)
      for (place, type) in plan.stores.enumerated() {
        try coordinator.add(
          PersistentStoreDescription(type, at: folder.file(place, type), name: "\(place)"))
      }
      return coordinator
    }
    let first = try open()
    let writing = ManagedObjectContext(coordinator: first)
    let editor = FederationEditor(rows, in: writing, plan, seed: seed)
    try editor.save()
    guard plan.stores.allSatisfy({ $0.name != StoreType.inMemory.name }) else {
      self.context = plan.isPending ? writing : ManagedObjectContext(coordinator: first)
      (self.identifiers, self.numbers, self.ranks) = Self.names(try editor.finished(in: self.context) { $0 })
      return
    }
    let uris = Dictionary(uniqueKeysWithValues: editor.savedIdentifiers.map { ($0, writing.uri(for: $0)) })
    for store in first.stores { try first.remove(store) }
    let second = try open()
    self.context = ManagedObjectContext(coordinator: second)
    (self.identifiers, self.numbers, self.ranks) = Self.names(
      try editor.finished(in: self.context) { id in
        try unwrap(uris[id].flatMap { second.objectID(for: $0) }, "the URI of a saved row")
      })
  }

  /// Rows that no sort key tells apart come store by store and in the order of their references, unsaved ones last.
  private static func names(
    _ found: [Int: ManagedObjectID]
  ) -> (identifiers: [String: Value], numbers: [ManagedObjectID: Int], ranks: [Int: Int]) {
    let sorted = found.sorted { a, b in
      let (a, b) = (a.value, b.value)
      return (a.isTemporary ? 1 : 0, Int64(a.store.rawValue), a.reference)
        < (b.isTemporary ? 1 : 0, Int64(b.store.rawValue), b.reference)
    }
    return (
      Dictionary(uniqueKeysWithValues: found.map { ("row\($0)", .object($1)) }),
      Dictionary(uniqueKeysWithValues: found.map { ($1, $0) }),
      Dictionary(uniqueKeysWithValues: sorted.enumerated().map { ($1.key, $0) })
    )
  }

  func rank(_ number: Int) -> Int { self.ranks[number] ?? -1 }

  func outcome(of question: GeneratedQuestion) throws -> QuestionOutcome {
    let request = question.request(self.identifiers)
    do {
      switch question.shape {
      case .objects: return .rows(try self.context.fetch(request).map { self.number($0.objectID) ?? -1 })
      case .identifiers:
        return .rows(try self.context.identifiers(for: request).map { self.number($0) ?? -1 })
      case .count: return .count(try self.context.count(for: request))
      case .columns, .groups:
        return .lines(
          try self.context.dictionaries(for: request).map { QuestionOutcome.line($0, self.number) })
      }
    } catch let error as FetchPredicateError {
      return .refused(error.code.rawValue)
    } catch let error as ManagedObjectError {
      return .refused(error.code.rawValue)
    }
  }

  private func number(_ id: ManagedObjectID) -> Int? { self.numbers[id] }
}

/// A folder that goes when the value does.
final class GenerationFolder {
  private let url: URL

  init() throws {
    self.url = FileManager.default.temporaryDirectory
      .appending(path: "FederatedStoreTesting-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: self.url, withIntermediateDirectories: true)
  }

  deinit {
    do { try FileManager.default.removeItem(at: self.url) } catch {
      FileHandle.standardError.write(Data("temporary folder stays: \(error)\n".utf8))
    }
  }

  /// Nil for a type that keeps nothing in a file.
  func file(_ place: Int, _ type: StoreType) -> URL? {
    type.name == StoreType.inMemory.name ? nil : self.url.appending(path: "\(place).data")
  }
}
