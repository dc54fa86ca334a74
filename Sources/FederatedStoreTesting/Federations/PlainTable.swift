import FederatedModel

/// Generated rows as dictionaries, with the inverses of their links: what a question is about when no store is asked.
final class PlainTable {
  let model: ManagedObjectModel
  private var rows: [Int: GeneratedRows.Row] = [:]
  private var toOnes: [Int: [String: Int]] = [:]
  private var toManys: [Int: [String: [Int]]] = [:]
  let numbers: [Int]

  init(_ generated: GeneratedRows, _ model: ManagedObjectModel) {
    self.model = model
    self.numbers = generated.rows.map(\.number)
    for row in generated.rows { self.rows[row.number] = row }
    for row in generated.rows {
      for (name, destination) in row.toOne {
        self.toOnes[row.number, default: [:]][name] = destination
        self.addInverse(of: name, from: row, to: destination)
      }
      for (name, destinations) in row.toMany {
        self.toManys[row.number, default: [:]][name, default: []] += destinations
        for destination in destinations { self.addInverse(of: name, from: row, to: destination) }
      }
    }
  }

  private func addInverse(of name: String, from row: GeneratedRows.Row, to destination: Int) {
    guard let relationship = self.entity(of: row.number).relationship(named: name),
      let id = relationship.inverse
    else { return }
    let other = self.model[id.entity].relationships[id.index]
    let inverse = other.name
    if other.isToMany {
      self.toManys[destination, default: [:]][inverse, default: []].append(row.number)
    } else {
      self.toOnes[destination, default: [:]][inverse] = row.number
    }
  }

  func entity(of number: Int) -> Entity {
    guard let row = self.rows[number], let entity = self.model.entity(named: row.entity) else {
      preconditionFailure("row \(number) was not generated")
    }
    return entity
  }

  func value(_ name: String, of number: Int) -> Value { self.rows[number]?.values[name] ?? .null }
  func toOne(_ name: String, of number: Int) -> Int? { self.toOnes[number]?[name] }
  func toMany(_ name: String, of number: Int) -> [Int] { self.toManys[number]?[name] ?? [] }

  /// Who a row is where there is no store: an identifier of a store that nobody opens.
  func identifier(of number: Int) -> ManagedObjectID {
    ManagedObjectID(
      store: StoreID(.max), entity: self.entity(of: number).id, reference: Int64(number))
  }

  /// The rows of an entity, and of its subentities where they are wanted.
  func rows(of entity: Entity, includingSubentities: Bool) -> [PlainRow] {
    let wanted = includingSubentities ? Set(entity.family) : [entity.id]
    return self.numbers.filter { wanted.contains(self.entity(of: $0).id) }.map { PlainRow($0, in: self) }
  }
}

/// One generated row as a subject of predicates.
struct PlainRow: PredicateSubject {
  let number: Int
  private let table: PlainTable

  init(_ number: Int, in table: PlainTable) {
    self.number = number
    self.table = table
  }

  func attribute(_ attribute: BoundAttribute) throws -> Value {
    self.table.value(attribute.name, of: self.number)
  }

  func toOne(_ relationship: BoundRelationship) throws -> (any PredicateSubject)? {
    self.table.toOne(relationship.name, of: self.number).map { PlainRow($0, in: self.table) }
  }

  func toMany(_ relationship: BoundRelationship) throws -> [any PredicateSubject] {
    self.table.toMany(relationship.name, of: self.number).map { PlainRow($0, in: self.table) }
  }

  func operand(forKey key: String) throws -> PredicateOperand {
    throw FetchPredicateError(.unknownKeyPath, subject: key, "a generated row has bound keys only")
  }

  var predicateIdentity: ManagedObjectID? { self.table.identifier(of: self.number) }

  /// The value at the end of a path of to-ones.
  func value(at path: String) -> Value {
    let keys = path.split(separator: ".").map(String.init)
    var number = self.number
    for key in keys.dropLast() {
      guard let next = self.table.toOne(key, of: number) else { return .null }
      number = next
    }
    return keys.last.map { self.table.value($0, of: number) } ?? .null
  }
}
