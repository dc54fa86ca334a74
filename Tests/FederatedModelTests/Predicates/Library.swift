import FederatedModel
import Foundation
import Testing

/// Authors, their books and notes about them, as rows in memory: the model and rows that the numbered cases
/// are written for.
struct Library {
  let model: ManagedObjectModel
  private var rows: [String: (reference: Int64, row: Snapshot)] = [:]
  let store = StoreID(1)

  static let shared = Library()

  static func makeModel() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription(
        "Author",
        properties: [
          AttributeDescription("name", .string), AttributeDescription("alias", .string, optional: true),
          AttributeDescription("code", .integer32, optional: true),
          AttributeDescription("score", .double, optional: true),
          AttributeDescription("uuid", .uuid, optional: true),
          AttributeDescription("photo", .binary, optional: true),
          AttributeDescription("site", .uri, optional: true),
          AttributeDescription("active", .boolean, optional: true),
          AttributeDescription("nick", .string, optional: true, transient: true),
          RelationshipDescription("books", to: "Book", .many, inverse: "author"),
          FetchedPropertyDescription("notes", of: "Note", where: "authorAlias == $FETCH_SOURCE.alias"),
        ]),
      EntityDescription(
        "Writer", parent: "Author", properties: [AttributeDescription("genre", .string, optional: true)]),
      EntityDescription(
        "Book",
        properties: [
          AttributeDescription("title", .string, optional: true),
          AttributeDescription("pages", .integer32, optional: true),
          AttributeDescription("price", .decimal, optional: true),
          RelationshipDescription("author", to: "Author", inverse: "books"),
        ]),
      EntityDescription(
        "Note",
        properties: [
          AttributeDescription("authorAlias", .string, optional: true),
          AttributeDescription("text", .string, optional: true),
          AttributeDescription("rating", .double, optional: true),
          AttributeDescription("at", .date, optional: true),
        ]),
    ])
  }

  private init() {
    do {
      self.model = try Library.makeModel()
    } catch {
      preconditionFailure("the library's model: \(error)")
    }
    self.addAuthors()
    self.addBooks()
    self.addNotes()
  }

  private mutating func add(_ name: String, _ entity: String, _ values: [String: Value]) {
    guard let entity = self.model.entity(named: entity) else { preconditionFailure("no entity \(entity)") }
    let reference = Int64(self.rows.count + 1)
    var builder = RowBlockBuilder(layout: entity.layout)
    builder.beginRow(reference: reference, version: 1)
    for (key, value) in values {
      guard let column = entity.layout.column(named: key) else { preconditionFailure("no column \(key)") }
      precondition(builder.set(value, at: column.slot, column.kind), "\(key): \(value)")
    }
    self.rows[name] = (reference, builder.finish()[0])
  }

  private mutating func addAuthors() {
    self.add(
      "a1", "Author",
      [
        "name": "Ann".value, "alias": "ann".value, "code": .int(1), "score": .double(10),
        "active": .bool(true),
        "uuid": .uuid(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") ?? UUID()),
        "photo": .data(Data([1, 2])),
        "site": .uri("http://example.org/ann"),
      ])
    self.add(
      "a2", "Author", ["name": "Bob".value, "alias": "bob".value, "code": .int(2), "active": .bool(false)])
    self.add("a3", "Author", ["name": "Cy".value, "score": .double(5)])
    self.add(
      "w1", "Writer", ["name": "Dee".value, "alias": "dee".value, "code": .int(4), "genre": "sf".value])
  }

  private mutating func addBooks() {
    let price = { (text: String) in Value.decimal(Decimal(string: text) ?? .nan) }
    self.add(
      "b1", "Book",
      ["title": "Alpha".value, "pages": .int(100), "price": price("12.50"), "author": self.id("a1")])
    self.add(
      "b2", "Book",
      ["title": "beta".value, "pages": .int(200), "price": price("8.00"), "author": self.id("a1")])
    self.add("b3", "Book", ["title": "Gamma".value, "author": self.id("a2")])
    self.add("b4", "Book", ["title": "Émile".value, "pages": .int(50), "price": price("3.10")])
  }

  private mutating func addNotes() {
    let at = { (seconds: Double) in Value.date(Date(timeIntervalSinceReferenceDate: seconds)) }
    self.add(
      "n1", "Note",
      ["authorAlias": "ann".value, "text": "great start".value, "rating": .double(3.5), "at": at(0)])
    self.add(
      "n2", "Note",
      ["authorAlias": "ann".value, "text": "so-so".value, "rating": .double(4.3), "at": at(1000)])
    self.add("n3", "Note", ["authorAlias": "ann".value, "text": "Great end".value, "rating": .double(4.2)])
    self.add("n4", "Note", ["authorAlias": "bob".value, "text": "dull".value, "rating": .double(1)])
    self.add("n5", "Note", ["text": "orphan".value, "rating": .double(2)])
  }

  func id(_ name: String) -> Value { .object(self.subject(name).identity) }

  func subject(_ name: String) -> LibrarySubject {
    guard let (_, row) = self.rows[name] else { preconditionFailure("no row \(name)") }
    return LibrarySubject(row: row, library: self)
  }

  fileprivate func subject(reference: Int64) -> LibrarySubject? {
    self.rows.values.first { $0.reference == reference }.map { LibrarySubject(row: $0.row, library: self) }
  }

  fileprivate var all: [LibrarySubject] {
    self.rows.values.sorted { $0.reference < $1.reference }.map { LibrarySubject(row: $0.row, library: self) }
  }

  func entity(_ name: String) -> Entity {
    guard let entity = self.model.entity(named: name) else { preconditionFailure("no entity \(name)") }
    return entity
  }

  func bound(_ entity: String, _ format: String, _ arguments: [Value] = []) throws -> BoundPredicate {
    try FetchPredicate(format: format, arguments: arguments).bound(to: self.entity(entity), in: self.model)
  }

  /// The names of the rows of an entity for which a predicate holds.
  func names(_ entity: String, _ format: String, _ arguments: [Value] = []) throws -> Set<String> {
    let predicate = try PreparedPredicate(try self.bound(entity, format, arguments))
    let family = self.entity(entity).family
    var names: Set<String> = []
    for (name, entry) in self.rows where family.contains(entry.row.entity) {
      if try predicate.evaluate(LibrarySubject(row: entry.row, library: self)) { names.insert(name) }
    }
    return names
  }

  /// The names of the rows of an entity in the order of sort keys.
  func names(_ entity: String, by order: [FetchSortDescriptor]) throws -> [String] {
    let family = self.entity(entity).family
    let sorts = try order.map { try $0.bound(to: self.entity(entity), in: self.model) }
    let subjects = self.all.filter { family.contains($0.row.entity) }
    let sorted = try SubjectOrder(sorts).sorted(subjects)
    return sorted.compactMap { subject in self.rows.first { $0.value.reference == subject.row.reference }?.key
    }
  }
}

