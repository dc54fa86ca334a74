internal import CSQLite
internal import FederatedModel
internal import FederatedStore
internal import Foundation

/// Reads cells of result rows as values.
struct CellReader {
  let cell: SelectedCell
  /// Its place in the select list.
  let index: Int32
  let store: StoreID
  let file: URL

  /// - Throws: `unreadableValue` for a cell that holds something else than its column does.
  func value(_ row: Statement) throws(StoreError) -> Value {
    let storage = row.storage(self.index)
    if storage == SQLITE_NULL { return .null }
    guard self.cell.encoding.mayStand(as: storage) else {
      throw self.unreadable("the cell holds a value of another kind; correct it in the file")
    }
    switch self.cell.encoding {
    case .int: return .int(row.int(self.index))
    case .bool: return .bool(row.int(self.index) != 0)
    case .double: return .double(row.double(self.index))
    case .date: return .date(Date(timeIntervalSinceReferenceDate: row.double(self.index)))
    case .text:
      let text = row.string(self.index) ?? ""
      return self.cell.type == .uri ? .uri(text) : .string(text)
    case .blob, .prefixedBlob: return .data(row.data(self.index) ?? Data())
    case .decimal: return .decimal(try self.decimal(row, storage))
    case .uuid: return .uuid(try self.uuid(row, storage))
    case .reference: return .object(try self.object(row))
    }
  }

  private func decimal(_ row: Statement, _ storage: Int32) throws(StoreError) -> Decimal {
    let text: String
    switch storage {
    case SQLITE_INTEGER: return Decimal(row.int(self.index))
    case SQLITE_FLOAT:
      if let packed = PackedDecimal(shortest: row.double(self.index))?.decimal { return packed }
      text = row.double(self.index).description
    default: text = unsafe row.withBlob(self.index) { unsafe String(decoding: $0, as: UTF8.self) }
    }
    guard let decimal = DecimalCell.decimal(text) else {
      throw self.unreadable("\"\(text.prefix(40))\" is no decimal")
    }
    return decimal
  }

  private func uuid(_ row: Statement, _ storage: Int32) throws(StoreError) -> UUID {
    if storage == SQLITE_TEXT, let uuid = row.string(self.index).flatMap(UUID.init(uuidString:)) {
      return uuid
    }
    let bytes = row.data(self.index) ?? Data()
    guard bytes.count == 16 else {
      throw self.unreadable("a UUID has 16 bytes, not \(bytes.count)")
    }
    var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    unsafe withUnsafeMutableBytes(of: &uuid) { unsafe _ = bytes.copyBytes(to: $0) }
    return UUID(uuid: uuid)
  }

  private func object(_ row: Statement) throws(StoreError) -> ManagedObjectID {
    var entity = self.cell.destination
    if self.cell.entitySQL != nil, !row.isNull(self.index + 1) {
      entity = self.cell.destinations[row.int(self.index + 1)]
    }
    guard let entity else {
      throw self.unreadable("it points to a row of an entity that the model does not have")
    }
    return ManagedObjectID(store: self.store, entity: entity, reference: row.int(self.index))
  }

  private func unreadable(_ detail: String) -> StoreError {
    StoreError(
      .unreadableValue, store: self.file,
      place: .cell(table: self.cell.table, row: nil, column: self.cell.column),
      "\(self.cell.property) cannot be read: \(detail)")
  }
}
