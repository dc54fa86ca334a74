internal import CSQLite
internal import FederatedModel
internal import FederatedStore
internal import Foundation

/// Turns result rows into row blocks, one for each concrete entity.
///
/// A row is laid out in a scratch area and copied into its block whole.
@safe final class RowReader {
  let plan: ReadPlan
  let externalData: ExternalData
  let file: URL
  // The loop over cells runs for every row, and calls nothing that could come back here.
  @exclusivity(unchecked) private var builders: [RowBlockBuilder]
  private var places: [RowPlace] = []
  private(set) var count = 0
  private let scratch: UnsafeMutableBufferPointer<UInt64>
  /// The cells of all entities, one entity after another: a buffer, since nothing need be retained to read it.
  private let cells: UnsafeMutableBufferPointer<ReadPlan.Cell>
  private let shapes: UnsafeMutableBufferPointer<Shape>
  private let hasOneEntity: Bool

  /// How rows of one entity lie in ``scratch``, and which of ``cells`` they are read from.
  private struct Shape {
    let firstCell: Int
    let endOfCells: Int
    let nullWords: Int
    let slotCount: Int
    let stride: Int
  }

  init(_ plan: ReadPlan, file: URL, capacity: Int = 0) {
    self.plan = plan
    self.file = file
    self.externalData = ExternalData(file)
    self.hasOneEntity = plan.entityIndex.isEmpty
    unsafe self.builders = plan.entities.map {
      RowBlockBuilder(layout: $0.layout, capacity: plan.entities.count == 1 ? capacity : 0)
    }
    unsafe self.scratch = .allocate(capacity: plan.entities.map(\.layout.stride).max() ?? 0)
    unsafe self.cells = .allocate(capacity: plan.entities.reduce(0) { $0 + $1.cells.count })
    unsafe self.shapes = .allocate(capacity: plan.entities.count)
    _ = unsafe self.cells.initialize(from: plan.entities.flatMap(\.cells))
    var first = 0
    for (index, entity) in plan.entities.enumerated() {
      let layout = entity.layout
      unsafe self.shapes.initializeElement(
        at: index,
        to: Shape(
          firstCell: first, endOfCells: first + entity.cells.count, nullWords: layout.nullWords,
          slotCount: layout.slotCount, stride: layout.stride))
      first += entity.cells.count
    }
  }

  deinit {
    unsafe self.scratch.deallocate()
    unsafe self.cells.deallocate()
    unsafe self.shapes.deallocate()
  }

  func read(_ row: Statement) throws(StoreError) {
    let reference = row.int(ReadPlan.referenceIndex)
    // Only a key of a file of others can be null.
    if reference == 0, row.isNull(ReadPlan.referenceIndex) { throw self.plan.table.missingKey(in: self.file) }
    if self.hasOneEntity {
      self.count += 1
      return try unsafe self.read(row, reference, &self.builders[0], 0)
    }
    let discriminator = row.int(ReadPlan.discriminatorIndex)
    guard let which = self.plan.entityIndex[discriminator] else {
      throw StoreError(
        .malformed, store: self.file,
        place: .cell(table: self.plan.table.name, row: reference, column: nil),
        "the row is of entity number \(discriminator), which the model does not have here")
    }
    self.places.append(unsafe RowPlace(block: which, row: self.builders[which].count))
    self.count += 1
    try unsafe self.read(row, reference, &self.builders[which], which)
  }