/// A row of the library that answers predicates.
struct LibrarySubject: PredicateSubject {
  let row: Snapshot
  let library: Library

  var identity: ManagedObjectID {
    ManagedObjectID(store: self.library.store, entity: self.row.entity, reference: self.row.reference)
  }

  var predicateIdentity: ManagedObjectID? { self.identity }

  func attribute(_ attribute: BoundAttribute) throws -> Value {
    guard let kind = attribute.type.slotKind else { return .null }
    return self.row.value(attribute.slot, kind, store: self.library.store)
  }

  func passes(_ test: AttributeTest) throws -> Bool { try self.row.passes(test) }

  func toOne(_ relationship: BoundRelationship) throws -> (any PredicateSubject)? {
    self.row.destination(relationship.slot).flatMap { self.library.subject(reference: $0.reference) }
  }

  func toMany(_ relationship: BoundRelationship) throws -> [any PredicateSubject] {
    let inverse = self.library.model[relationship.destination].relationship(named: "author")
    return self.library.all.filter { other in
      relationship.destination == other.row.entity
        && inverse?.slot.flatMap { other.row.destination($0) }?.reference == self.row.reference
    }
  }

  func operand(forKey key: String) throws -> PredicateOperand {
    Issue.record("a bound predicate asked for the key \(key)")
    return .value(.null)
  }
}
