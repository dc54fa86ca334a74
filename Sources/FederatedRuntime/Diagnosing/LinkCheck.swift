public import FederatedStore

/// Whether links hold: for every fetched property how many there are, and which keys lead nowhere, lead to too many,
/// are nil, or would lead somewhere if they were written as the other side writes them.
///
/// ```swift
/// let check = try context.checkLinks()
/// if !check.isClean { print(check) }
/// ```
public struct LinkCheck: Sendable, Hashable, Codable {
  /// One for each fetched property, in the order of the model.
  public internal(set) var properties: [Property] = []
  /// One for each to-one relationship that leads to rows that do not exist, in the order of the model.
  public internal(set) var relationships: [Property] = []
  /// What the stores noticed about their files.
  public internal(set) var diagnostics: [StoreDiagnostic] = []

  /// Whether nothing was found.
  public var isClean: Bool { self.findingCount == 0 }

  /// How many findings there are, diagnostics of stores among them.
  public var findingCount: Int {
    (self.properties + self.relationships).reduce(self.diagnostics.count) { $0 + $1.findings.count }
  }

  /// What was found of one property.
  public struct Property: Sendable, Hashable, Codable {
    public let entity: String
    public let property: String
    /// The entity that it leads to.
    public let destination: String
    /// Objects that have the property.
    public internal(set) var sources = 0
    /// Rows of the destination, in the stores that the property asks.
    public internal(set) var destinations = 0
    /// Distinct keys of the sources.
    public internal(set) var keys = 0
    /// Objects that the property finds, summed over its sources; nil for a property without a key, whose sources are
    /// not read.
    public internal(set) var links: Int?
    /// Rows of the destination that have the key of no source.
    public internal(set) var unlinkedDestinations = 0
    /// What is to be known about a property that cannot be checked by its keys.
    public internal(set) var note: String?
    public internal(set) var findings: [Finding] = []

    init(entity: String, property: String, destination: String) {
      self.entity = entity
      self.property = property
      self.destination = destination
    }
  }

  /// Something that is hardly meant.
  public struct Finding: Sendable, Hashable, Codable {
    public let kind: Kind
    /// How many keys, objects or rows it concerns.
    public let count: Int
    /// What it is, in words.
    public let detail: String
    /// How near misses differ; empty for other kinds.
    public internal(set) var differences: [KeyDifference] = []
    /// The first of them.
    public internal(set) var examples: [Example] = []

    /// A stable name for each kind of finding.
    public enum Kind: String, Sendable, Hashable, CaseIterable, Codable {
      /// Keys of sources that no row of the destination has.
      case danglingKeys
      /// Sources whose key is nil, which equals nil.
      case nilKeys
      /// Keys that several rows of the destination have where one was expected: the property has a limit of 1 and no
      /// order, or the model declares the key unique.
      case duplicates
      /// Keys that dangle, and that rows of the destination nearly have.
      case nearMisses
      /// No attached store holds the destination.
      case noStore
      /// The question cannot be asked; reading the property throws.
      case cannotBeAsked
      /// Links of a relationship to rows that do not exist.
      case danglingReferences
    }

    init(_ kind: Kind, _ count: Int, _ detail: String, examples: [Example] = []) {
      self.kind = kind
      self.count = count
      self.detail = detail
      self.examples = examples
    }
  }

  /// One of many.
  public struct Example: Sendable, Hashable, Codable {
    /// The key, as a predicate writes it, or what stands for it.
    public let key: String
    /// URIs: the source of a key that dangles, the rows that share one.
    public let rows: [String]
    /// The key that is nearly the same; nil for other findings.
    public internal(set) var found: String?

    init(key: String, rows: [String], found: String? = nil) {
      self.key = key
      self.rows = rows
      self.found = found
    }
  }
}
