/// A condition in Swift, for what the language cannot say.
///
/// What the block reads is named beside it, so that a wrong key is refused before any store is asked, and every
/// store gives the block the same values.
///
/// ```swift
/// let isPalindrome = FetchPredicate.block("isPalindrome", reading: "name") { row in
///   guard case .string(let name) = row[0] else { return false }
///   return name == String(name.reversed())
/// }
/// let found = try context.fetch(FetchRequest("Customer", where: isPalindrome && inTown))
/// ```
/// A block never runs inside SQL: the terms beside it that SQL can answer choose the rows, and the block is asked of
/// those. It is equal to its own copies alone, prints `BLOCKPREDICATE(name, …)`, which does not read back, and cannot
/// be encoded or written into a model file. It must give the same answer for the same values.
public struct PredicateBlock: Sendable {
  /// What messages call the block.
  public let name: String
  /// What is read for it, in this order.
  public let operands: [FetchExpression]
  private let body: Body

  /// By reference: a block is known by its identity.
  private final class Body: Sendable {
    let holds: @Sendable (Row) throws -> Bool

    init(_ holds: @escaping @Sendable (Row) throws -> Bool) { self.holds = holds }
  }

  /// What a block is given of one row: the values of its operands, and nothing else.
  public struct Row: Sendable {
    let operands: [FetchExpression]
    let values: [Value]

    /// The value of an operand by its place. Many values are a list, an object is its identifier.
    public subscript(place: Int) -> Value { self.values[place] }

    /// The value of an operand by its text: `try row["author.name"]`.
    /// - Throws: ``FetchPredicateError`` with `unknownKeyPath` for what the block does not name as read.
    public subscript(text: String) -> Value {
      get throws(FetchPredicateError) {
        for (operand, value) in zip(self.operands, self.values) where operand.description == text {
          return value
        }
        throw FetchPredicateError(
          .unknownKeyPath, subject: text,
          "the block does not name it among what it reads: "
            + self.operands.map(\.description).joined(separator: ", "))
      }
    }
  }

  /// - Parameter operands: what the block reads.
  public init(
    _ name: String, reading operands: [FetchExpression],
    _ holds: @escaping @Sendable (Row) throws -> Bool
  ) {
    self.name = name
    self.operands = operands
    self.body = Body(holds)
  }

  func holds(_ values: [Value]) throws -> Bool {
    try self.body.holds(Row(operands: self.operands, values: values))
  }

  /// The same block over other operands, such as ones whose variables are replaced.
  func reading(_ operands: [FetchExpression]) -> PredicateBlock {
    PredicateBlock(name: self.name, operands: operands, body: self.body)
  }

  private init(name: String, operands: [FetchExpression], body: Body) {
    self.name = name
    self.operands = operands
    self.body = body
  }
}

extension PredicateBlock: Hashable {
  public static func == (left: PredicateBlock, right: PredicateBlock) -> Bool {
    left.body === right.body && left.name == right.name && left.operands == right.operands
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self.body))
    hasher.combine(self.operands)
  }
}

extension PredicateBlock: CustomStringConvertible {
  /// `BLOCKPREDICATE(name, key, …)`: for people; it does not read back.
  public var description: String {
    "BLOCKPREDICATE(" + ([self.name] + self.operands.map(\.description)).joined(separator: ", ") + ")"
  }
}

/// A block whose operands are resolved against one entity.
public struct BoundBlock: Hashable, Sendable {
  public let block: PredicateBlock
  public let operands: [BoundExpression]

  public init(_ block: PredicateBlock, _ operands: [BoundExpression]) {
    self.block = block
    self.operands = operands
  }
}

extension FetchPredicate {
  /// A condition in Swift over the values of some key paths; see ``PredicateBlock``.
  /// - Parameters:
  ///   - name: what messages call the block.
  ///   - keyPaths: what the block reads, from the object that is asked: `name`, `author.name`, `books.@count`.
  public static func block(
    _ name: String, reading keyPaths: String...,
    holds: @escaping @Sendable (PredicateBlock.Row) throws -> Bool
  ) -> FetchPredicate {
    let operands = keyPaths.map { path in
      FetchExpression.keyPath(
        path.split(separator: ".", omittingEmptySubsequences: false).map(String.init))
    }
    return .block(PredicateBlock(name, reading: operands, holds))
  }

  /// The first block that the predicate holds; nil when it is data alone, which can be encoded and written.
  public var firstBlock: PredicateBlock? {
    switch self {
    case .constant: nil
    case .comparison(let comparison): comparison.left.firstBlock ?? comparison.right.firstBlock
    case .and(let terms), .or(let terms): terms.lazy.compactMap(\.firstBlock).first
    case .not(let term): term.firstBlock
    case .block(let block): block
    }
  }
}

extension FetchExpression {
  fileprivate var firstBlock: PredicateBlock? {
    switch self {
    case .constant, .evaluatedObject, .variable, .keyPath: nil
    case .path(let base, _): base.firstBlock
    case .index(let base, .at(let place)): base.firstBlock ?? place.firstBlock
    case .index(let base, _): base.firstBlock
    case .function(_, let operands), .aggregate(let operands): operands.lazy.compactMap(\.firstBlock).first
    case .subquery(let source, _, let predicate): source.firstBlock ?? predicate.firstBlock
    case .conditional(let predicate, let first, let second):
      predicate.firstBlock ?? first.firstBlock ?? second.firstBlock
    case .setOperation(_, let left, let right): left.firstBlock ?? right.firstBlock
    }
  }
}
