import FederatedData
import Foundation

/// What a fetch reads: a federation file, or a model and stores named one by one. Nothing is ever written.
enum FetchSource {
  case federation(URL)
  /// Without a model, the stores' own copies of theirs are taken.
  case stores(model: URL?, [StoreArgument])

  init(_ arguments: ParsedArguments) throws {
    let stores = try arguments.all("--store").map { try StoreArgument($0) }
    switch (arguments.value("--federation"), arguments.value("--model")) {
    case (let federation?, nil) where stores.isEmpty: self = .federation(URL(filePath: federation))
    case (.some, _):
      throw ToolError.usage("--federation", "names model and stores itself; leave out --model and --store")
    case (nil, let model?):
      guard !stores.isEmpty else { throw ToolError.usage("--store", "is missing; name at least one store") }
      self = .stores(model: URL(filePath: model), stores)
    case (nil, nil) where !stores.isEmpty: self = .stores(model: nil, stores)
    case (nil, nil):
      throw ToolError.usage(
        "--federation",
        "is missing; name a federation file, or --store, with --model where the store keeps no copy of its model"
      )
    }
  }

  /// Opens everything read-only.
  /// - Parameter missingDestinations: whether a federation file may leave out the destination of a fetched property.
  func open(
    missingDestinations: PersistentContainer.MissingDestinations = .refuse
  ) throws -> PersistentContainer {
    switch self {
    case .federation(let file):
      return try PersistentContainer(
        federation: file, readOnly: true, missingDestinations: missingDestinations)
    case .stores(let file, let stores):
      var descriptions: [PersistentStoreDescription] = []
      for store in stores {
        let type = try BuiltInStoreTypes.type(named: store.type, forFileAt: store.url)
        let name = self.name(of: store, among: descriptions)
        descriptions.append(
          PersistentStoreDescription(
            type, at: store.url, name: name, configuration: store.configuration, readOnly: true))
      }
      // Somebody who names stores one by one may well name some of them only.
      guard let file else {
        return try PersistentContainer(stores: descriptions, missingDestinations: .allow)
      }
      return try PersistentContainer(
        model: try ModelFile.load(at: file), stores: descriptions, missingDestinations: .allow)
    }
  }

  /// The configuration or file name, with a number when it is taken.
  private func name(of store: StoreArgument, among others: [PersistentStoreDescription]) -> String {
    let plain = store.configuration ?? store.url.deletingPathExtension().lastPathComponent
    var name = plain
    var number = 2
    while others.contains(where: { $0.name == name }) {
      name = "\(plain) \(number)"
      number += 1
    }
    return name
  }
}
