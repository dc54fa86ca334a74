public import FederatedModel
public import Foundation

/// What a format reads rows into, in one pass and in any order.
///
/// ```swift
/// let reference = sink.reference(named: "102")
/// try sink.beginRow(of: customer.id, reference: reference)
/// sink.row.set(string: "Ada", at: name.slot)
/// sink.setToOne(company, to: sink.reference(named: "7"))          // may stand further down in the file
/// sink.setToMany(orders, to: ids.map { sink.reference(named: $0) })
/// ```
///
/// A destination is named by its reference alone. After the last row the store finds the concrete entity of
/// every to-one, repairs lists that contradict the to-one side, and keeps destinations that do not exist.
public struct RowSink {
  public let model: ManagedObjectModel
  /// What the file says of itself. Without it the store is given a new identifier.
  public var metadata: StoreMetadata?
  /// What the format wants to find again when it writes the file.
  public var storeExtra: Data?
  var contents: RowTableContents
  /// By entity's number; nil until the entity's first row.
  private var builders: [RowBlockBuilder?]
  /// The place in `contents.blocks` that each builder's block will have.
  private var blockNumbers: [Int]
  private var current: RowIdentity?
  /// The most rows; see ``ReadingLimits/rows``.
  var rowLimit = ReadingLimits.standard.rows
  private let placeholder: RowBlock
  /// What the format noticed and is no error. The store's name is filled in later.
  package var diagnostics: [StoreDiagnostic] = []
  /// To-ones that were learnt after their rows.
  var lateLinks: [LateLink] = []
  /// To-many lists as met, resolved after the last row.
  var lists: [RelationshipID: MetLists] = [:]

  /// Bytes after which a block is closed.
  static let blockBytes = 262_144

  init(model: ManagedObjectModel, store: StoreID) {
    self.model = model
    self.contents = RowTableContents(model: model, store: store)
    self.builders = [RowBlockBuilder?](repeating: nil, count: model.entities.count)
    self.blockNumbers = [Int](repeating: 0, count: model.entities.count)
    self.placeholder = RowBlock.empty(RowLayout(entity: EntityID(0), columns: []))
  }

  // MARK: References

  /// The reference of a row by its name in the file: the number that it writes, else one that stands for the
  /// text and is the same at every reading.
  public mutating func reference(named name: String) -> Int64 {
    ReferenceNames.number(name) ?? self.contents.names.intern(name)
  }

  /// The reference of a row by a name that is no number, even when it looks like one.
  public mutating func reference(opaque name: String) -> Int64 { self.contents.names.intern(name) }

  /// Keeps numbers up to this one from being given to new rows.
  public mutating func reserve(through reference: Int64) {
    if reference < ReferenceNames.firstOpaque {
      self.contents.highestReference = max(self.contents.highestReference, reference)
    }
  }

  // MARK: Rows

  /// Begins a row, every slot of which is nil, and ends the row before.
  /// - Throws: `malformed` when the file has that row already, or the entity is abstract; `refusedContent` when there
  ///   are more rows than the limits allow.
  public mutating func beginRow(
    of entity: EntityID, reference: Int64, version: Int64 = 1,
    at place: @autoclosure () -> StoreError.Place? = nil
  ) throws(StoreError) {
    let index = entity.index
    if self.builders[index] == nil {
      try self.checkInstantiable(entity, at: place())
      self.startBlock(of: entity)
    } else if let size = self.builders[index]?.byteCount, size >= RowSink.blockBytes {
      self.endBlock(of: index)
      self.startBlock(of: entity)
    }
    guard self.contents.fileOrder.count < self.rowLimit else {
      throw StoreError(
        .refusedContent, store: nil, place: place(),
        "the file has more than the \(self.rowLimit) rows that its limits allow; raise limits.rows if it is to be trusted"
      )
    }
    let target = RowPlace(block: self.blockNumbers[index], row: self.builders[index]?.count ?? 0)
    guard self.contents.references[self.model[entity].root.index].insert(reference, at: target) else {
      let name = self.contents.names[reference] ?? String(reference)
      throw StoreError(
        .malformed, store: nil, place: place(),
        "there is a second row with the identifier \(name); identifiers are unique")
    }
    self.builders[index]?.beginRow(reference: reference, version: version)
    self.contents.places[index].append(target)
    let identity = RowIdentity(entity: entity, reference: reference)
    self.contents.fileOrder.append(identity)
    self.current = identity
    self.reserve(through: reference)
  }

  /// The row begun last. Fill its slots; do not begin rows through it.
  public var row: RowBlockBuilder {
    get { self.builders[self.currentRow.entity.index]! }
    _modify { yield &self.builders[self.currentRow.entity.index]! }
  }

  /// Sets a to-one of the row begun last.
  public mutating func setToOne(_ relationship: Relationship, to reference: Int64) {
    guard let slot = relationship.slot else { return }
    self.row.set(reference: reference, entity: relationship.destination, at: slot)
  }

  /// Sets the list of a to-many of the row begun last. The order counts where the relationship is ordered, and
  /// is otherwise kept for the file.
  ///
  /// An empty list is worth telling: a relationship that was never told is taken from the other side alone.
  public mutating func setToMany(_ relationship: Relationship, to references: some Sequence<Int64>) {
    if relationship.isTransient { return }
    self.lists[relationship.id, default: MetLists()].append(references, of: self.currentRow)
  }

  /// Keeps what the format wants to find again when it writes the row begun last.
  public mutating func keep(_ extra: Data) { self.contents.extras[self.currentRow] = extra }

  private var currentRow: RowIdentity {
    guard let current = self.current else { preconditionFailure("no row was begun") }
    return current
  }

  // MARK: Blocks

  private func checkInstantiable(_ entity: EntityID, at place: StoreError.Place?) throws(StoreError) {
    guard self.model[entity].isAbstract else { return }
    let name = self.model[entity].name
    throw StoreError(.malformed, store: nil, place: place, "\(name) is abstract and has no rows of its own")
  }

  private mutating func startBlock(of entity: EntityID) {
    self.builders[entity.index] = RowBlockBuilder(layout: self.model[entity].layout)
    self.blockNumbers[entity.index] = self.contents.blocks.count
    self.contents.blocks.append(self.placeholder)
  }

  private mutating func endBlock(of index: Int) {
    guard self.builders[index] != nil else { return }
    self.contents.blocks[self.blockNumbers[index]] = self.builders[index]!.finish()
    self.builders[index] = nil
  }

  /// Closes every block after the last row.
  mutating func endBlocks() {
    for index in self.builders.indices { self.endBlock(of: index) }
    self.current = nil
  }
}

/// The lists of one to-many as a file tells them, packed.
struct MetLists {
  private(set) var owners: [RowIdentity] = []
  private var ends: [Int] = []
  private var destinations: [Int64] = []

  mutating func append(_ references: some Sequence<Int64>, of owner: RowIdentity) {
    let start = self.destinations.count
    self.destinations.append(contentsOf: references)
    if self.destinations.count == start { return }
    self.owners.append(owner)
    self.ends.append(self.destinations.count)
  }

  /// The list of the owner met at that place.
  subscript(place: Int) -> ArraySlice<Int64> {
    self.destinations[(place == 0 ? 0 : self.ends[place - 1])..<self.ends[place]]
  }
}

extension RowBlock {
  static func empty(_ layout: RowLayout) -> RowBlock {
    var builder = RowBlockBuilder(layout: layout)
    return builder.finish()
  }
}
