public import FederatedModel

/// Objects that a to-one relationship leads to, in typed conditions: `$0.invoice.customerNumber > 100`.
///
/// A property that is named like a member of this protocol is written `$0.invoice[dynamicMember: \.steps]`.
@dynamicMemberLookup
public protocol ObjectOperand<Destination>: Sendable {
  associatedtype Destination: TypedObject
  /// The keys that lead to the object.
  var steps: [String] { get }
}

extension ObjectOperand {
  public subscript<Content>(
    dynamicMember path: KeyPath<Destination.Keys, AttributeKey<Content>>
  ) -> AttributePath<Content> {
    AttributePath(keys: self.steps + [Destination.keys[keyPath: path].propertyName])
  }

  public subscript<Next>(dynamicMember path: KeyPath<Destination.Keys, ToOneKey<Next>>) -> ObjectPath<Next> {
    ObjectPath(steps: self.steps + [Destination.keys[keyPath: path].propertyName])
  }

  public subscript<Next>(dynamicMember path: KeyPath<Destination.Keys, ToManyKey<Next>>) -> ObjectsPath<Next>
  {
    ObjectsPath(steps: self.steps + [Destination.keys[keyPath: path].propertyName])
  }

  public static func == (left: Self, object: Destination?) -> FetchPredicate {
    .comparing(.keyPath(left.steps), nil, .equal, .constant(object.map { .object($0.objectID) } ?? .null))
  }
  public static func != (left: Self, object: Destination?) -> FetchPredicate {
    .comparing(.keyPath(left.steps), nil, .notEqual, .constant(object.map { .object($0.objectID) } ?? .null))
  }
  public static func == (left: Self, identifier: ManagedObjectID) -> FetchPredicate {
    .comparing(.keyPath(left.steps), nil, .equal, .constant(.object(identifier)))
  }
  public static func != (left: Self, identifier: ManagedObjectID) -> FetchPredicate {
    .comparing(.keyPath(left.steps), nil, .notEqual, .constant(.object(identifier)))
  }

  /// Whether the object is one of these.
  public func isIn(_ objects: [Destination]) -> FetchPredicate {
    .comparing(.keyPath(self.steps), nil, .in, .constant(.list(objects.map { .object($0.objectID) })))
  }
}

/// An object at the end of a path of to-one relationships.
public struct ObjectPath<Destination: TypedObject>: ObjectOperand {
  public let steps: [String]
}

extension ToOneKey: ObjectOperand {
  public var steps: [String] { [self.propertyName] }
}

/// Objects that a to-many relationship leads to, in typed conditions.
///
/// ```swift
/// Fetch(Invoice.self).where { $0.lines.any.text == "Coffee" && $0.lines.count > 3 }
/// Fetch(Invoice.self).where { $0.lines.contains { $0.text == "Coffee" && $0.price > 10 } }
/// ```
public protocol ObjectsOperand<Destination>: Sendable {
  associatedtype Destination: TypedObject
  /// The keys that lead to the objects.
  var steps: [String] { get }
}

extension ObjectsOperand {
  /// At least one object compares.
  public var any: QuantifiedObjects<Destination> { QuantifiedObjects(steps: self.steps, quantifier: .any) }
  /// Every object compares, or there is none.
  public var all: QuantifiedObjects<Destination> { QuantifiedObjects(steps: self.steps, quantifier: .all) }
  /// No object compares.
  public var none: QuantifiedObjects<Destination> { QuantifiedObjects(steps: self.steps, quantifier: .none) }
  /// How many objects there are.
  public var count: ComputedOperand<Int> { ComputedOperand(operand: .keyPath(self.steps + ["@count"])) }

  /// Whether an object is among them.
  public func contains(_ object: Destination) -> FetchPredicate {
    .comparing(.keyPath(self.steps), nil, .contains, .constant(.object(object.objectID)))
  }

  /// Whether a condition holds for at least one of them: `SUBQUERY(lines, $element, …).@count > 0`.
  public func contains(where condition: (Destination.Keys) -> FetchPredicate) -> FetchPredicate {
    let found = FetchExpression.subquery(
      .keyPath(self.steps), variable: "element",
      condition(Destination.keys).asked(of: .variable("element")))
    return .comparing(.path(found, ["@count"]), nil, .greater, .constant(.int(0)))
  }
}

/// Objects at the end of a path whose last step is a to-many relationship.
public struct ObjectsPath<Destination: TypedObject>: ObjectsOperand {
  public let steps: [String]
}

extension ToManyKey: ObjectsOperand {
  public var steps: [String] { [self.propertyName] }
}

/// The objects of a to-many relationship, of which some, all or none must compare.
@dynamicMemberLookup
public struct QuantifiedObjects<Destination: TypedObject>: Sendable {
  let steps: [String]
  let quantifier: Quantifier

  public subscript<Content>(
    dynamicMember path: KeyPath<Destination.Keys, AttributeKey<Content>>
  ) -> QuantifiedAttribute<Content> {
    QuantifiedAttribute(
      keys: self.steps + [Destination.keys[keyPath: path].propertyName], elements: self.quantifier)
  }

  public subscript<Next>(
    dynamicMember path: KeyPath<Destination.Keys, ToOneKey<Next>>
  ) -> QuantifiedObjects<Next> {
    QuantifiedObjects<Next>(
      steps: self.steps + [Destination.keys[keyPath: path].propertyName], quantifier: self.quantifier)
  }

  public static func == (left: Self, object: Destination) -> FetchPredicate {
    .comparing(.keyPath(left.steps), left.quantifier, .equal, .constant(.object(object.objectID)))
  }
}
