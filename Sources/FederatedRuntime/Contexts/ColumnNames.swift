import FederatedModel
import Foundation

/// What the names in a dictionary request mean: columns first, then properties of the entity.
struct ColumnNames {
  private let request: FetchRequest
  private let entity: Entity
  private let model: ManagedObjectModel
  private let now = Date()

  init(_ request: FetchRequest, _ entity: Entity, _ model: ManagedObjectModel) {
    self.request = request
    self.entity = entity
    self.model = model
  }

  private var groups: [String] { self.request.propertiesToGroupBy ?? [] }

  /// The columns asked for: those named, else those grouped, else every attribute that is stored.
  var columns: [FetchColumn] {
    if let columns = self.request.propertiesToFetch { return columns }
    return self.groups.isEmpty
      ? self.entity.attributes.filter { $0.slot != nil }.map { .property($0.name) }
      : self.groups.map { .property($0) }
  }

  /// - Throws: `invalidArgument` for two columns under one name.
  func checkDistinctness() throws {
    var seen: Set<String> = []
    for column in self.columns where !seen.insert(column.name).inserted {
      throw ManagedObjectError(
        .invalidArgument, entity: self.entity.name, property: column.name,
        "two columns have this name; rename one of them")
    }
    for column in self.columns where column.name.isEmpty {
      throw ManagedObjectError(.invalidArgument, entity: self.entity.name, "a column has no name; name it")
    }
  }

  func expression(of column: FetchColumn) throws -> BoundExpression {
    switch column {
    case .property(let path): try ColumnNames.property(path, of: self.entity, in: self.model)
    case .expression(let description): try self.bound(description.expression)
    }
  }

  /// The keys of groups, each once.
  /// - Parameter expressions: those of the columns.
  func keys(_ expressions: [BoundExpression]) throws -> [BoundExpression] {
    var keys: [BoundExpression] = []
    for name in self.groups {
      let key: BoundExpression
      if let place = self.columns.firstIndex(where: { $0.name == name }) {
        key = expressions[place]
      } else {
        key = try ColumnNames.property(name, of: self.entity, in: self.model)
      }
      guard !key.holdsAggregate, !key.isManyValued else {
        throw ManagedObjectError(
          .invalidArgument, entity: self.entity.name, property: name,
          "rows are grouped by single values of each row, not by \(key.isManyValued ? "many" : "aggregates")")
      }
      if !keys.contains(key) { keys.append(key) }
    }
    return keys
  }

  /// The condition on groups, the names of columns in it replaced by what they mean.
  func havingPredicate() throws -> BoundPredicate? {
    guard let having = self.request.havingPredicate else { return nil }
    let bound = try having.replacingNames(self.meaning).bound(to: self.entity, in: self.model)
    return bound.replacing { $0.fixedNow(self.now) }
  }

  func expression(ofSort sort: FetchSortDescriptor) throws -> BoundExpression {
    if let meaning = self.meaning(of: sort.key) { return try self.bound(meaning) }
    return .path(.evaluatedObject, try sort.bound(to: self.entity, in: self.model).steps)
  }

  private func bound(_ expression: FetchExpression) throws -> BoundExpression {
    try expression.bound(to: self.entity, in: self.model).replacing { $0.fixedNow(self.now) }
  }

  /// The expression that a column of this name stands for; nil for properties and other names.
  private func meaning(of name: String) -> FetchExpression? {
    for case .expression(let description) in self.columns where description.name == name {
      return description.expression
    }
    return nil
  }

  /// An attribute, a to-one, or a path of to-ones that ends in one of them.
  /// - Throws: `invalidArgument` for other properties, `unknownProperty` for none, ``FetchPredicateError`` for one that
  ///   no store holds.
  static func property(
    _ path: String, of entity: Entity, in model: ManagedObjectModel
  ) throws -> BoundExpression {
    let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    var current = entity
    for (place, key) in keys.enumerated() {
      let isLast = place == keys.count - 1
      switch current.property(named: key) {
      case .attribute? where isLast: break
      case .relationship(let relationship)? where !relationship.isToMany:
        current = model[relationship.destination]
      case nil where isLast && (key == "objectID" || key == "SELF"): break
      case nil: throw ManagedObjectError.unknownProperty(key, of: current)
      default:
        throw ManagedObjectError(
          .invalidArgument, entity: current.name, property: key,
          "only attributes and to-one relationships are columns of a row")
      }
    }
    return try FetchExpression.keyPath(keys).bound(to: entity, in: model)
  }
}

extension BoundExpression {
  /// `now()` as the instant that all stores and lines see; nil for other parts.
  fileprivate func fixedNow(_ now: Date) -> BoundExpression? {
    if case .function(.now, _) = self { .constant(.date(now)) } else { nil }
  }
}
