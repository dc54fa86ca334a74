public import FederatedStore

/// Why a fetched property of one object answers what it does: what was asked, which rows have the object's key, which
/// have nearly the same, and what took rows away.
///
/// Printed, it is a text that begins with the reasons; encoded, it is the same as data.
///
/// ```swift
/// print(try customer.diagnose("recentInvoices"))
/// ```
public struct LinkDiagnosis: Sendable, Hashable, Codable {
  /// `Customer.recentInvoices`.
  public let property: String
  /// The URI of the object that was asked.
  public let owner: String
  /// The entity whose objects the property finds.
  public let destination: String
  /// The stored condition, its variables not replaced; nil when there is none.
  public internal(set) var condition: String?
  /// The condition with the object's values in it; nil when there is none, or when it cannot be asked.
  public internal(set) var question: String?
  /// The attributes of the destination that are tied to the object, with its values; empty when there is no key to look
  /// up.
  public internal(set) var keys: [Key] = []
  /// The other terms of the condition, or all of them when there is no key, in their order.
  public internal(set) var terms: [Term] = []
  /// The stores that hold the destination, whether the property asks them or not, in the order of attachment.
  public internal(set) var stores: [Share] = []
  /// The attached stores that do not hold it.
  public internal(set) var leftOut: [StoreLeftOut] = []
  /// Rows with the object's key, in the stores that are asked; all rows when there is no key to look up.
  public internal(set) var rowsWithKey = 0
  /// Rows that the whole condition holds for, before the window.
  public internal(set) var rowsMatching = 0
  public internal(set) var offset = 0
  /// Nil is no limit.
  public internal(set) var limit: Int?
  /// How many objects the property finds now.
  public internal(set) var results = 0
  /// How many objects are in the answer that is kept from an earlier read; nil when none is kept.
  public internal(set) var keptResults: Int?
  /// Rows whose key is not the object's, and looks like it.
  public internal(set) var nearMisses: [KeyNearMiss] = []
  /// What the stores noticed about the destination in their files.
  public internal(set) var diagnostics: [StoreDiagnostic] = []
  /// What the answer comes of, the most telling first. Never empty.
  public internal(set) var reasons: [Reason] = []

  /// An equality that ties the destination to the object.
  public struct Key: Sendable, Hashable, Codable {
    /// The attribute of the destination.
    public let attribute: String
    /// The path from the object: `number`, `author.alias`.
    public let path: String
    /// The object's value, as a predicate writes it: `"ann"`, `7`, `nil`.
    public let value: String
  }

  /// A term of the condition that rows with the key had to pass.
  public struct Term: Sendable, Hashable, Codable {
    public let condition: String
    /// Rows that pass this term, whatever the others say.
    public internal(set) var passing = 0
    /// Rows that are left after this term and those before it.
    public internal(set) var left = 0
  }

  /// What one store has of the destination.
  public struct Share: Sendable, Hashable, Codable {
    /// The store's name.
    public let name: String
    /// The name of its type.
    public let type: String
    /// Whether the property's question goes to it.
    public let isAsked: Bool
    /// Rows of the destination; unsaved ones are counted where they will be saved.
    public internal(set) var rows = 0
    /// Of these, rows with the object's key.
    public internal(set) var rowsWithKey = 0
    /// Of these, rows that the whole condition holds for.
    public internal(set) var rowsMatching = 0
  }

  /// What an answer comes of.
  public struct Reason: Sendable, Hashable, Codable {
    public let code: Code
    /// What it is, with names and numbers, and what to do about it.
    public let detail: String

    /// A stable name for each kind of reason.
    public enum Code: String, Sendable, Hashable, CaseIterable, Codable {
      /// No attached store holds the destination.
      case noStore
      /// The question cannot be asked, and reading the property throws.
      case cannotBeAsked
      /// The object is deleted, or its row is gone.
      case sourceDeleted
      /// The object was never saved.
      case sourceUnsaved
      /// The key that the object has now is not the saved one.
      case keyUnsaved
      /// A part of the key is nil, which equals nil: the object is linked with every row that has no key either.
      case nilKey
      /// The key is no number and equals nothing.
      case keyEqualsNothing
      /// There is no key to look up; all rows are judged.
      case noKey
      /// The stores have no row of the destination at all.
      case noRows
      /// No row has the key.
      case keyNotFound
      /// Rows nearly have the key.
      case nearMisses
      /// Rows have the key, and other terms leave none of them, or fewer.
      case otherTerms
      /// Limit and offset cut rows off.
      case window
      /// Stores that the property does not ask have rows that match.
      case otherStores
      /// The answer is kept from an earlier read, and another would be found now.
      case keptAnswer
      /// A store noticed something about its file.
      case storeDiagnostic
      /// Nothing stands in the way.
      case asAsked
    }
  }

  init(property: String, owner: String, destination: String) {
    self.property = property
    self.owner = owner
    self.destination = destination
  }
}

/// Rows whose key is not the one looked for, and differs from it in the same way.
public struct KeyNearMiss: Sendable, Hashable, Codable {
  /// The differences; for a key of several parts, those of all parts.
  public let differences: [KeyDifference]
  /// How many rows, or keys, differ so.
  public internal(set) var count = 0
  /// The first of them.
  public internal(set) var examples: [Example] = []

  /// One pair that nearly meets.
  public struct Example: Sendable, Hashable, Codable {
    /// The key that is looked for, as a predicate writes it.
    public let key: String
    /// The key that was found, as a predicate writes it, with every character told where it is no plain one.
    public let found: String
    /// The URI of the row that has it.
    public let row: String
  }
}
