/// A predicate whose key paths are resolved against one entity: what a store is asked.
///
/// Binding happens once per run. It refuses unknown, transient and fetched keys, so evaluation looks no name
/// up, and a store compiles it to SQL from the same tree. A bound predicate holds constants only; the
/// variables left in it are those of its own subqueries.
public indirect enum BoundPredicate: Hashable, Sendable {
  case constant(Bool)
  case comparison(Comparison)
  case and([BoundPredicate])
  case or([BoundPredicate])
  case not(BoundPredicate)
  /// A condition in Swift, which no store can translate.
  case block(BoundBlock)

  public struct Comparison: Hashable, Sendable {
    public var left: BoundExpression
    public var `operator`: FetchPredicate.Operator
    public var right: BoundExpression
    public var modifier: FetchPredicate.Modifier
    public var options: FetchPredicate.Options

    public init(
      _ left: BoundExpression, _ operator: FetchPredicate.Operator, _ right: BoundExpression,
      modifier: FetchPredicate.Modifier, options: FetchPredicate.Options
    ) {
      self.left = left
      self.operator = `operator`
      self.right = right
      self.modifier = modifier
      self.options = options
    }
  }
}

/// An operand whose keys are resolved.
public indirect enum BoundExpression: Hashable, Sendable {
  case constant(Value)
  case evaluatedObject
  /// A variable of an enclosing subquery.
  case variable(String)
  /// Steps from the evaluated object, or from another operand.
  case path(BoundExpression, [BoundStep])
  case index(BoundExpression, BoundIndex)
  case function(FetchFunction, [BoundExpression])
  case aggregate([BoundExpression])
  case subquery(BoundExpression, variable: String, BoundPredicate)
  case conditional(BoundPredicate, BoundExpression, BoundExpression)
  case setOperation(FetchExpression.SetOperation, BoundExpression, BoundExpression)
}

public indirect enum BoundIndex: Hashable, Sendable {
  case at(BoundExpression)
  case first, last, size
}

/// One step of a key path, resolved.
public enum BoundStep: Hashable, Sendable {
  /// A stored attribute: its slot is the same in the entity and all its subentities.
  case attribute(BoundAttribute)
  case toOne(BoundRelationship)
  case toMany(BoundRelationship)
  /// `objectID`, or `SELF` as a key: the object itself.
  case identity
  /// `length` of a string.
  case length
  /// `@count`, `@sum.key` and their kin. The key's own steps follow.
  case collectionOperator(CollectionOperator)
  /// A key of a subject that has no entity, such as a dictionary.
  case key(String)
}

public enum CollectionOperator: String, Hashable, Sendable, CaseIterable {
  case count = "@count"
  case sum = "@sum"
  case average = "@avg"
  case minimum = "@min"
  case maximum = "@max"
  case unionOfObjects = "@unionOfObjects"
  case distinctUnionOfObjects = "@distinctUnionOfObjects"
  case unionOfArrays = "@unionOfArrays"
  case distinctUnionOfArrays = "@distinctUnionOfArrays"
  case distinctUnionOfSets = "@distinctUnionOfSets"
}

public struct BoundAttribute: Hashable, Sendable {
  public let name: String
  /// The entity that the step starts from.
  public let entity: EntityID
  public let slot: Int
  public let type: AttributeType

  public init(name: String, entity: EntityID, slot: Int, type: AttributeType) {
    self.name = name
    self.entity = entity
    self.slot = slot
    self.type = type
  }
}

public struct BoundRelationship: Hashable, Sendable {
  public let name: String
  public let entity: EntityID
  /// The first slot of a to-one; -1 for a to-many.
  public let slot: Int
  /// Index in ``Entity/relationships`` of ``entity``.
  public let index: Int
  public let destination: EntityID
  public let isOrdered: Bool

  public init(name: String, entity: EntityID, slot: Int, index: Int, destination: EntityID, isOrdered: Bool) {
    self.name = name
    self.entity = entity
    self.slot = slot
    self.index = index
    self.destination = destination
    self.isOrdered = isOrdered
  }
}

/// One sort key, resolved: a path of to-one steps that ends in an attribute.
public struct BoundSort: Hashable, Sendable {
  public let steps: [BoundStep]
  public let ascending: Bool
  public let comparison: FetchSortDescriptor.Comparison
  /// An order in Swift, in place of ``comparison``: no store can translate it.
  public let comparator: SortComparator?

  public init(
    steps: [BoundStep], ascending: Bool, comparison: FetchSortDescriptor.Comparison,
    comparator: SortComparator? = nil
  ) {
    self.steps = steps
    self.ascending = ascending
    self.comparison = comparison
    self.comparator = comparator
  }
}
