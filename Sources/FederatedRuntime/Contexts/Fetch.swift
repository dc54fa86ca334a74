public import FederatedModel

/// A request for objects of one class.
///
/// ```swift
/// let customers = try context.fetch(
///   Fetch(Customer.self).where { $0.number > 100 && $0.name == nil }.sorted(by: \.number.ascending).limit(5))
/// ```
public struct Fetch<Object: TypedObject>: Sendable {
  /// The same question without types.
  public private(set) var request: FetchRequest

  /// Asks for every object of the class's entity.
  public init(_ type: Object.Type) { self.request = FetchRequest(Object.entityName) }

  /// Adds a condition; several are joined by AND.
  public func `where`(_ condition: (Object.Keys) -> FetchPredicate) -> Fetch {
    self.where(condition(Object.keys))
  }

  /// Adds a condition over names.
  public func `where`(_ predicate: FetchPredicate) -> Fetch {
    self.asking { $0.predicate = $0.predicate.map { $0 && predicate } ?? predicate }
  }

  /// Adds sort keys, each for the ties of those before it.
  ///
  /// ```swift
  /// Fetch(Line.self).sorted(by: \.invoice.date.descending, \.text.caseInsensitive.ascending)
  /// ```
  public func sorted(by orders: KeyPath<Object.Keys, FetchSortDescriptor>...) -> Fetch {
    self.asking { $0.sortDescriptors += orders.map { Object.keys[keyPath: $0] } }
  }

  /// - Parameter count: the most objects wanted; 0 is no limit.
  public func limit(_ count: Int) -> Fetch { self.asking { $0.fetchLimit = count } }

  /// - Parameter count: how many results are left out at the front, after the order is made.
  public func offset(_ count: Int) -> Fetch { self.asking { $0.fetchOffset = count } }

  /// The same question with a change to its request.
  func asking(_ change: (inout FetchRequest) -> Void) -> Fetch {
    var fetch = self
    change(&fetch.request)
    return fetch
  }
}

extension ManagedObjectContext {
  /// The objects that a typed request finds; see ``fetch(_:)-(FetchRequest)``.
  public func fetch<Object>(_ fetch: Fetch<Object>) throws -> [Object] {
    try self.fetch(fetch.request).map { typed($0) }
  }

  /// How many objects ``fetch(_:)-(Fetch<Object>)`` would answer, limit and offset included.
  public func count<Object>(for fetch: Fetch<Object>) throws -> Int { try self.count(for: fetch.request) }

  /// Makes a new object of a class.
  /// - Precondition: the class is among the context's ``classes``.
  @discardableResult public func insert<Object: TypedObject>(_ type: Object.Type) -> Object {
    if let known = self.lastTypedInsert, known.type == ObjectIdentifier(type), known.home.context === self {
      return typed(self.insert(into: known.home))
    }
    guard let entity = self.model.entity(named: Object.entityName), !entity.isAbstract else {
      preconditionFailure("\(Object.entityName) is no entity that has objects of its own")
    }
    let home = self.home(entity.id)
    self.lastTypedInsert = (ObjectIdentifier(type), home)
    return typed(self.insert(into: home))
  }
}

extension FetchedPropertyDescription {
  /// A fetched property as a typed request: both sides of a link must have one type, though they live in two
  /// stores.
  ///
  /// ```swift
  /// FetchedPropertyDescription(
  ///   "largeInvoices",
  ///   Fetch(Invoice.self).where { $0.customerNumber == Customer.source(\.number) && $0.total > 1000 })
  /// ```
  public init<Object>(_ name: String, _ fetch: Fetch<Object>, userInfo: [String: String] = [:]) {
    self.init(name, fetch.request, userInfo: userInfo)
  }
}
