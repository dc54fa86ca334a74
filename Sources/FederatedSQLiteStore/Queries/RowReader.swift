internal import CSQLite
internal import FederatedModel
internal import FederatedStore
internal import Foundation

/// Turns result rows into row blocks, one for each concrete entity.
struct RowReader {
  private let plan: ReadPlan
  private let externalData: ExternalData
  private let file: URL
  private var builders: [RowBlockBuilder]
  private var places: [RowPlace] = []
  private(set) var count = 0

  init(_ plan: ReadPlan, file: URL, capacity: Int = 0) {
    self.plan = plan
    self.file = file
    self.externalData = ExternalData(file)
    self.builders = plan.entities.map {
      RowBlockBuilder(layout: $0.layout, capacity: plan.entities.count == 1 ? capacity : 0)
    }
  }

  mutating func read(_ row: Statement) throws(StoreError) {
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
    self.builders[which].beginRow(reference: reference, version: row.int(ReadPlan.versionIndex))
    for cell in self.plan.entities[which].cells {
      let storage = row.storage(cell.index)
      if storage == SQLITE_NULL { continue }
      switch cell.encoding {
      case .int: self.builders[which].set(int: row.int(cell.index), at: cell.slot)
      case .double, .date: self.builders[which].set(double: row.double(cell.index), at: cell.slot)
      case .text:
        let tooLong = unsafe row.withText(cell.index) { bytes in
          if bytes.count > RowBlockBuilder.longestBytes { return true }
          unsafe self.builders[which].set(bytes: bytes, at: cell.slot)
          return false
        }
        if tooLong { throw self.unreadable(cell, reference, "the text is longer than a row can hold") }
      case .bool: self.builders[which].set(bool: row.int(cell.index) != 0, at: cell.slot)
      case .decimal: try self.readDecimal(row, storage, cell, reference, which)
      case .blob, .uuid, .prefixedBlob: try self.readBytes(row, storage, cell, reference, which)
      case .reference: try self.readReference(row, cell, reference, which)
      }
    }
  }

  private mutating func readReference(
    _ row: Statement, _ cell: ReadPlan.CellRead, _ reference: Int64, _ which: Int
  )
    throws(StoreError)
  {
    var entity = cell.destination
    if cell.entityIndex >= 0, !row.isNull(cell.entityIndex) {
      let number = row.int(cell.entityIndex)
      guard let found = cell.destinations[number] else {
        throw self.unreadable(
          cell, reference, "it points to a row of entity number \(number), which the model does not have")
      }
      entity = found
    }
    self.builders[which].set(reference: row.int(cell.index), entity: entity, at: cell.slot)
  }

  private mutating func readDecimal(
    _ row: Statement, _ storage: Int32, _ cell: ReadPlan.CellRead, _ reference: Int64, _ which: Int
  ) throws(StoreError) {
    switch storage {
    case SQLITE_FLOAT: self.builders[which].set(decimalFrom: row.double(cell.index), at: cell.slot)
    case SQLITE_INTEGER:
      let value = row.int(cell.index)
      if let packed = PackedDecimal(mantissa: value, exponent: 0) {
        self.builders[which].set(word: packed.word, at: cell.slot)
      } else {
        self.builders[which].set(decimal: Decimal(value), at: cell.slot)
      }
    default:
      let text = unsafe row.withBlob(cell.index) { unsafe String(decoding: $0, as: UTF8.self) }
      guard let decimal = DecimalCell.decimal(text) else {
        throw self.unreadable(cell, reference, "\"\(text.prefix(40))\" is no decimal")
      }
      self.builders[which].set(decimal: decimal, at: cell.slot)
    }
  }

  private mutating func readBytes(
    _ row: Statement, _ storage: Int32, _ cell: ReadPlan.CellRead, _ reference: Int64, _ which: Int
  ) throws(StoreError) {
    if cell.encoding == .uuid, storage == SQLITE_TEXT {
      guard let uuid = row.string(cell.index).flatMap(UUID.init(uuidString:)) else {
        throw self.unreadable(cell, reference, "the text is no UUID")
      }
      self.builders[which].set(uuid: uuid, at: cell.slot)
      return
    }
    if cell.encoding == .prefixedBlob {
      let content: Data
      do { content = try self.externalData.content(of: row.data(cell.index) ?? Data()) } catch {
        throw error.at(.cell(table: self.plan.table.name, row: reference, column: cell.column))
      }
      if content.count > RowBlockBuilder.longestBytes {
        throw self.unreadable(cell, reference, "the data are longer than a row can hold")
      }
      self.builders[which].set(data: content, at: cell.slot)
      return
    }
    let count = unsafe row.withBlob(cell.index) { bytes in
      if bytes.count <= RowBlockBuilder.longestBytes, cell.encoding == .blob || bytes.count == 16 {
        unsafe self.builders[which].set(bytes: bytes, at: cell.slot)
      }
      return bytes.count
    }
    if cell.encoding == .uuid, count != 16 {
      throw self.unreadable(cell, reference, "a UUID has 16 bytes, not \(count)")
    }
    if count > RowBlockBuilder.longestBytes {
      throw self.unreadable(cell, reference, "the data are longer than a row can hold")
    }
  }

  private func unreadable(_ cell: ReadPlan.CellRead, _ reference: Int64, _ detail: String) -> StoreError {
    StoreError(
      .unreadableValue, store: self.file,
      place: .cell(table: self.plan.table.name, row: reference, column: cell.column),
      "\(cell.property) cannot be read: \(detail)")
  }

  /// The rows read so far, in order. The reader is empty afterwards.
  mutating func finish() -> RowSet {
    var blocks: [RowBlock] = []
    for index in self.builders.indices { blocks.append(self.builders[index].finish()) }
    defer {
      self.places = []
      self.count = 0
    }
    return self.plan.entityIndex.isEmpty ? RowSet(blocks) : RowSet(blocks, order: self.places)
  }
}
