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
  private var builders: [RowBlockBuilder]
  private var places: [RowPlace] = []
  private(set) var count = 0
  private let scratch: UnsafeMutableBufferPointer<UInt64>

  init(_ plan: ReadPlan, file: URL, capacity: Int = 0) {
    self.plan = plan
    self.file = file
    self.externalData = ExternalData(file)
    self.builders = plan.entities.map {
      RowBlockBuilder(layout: $0.layout, capacity: plan.entities.count == 1 ? capacity : 0)
    }
    unsafe self.scratch = .allocate(capacity: plan.entities.map(\.layout.stride).max() ?? 0)
  }

  deinit { unsafe self.scratch.deallocate() }

  func read(_ row: Statement) throws(StoreError) {
    let reference = row.int(ReadPlan.referenceIndex)
    var which = 0
    if !self.plan.entityIndex.isEmpty {
      let discriminator = row.int(ReadPlan.discriminatorIndex)
      guard let index = self.plan.entityIndex[discriminator] else {
        throw StoreError(
          .malformed, store: self.file,
          place: .cell(table: self.plan.table.name, row: reference, column: nil),
          "the row is of entity number \(discriminator), which the model does not have here")
      }
      which = index
      self.places.append(RowPlace(block: which, row: self.builders[which].count))
    }
    self.count += 1
    try self.read(row, reference, &self.builders[which], self.plan.entities[which])
  }

  private func read(
    _ row: Statement, _ reference: Int64, _ builder: inout RowBlockBuilder, _ entity: ReadPlan.EntityReads
  ) throws(StoreError) {
    let slots = unsafe self.beginRow(reference, row.int(ReadPlan.versionIndex), entity.layout)
    // Cells that need more than a word and a place; rows without them pay nothing for it.
    var rare: [ReadPlan.Cell] = []
    for cell in entity.cells {
      let storage = row.storage(cell.index)
      if storage == SQLITE_NULL { continue }
      guard cell.encoding.mayStand(as: storage) else {
        throw self.unreadable(
          cell, entity, reference,
          "the cell holds \(RowReader.names[storage] ?? "a value of another kind"); correct it in the file")
      }
      let slot = Int(cell.slot)
      unsafe self.scratch[2 + (slot >> 6)] &= ~(1 << UInt64(slot & 63))
      switch cell.encoding {
      case .int: unsafe slots[slot] = UInt64(bitPattern: row.int(cell.index))
      case .double, .date: unsafe slots[slot] = row.double(cell.index).bitPattern
      case .bool: unsafe slots[slot] = row.int(cell.index) != 0 ? 1 : 0
      case .text, .blob:
        let place =
          unsafe cell.encoding == .text
          ? row.withText(cell.index) { unsafe self.place($0, in: &builder) }
          : row.withBlob(cell.index) { unsafe self.place($0, in: &builder) }
        guard let place else {
          throw self.unreadable(cell, entity, reference, "it is longer than a row can hold")
        }
        unsafe slots[slot] = place
      case .reference:
        let destination = try self.destination(row, cell, entity, reference)
        unsafe slots[slot] = UInt64(bitPattern: row.int(cell.index))
        unsafe slots[slot + 1] = UInt64(destination.rawValue)
        unsafe self.scratch[2 + ((slot + 1) >> 6)] &= ~(1 << UInt64((slot + 1) & 63))
      case .decimal:
        if let packed = RowReader.packed(row, storage, cell.index) {
          unsafe slots[slot] = packed.word
        } else {
          rare.append(cell)
        }
      case .uuid:
        let place = unsafe row.withBlob(cell.index) { bytes in
          unsafe bytes.count == 16 ? builder.place(bytes) : nil
        }
        if let place { unsafe slots[slot] = place } else { rare.append(cell) }
      case .prefixedBlob: rare.append(cell)
      }
    }
    unsafe builder.append(row: UnsafeBufferPointer(rebasing: self.scratch[..<entity.layout.stride]))
    for cell in rare { try self.read(row, cell, entity, reference, &builder) }
  }

  /// Lays out an empty row: reference, version, every slot null.
  /// - Returns: its slots.
  private func beginRow(_ reference: Int64, _ version: Int64, _ layout: RowLayout) -> UnsafeMutablePointer<
    UInt64
  > {
    let words = unsafe self.scratch.baseAddress!
    unsafe words[0] = UInt64(bitPattern: reference)
    unsafe words[1] = UInt64(bitPattern: version)
    unsafe (words + 2).update(repeating: .max, count: layout.nullWords)
    let slots = unsafe words + 2 + layout.nullWords
    unsafe slots.update(repeating: 0, count: layout.slotCount)
    return unsafe slots
  }

  /// - Returns: nil for more bytes than a row can hold.
  private func place(_ bytes: UnsafeRawBufferPointer, in builder: inout RowBlockBuilder) -> UInt64? {
    unsafe bytes.count > RowBlockBuilder.longestBytes ? nil : builder.place(bytes)
  }

  private static let names = [
    SQLITE_INTEGER: "a whole number", SQLITE_FLOAT: "a floating-point number", SQLITE_TEXT: "text",
    SQLITE_BLOB: "bytes",
  ]

  /// A decimal that fits a word; nil for the others.
  private static func packed(_ row: Statement, _ storage: Int32, _ index: Int32) -> PackedDecimal? {
    switch storage {
    case SQLITE_FLOAT: PackedDecimal(shortest: row.double(index))
    case SQLITE_INTEGER: PackedDecimal(mantissa: row.int(index), exponent: 0)
    default: nil
    }
  }

  /// The concrete entity of a to-one's destination.
  private func destination(
    _ row: Statement, _ cell: ReadPlan.Cell, _ entity: ReadPlan.EntityReads, _ reference: Int64
  ) throws(StoreError) -> EntityID {
    let way = entity.references[Int(cell.reference)]
    if way.entityIndex < 0 || row.isNull(way.entityIndex) { return way.destination }
    let number = row.int(way.entityIndex)
    guard let found = way.destinations[number] else {
      throw self.unreadable(
        cell, entity, reference,
        "it points to a row of entity number \(number), which the model does not have")
    }
    return found
  }

  func unreadable(
    _ cell: ReadPlan.Cell, _ entity: ReadPlan.EntityReads, _ reference: Int64, _ detail: String
  ) -> StoreError {
    let column = entity.columns[Int(cell.column)]
    return StoreError(
      .unreadableValue, store: self.file,
      place: .cell(table: self.plan.table.name, row: reference, column: column.column),
      "\(column.property) cannot be read: \(detail)")
  }

  /// The rows read so far, in order. The reader is empty afterwards.
  func finish() -> RowSet {
    var blocks: [RowBlock] = []
    for index in self.builders.indices { blocks.append(self.builders[index].finish()) }
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
