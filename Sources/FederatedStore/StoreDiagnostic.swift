/// Something that a store noticed about its file which is no error, and may be why an answer is empty: a record path
/// that met no record, a namespace that it missed, values that were read as nil.
///
/// ```swift
/// for diagnostic in coordinator.stores.flatMap(\.diagnostics) { print(diagnostic) }
/// ```
public struct StoreDiagnostic: Sendable, Hashable, Codable, CustomStringConvertible {
  /// What was noticed.
  public enum Code: String, Sendable, Hashable, CaseIterable, Codable {
    /// No record of the entity was met, and elements of the same name stand in another namespace.
    case namespaceMissed
    /// No record of the entity was met.
    case noRecords
    /// Values did not fit their attribute, and were read as nil, as the mapping says.
    case unfitValues
    /// Links lead to rows that do not exist.
    case danglingLinks
  }

  public var code: Code
  /// The store, by name.
  public var store: String
  public var entity: String?
  public var property: String?
  /// Where: a path in the mapping, a table, a line of the file.
  public var place: String?
  /// How often it was met.
  public var count: Int
  /// What it is, and what to do about it.
  public var detail: String

  public init(
    _ code: Code, store: String, entity: String? = nil, property: String? = nil, place: String? = nil,
    count: Int = 1, _ detail: String
  ) {
    self.code = code
    self.store = store
    self.entity = entity
    self.property = property
    self.place = place
    self.count = count
    self.detail = detail
  }

  public var description: String {
    let property = [self.entity, self.property].compactMap(\.self).joined(separator: ".")
    let parts = [self.store, property, self.place ?? ""].filter { !$0.isEmpty }
    return "\(parts.joined(separator: ": ")): \(self.detail)"
  }
}
