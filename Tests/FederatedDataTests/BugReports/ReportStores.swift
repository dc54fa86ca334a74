import FederatedData
import Foundation
import TestSupport

/// The kinds of store that a bug report is tested over.
enum ReportStore: String, CaseIterable, Sendable {
  case memory, xml, sqlite

  private var type: StoreType {
    switch self {
    case .memory: .inMemory
    case .xml: .xml
    case .sqlite: .sqlite
    }
  }

  /// A container over one store of this kind.
  func container(_ model: ManagedObjectModel, in folder: TemporaryFolder) throws -> PersistentContainer {
    try PersistentContainer(model: model, stores: [self.description("store", in: folder)])
  }

  func description(
    _ name: String, configuration: String? = nil, in folder: TemporaryFolder
  ) -> PersistentStoreDescription {
    let url = self == .memory ? nil : folder.file("\(name).\(self.rawValue)")
    return PersistentStoreDescription(self.type, at: url, name: name, configuration: configuration)
  }
}

extension ManagedObjectContext {
  /// The texts of one key of what a condition chooses, in the order asked for.
  func texts(
    _ key: String, of entity: String, where format: String? = nil, _ arguments: any PredicateArgument...,
    order: [FetchSortDescriptor] = []
  ) throws -> [String] {
    var request = FetchRequest(entity, order: order)
    request.predicate = try format.map { try FetchPredicate(format: $0, arguments: arguments) }
    return try self.fetch(request).map { object in
      if case .string(let text) = try object.value(key) { text } else { "nil" }
    }
  }
}
