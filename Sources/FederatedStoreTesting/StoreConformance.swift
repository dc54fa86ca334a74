public import FederatedStore
internal import Foundation

/// What every store has to do, as a list of checks that any test library can run.
///
/// ```swift
/// @Test("the CSV store keeps the contract", arguments: StoreConformance.checks(.csv))
/// func conforms(check: StoreConformance.Check) throws { try check.run() }
/// ```
public enum StoreConformance {
  /// One thing that a store has to do.
  public struct Check: Sendable, CustomStringConvertible {
    public let name: String
    private let body: @Sendable (StoreUnderTest) throws -> Void
    private let type: StoreType
    private let isPersistent: Bool

    init(
      _ name: String, _ type: StoreType, isPersistent: Bool,
      _ body: @escaping @Sendable (StoreUnderTest) throws -> Void
    ) {
      self.name = name
      self.type = type
      self.isPersistent = isPersistent
      self.body = body
    }

    public var description: String { self.name }

    /// Runs the check on a new store in a folder of its own.
    /// - Throws: ``ConformanceFailure``, or what the store threw out of turn.
    public func run() throws {
      try self.body(try StoreUnderTest(self.type, isPersistent: self.isPersistent))
    }
  }

  /// All checks for a store type.
  /// - Parameter persistent: whether rows are there again when a store is opened a second time. Checks that
  ///   open a store again are left out for one that does not keep them.
  public static func checks(_ type: StoreType, persistent: Bool = true) -> [Check] {
    let kept = persistent ? MetadataChecks.persistent + SaveChecks.persistent + IdentityChecks.persistent : []
    let all =
      MetadataChecks.all + SaveChecks.all + FetchChecks.all + PredicateChecks.all + RelationshipChecks.all
      + ColumnChecks.all + TwoStepChecks.all + RelianceChecks.all + UniquenessChecks.all + IdentityChecks.all
      + kept
    return all.map { Check($0.name, type, isPersistent: persistent, $0.body) }
  }
}

/// A check before it is tied to a store type.
struct CheckBody: Sendable {
  let name: String
  let body: @Sendable (StoreUnderTest) throws -> Void

  init(_ name: String, _ body: @escaping @Sendable (StoreUnderTest) throws -> Void) {
    self.name = name
    self.body = body
  }
}