  private func read(
    _ row: Statement, _ reference: Int64, _ builder: inout RowBlockBuilder, _ which: Int
  ) throws(StoreError) {
    let shape = unsafe self.shapes[which]
    let slots = unsafe self.beginRow(reference, row.int(ReadPlan.versionIndex), shape)
    // Cells that need more than a word and a place; rows without them pay nothing for it.
    var rare: [ReadPlan.Cell] = []
    for number in shape.firstCell..<shape.endOfCells {
      let cell = unsafe self.cells[number]
      let content = row.cell(cell.index)
      let storage = content.storage
      if storage == SQLITE_NULL { continue }
      guard cell.encoding.mayStand(as: storage) else {
        throw self.unreadable(
          cell, which, reference,
          "the cell holds \(RowReader.names[storage] ?? "a value of another kind"); correct it in the file")
      }
      let slot = Int(cell.slot)
      unsafe self.scratch[2 + (slot >> 6)] &= ~(1 << UInt64(slot & 63))
      switch cell.encoding {
      case .int: unsafe slots[slot] = UInt64(bitPattern: content.int)
      case .double, .date: unsafe slots[slot] = content.double.bitPattern
      case .bool: unsafe slots[slot] = content.int != 0 ? 1 : 0
      case .text, .blob:
        let bytes = unsafe cell.encoding == .text ? content.text : content.blob
        guard bytes.count <= RowBlockBuilder.longestBytes else {
          throw self.unreadable(cell, which, reference, "it is longer than a row can hold")
        }
        unsafe slots[slot] = builder.place(bytes)
      case .reference:
        let destination = try self.destination(row, cell, which, reference)
        unsafe slots[slot] = UInt64(bitPattern: content.int)
        unsafe slots[slot + 1] = UInt64(destination.rawValue)
        unsafe self.scratch[2 + ((slot + 1) >> 6)] &= ~(1 << UInt64((slot + 1) & 63))
      case .decimal:
        if let packed = RowReader.packed(content, storage) {
          unsafe slots[slot] = packed.word
        } else {
          rare.append(cell)
        }
      case .uuid:
        let bytes = unsafe content.blob
        if bytes.count == 16 { unsafe slots[slot] = builder.place(bytes) } else { rare.append(cell) }
      case .prefixedBlob: rare.append(cell)
      }
    }
    unsafe builder.append(row: UnsafeBufferPointer(rebasing: self.scratch[..<shape.stride]))
    for cell in rare { try self.read(row, cell, which, reference, &builder) }
  }

  /// Lays out an empty row: reference, version, every slot null.
  /// - Returns: its slots.
  private func beginRow(
    _ reference: Int64, _ version: Int64, _ shape: Shape
  ) -> UnsafeMutablePointer<UInt64> {
    let words = unsafe self.scratch.baseAddress!
    unsafe words[0] = UInt64(bitPattern: reference)
    unsafe words[1] = UInt64(bitPattern: version)
    unsafe (words + 2).update(repeating: .max, count: shape.nullWords)
    let slots = unsafe words + 2 + shape.nullWords
    unsafe slots.update(repeating: 0, count: shape.slotCount)
    return unsafe slots
  }

  private static let names = [
    SQLITE_INTEGER: "a whole number", SQLITE_FLOAT: "a floating-point number", SQLITE_TEXT: "text",
    SQLITE_BLOB: "bytes",
  ]

  /// A decimal that fits a word; nil for the others.
  private static func packed(_ cell: ResultCell, _ storage: Int32) -> PackedDecimal? {
    switch storage {
    case SQLITE_FLOAT: PackedDecimal(shortest: cell.double)
    case SQLITE_INTEGER: PackedDecimal(mantissa: cell.int, exponent: 0)
    default: nil
    }
  }

  /// The concrete entity of a to-one's destination.
  private func destination(
    _ row: Statement, _ cell: ReadPlan.Cell, _ which: Int, _ reference: Int64
  ) throws(StoreError) -> EntityID {
    let way = self.plan.entities[which].references[Int(cell.reference)]
    if way.entityIndex < 0 || row.isNull(way.entityIndex) { return way.destination }
    let number = row.int(way.entityIndex)
    guard let found = way.destinations[number] else {
      throw self.unreadable(
        cell, which, reference,
        "it points to a row of entity number \(number), which the model does not have")
    }
    return found
  }

  func unreadable(
    _ cell: ReadPlan.Cell, _ which: Int, _ reference: Int64, _ detail: String
  ) -> StoreError {
    let column = self.plan.entities[which].columns[Int(cell.column)]
    return StoreError(
      .unreadableValue, store: self.file,
      place: .cell(table: self.plan.table.name, row: reference, column: column.column),
      "\(column.property) cannot be read: \(detail)")
  }

  /// The rows read so far, in order. The reader is empty afterwards.
  func finish() -> RowSet {
    var blocks: [RowBlock] = []
    for index in unsafe self.builders.indices { blocks.append(unsafe self.builders[index].finish()) }
    defer {
      self.places = []
      self.count = 0
    }
    return self.plan.entityIndex.isEmpty ? RowSet(blocks) : RowSet(blocks, order: self.places)
  }
}

extension ColumnEncoding {
  /// Whether a cell of this storage class holds such a value. SQLite would make one of anything: 0 of a text.
  func mayStand(as storage: Int32) -> Bool {
    switch self {
    case .int, .bool, .reference: storage == SQLITE_INTEGER
    case .double, .date: storage == SQLITE_FLOAT || storage == SQLITE_INTEGER
    case .text: storage == SQLITE_TEXT
    case .decimal, .blob, .uuid, .prefixedBlob: true
    }
  }
}
