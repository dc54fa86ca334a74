public import FederatedStore
internal import Foundation

/// How a stack makes its stores: in memory, or as files of a folder of its own.
public struct StoreKind: Sendable, CustomStringConvertible {
  public let description: String
  let make: @Sendable (_ name: String, _ configuration: String?) throws -> PersistentStoreDescription

  public init(
    _ description: String,
    _ make:
      @escaping @Sendable (_ name: String, _ configuration: String?) throws -> PersistentStoreDescription
  ) {
    self.description = description
    self.make = make
  }

  public static let inMemory = StoreKind("memory") { name, configuration in
    PersistentStoreDescription(.inMemory, at: nil, name: name, configuration: configuration)
  }

  /// Stores in files named after them, each in a folder that goes with the process's last stack of this kind.
  public static func files(
    _ type: StoreType, fileExtension: String, in folder: TemporaryFolder
  ) -> StoreKind {
    StoreKind(type.name) { name, configuration in
      let file = folder.file("\(name)-\(UUID().uuidString).\(fileExtension)")
      return PersistentStoreDescription(type, at: file, name: name, configuration: configuration)
    }
  }

  /// A spy around a new store of this kind.
  func open(_ name: String, _ configuration: String?) throws -> PersistentStoreDescription {
    var description = try self.make(name, configuration)
    description.type = .spying(on: description.type)
    return description
  }
}

/// One case of the reference, as a body that any stack can run.
public struct StackCase<Stack>: Sendable, CustomStringConvertible {
  /// Begins with the case's number.
  public let description: String
  public let run: @Sendable (Stack) throws -> Void

  public init(_ description: String, _ run: @escaping @Sendable (Stack) throws -> Void) {
    self.description = description
    self.run = run
  }
}
