/// One thing that is wrong in a mapping, and where: what a check of a whole mapping gathers.
public struct MappingFault: Error, Sendable, Hashable, CustomStringConvertible {
  /// From the mapping down, as keys of its JSON: `entities.Album.attributes.title.path`. Empty for the mapping itself.
  public let path: String
  /// What is wrong and what to do.
  public let message: String

  package init(_ path: [String], _ message: String) {
    self.path = path.joined(separator: ".")
    self.message = message
  }

  public var description: String { self.path.isEmpty ? self.message : "\(self.path): \(self.message)" }
}

/// Why a store cannot be opened through its mapping: every fault of it, by place.
///
/// It stands below a ``StoreError`` with the code `cannotOpen`.
public struct MappingError: Error, Sendable, CustomStringConvertible {
  /// In the order in which they were found; never empty.
  public let faults: [MappingFault]

  package init(_ faults: [MappingFault]) { self.faults = faults }

  public var description: String { self.faults.map(\.description).joined(separator: "\n") }
}
