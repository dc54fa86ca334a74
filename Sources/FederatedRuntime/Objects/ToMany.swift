import FederatedModel

/// The destinations of a to-many relationship: a live collection whose edits keep the inverse.
///
/// ```swift
/// invoice.lines.insert(line)
/// invoice.lines = [first, second]
/// for line in invoice.lines { … }
/// ```
///
/// In an ordered relationship the order is the collection's; in others it means nothing. Reading asks the store
/// once, adding and removing do not. What a read runs into is thrown by the context's next fetch or save.
public struct ToMany<Destination: TypedObject>: RandomAccessCollection, ExpressibleByArrayLiteral {
  /// Members that belong to no owner yet.
  private var loose: [Destination] = []
  private let owner: ManagedObject?
  private let name: String

  init(of owner: ManagedObject, _ key: ToManyKey<Destination>) {
    self.owner = owner
    self.name = key.propertyName
  }

  /// Members to assign to a relationship.
  public init(_ members: some Sequence<Destination>) {
    self.loose = Array(members)
    self.owner = nil
    self.name = ""
  }

  public init(arrayLiteral members: Destination...) { self.init(members) }

  private func attempt(_ body: (ManagedObject) throws -> Void) {
    guard let owner = self.owner else { return }
    do { try body(owner) } catch { owner.context?.keep(error) }
  }

  private var members: [ManagedObject] {
    guard let owner = self.owner else { return self.loose }
    var members: [ManagedObject] = []
    self.attempt { _ in members = try owner.objects(self.name) }
    return members
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { self.members.count }
  public subscript(position: Int) -> Destination { typed(self.members[position]) }
  public func makeIterator() -> IndexingIterator<[Destination]> {
    self.members.map { typed($0) as Destination }.makeIterator()
  }

  /// Adds a member, at the end of an ordered relationship. One that is there already stays where it is.
  public mutating func insert(_ member: Destination) {
    if self.owner == nil { self.loose.append(member) }
    self.attempt { try $0.add(member, to: self.name) }
  }

  /// Adds or moves a member to a place of an ordered relationship.
  public mutating func insert(_ member: Destination, at place: Int) {
    if self.owner == nil { self.loose.insert(member, at: place) }
    self.attempt { try $0.insert(member, into: self.name, at: place) }
  }

  /// Adds an object at the end; the other side of the relationship follows.
  public mutating func append(_ member: Destination) { self.insert(member) }

  /// Takes an object out; the other side of the relationship follows.
  public mutating func remove(_ member: Destination) {
    self.loose.removeAll { $0 === member }
    self.attempt { try $0.remove(member, from: self.name) }
  }

  /// Takes every object out.
  public mutating func removeAll() {
    self.loose = []
    self.attempt { try $0.set(self.name, to: [ManagedObject]()) }
  }

  /// Makes an owner's relationship hold these members. Assigning a relationship to itself does nothing.
  func become(of owner: ManagedObject, _ key: ToManyKey<Destination>) {
    if self.owner === owner, self.name == key.propertyName { return }
    do { try owner.set(key.propertyName, to: self.members) } catch { owner.context?.keep(error) }
  }
}

/// An object as the class that its entity has.
/// - Precondition: the context was made with classes that fit the model.
func typed<Object: ManagedObject>(_ object: ManagedObject) -> Object {
  if type(of: object) == Object.self { return unsafeDowncast(object, to: Object.self) }
  guard let typed = object as? Object else {
    preconditionFailure(
      "an object of entity \(object.entity.name) has class \(type(of: object)), not \(Object.self): "
        + "hand \(Object.self) to the context's ObjectClasses")
  }
  return typed
}

extension ManagedObject {
  final func destination<Destination>(_ key: ToOneKey<Destination>) -> Destination? {
    do { return try self.object(key.propertyName).map { typed($0) } } catch {
      self.context?.keep(error)
      return nil
    }
  }

  final func setDestination<Destination>(_ destination: Destination?, _ key: ToOneKey<Destination>) {
    do { try self.set(key.propertyName, to: destination) } catch { self.context?.keep(error) }
  }

  /// A typed to-one, for accessors written out.
  public final subscript<Destination>(key: ToOneKey<Destination>) -> Destination? {
    get { self.destination(key) }
    set { self.setDestination(newValue, key) }
  }

  /// A typed to-many, for accessors written out.
  public final subscript<Destination>(key: ToManyKey<Destination>) -> ToMany<Destination> {
    get { ToMany(of: self, key) }
    set { newValue.become(of: self, key) }
  }
}
