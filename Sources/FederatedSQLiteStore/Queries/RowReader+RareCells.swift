internal import CSQLite
internal import FederatedModel
internal import FederatedStore
internal import Foundation

extension RowReader {
  /// Reads a cell into the row that was added last: decimals with many digits, UUIDs, data that may stand
  /// outside.
  func read(
    _ row: Statement, _ cell: ReadPlan.Cell, _ which: Int, _ reference: Int64,
    _ builder: inout RowBlockBuilder
  ) throws(StoreError) {
    let slot = Int(cell.slot)
    switch cell.encoding {
    case .decimal: builder.set(decimal: try self.decimal(row, cell, which, reference), at: slot)
    case .uuid: builder.set(uuid: try self.uuid(row, cell, which, reference), at: slot)
    default:
      let content: Data
      do throws(StoreError) {
        content = try self.externalData.content(of: row.data(cell.index) ?? Data())
      } catch {
        let column = self.plan.entities[which].columns[Int(cell.column)].column
        throw error.at(.cell(table: self.plan.table.name, row: reference, column: column))
      }
      if content.count > RowBlockBuilder.longestBytes {
        throw self.unreadable(cell, which, reference, "the data are longer than a row can hold")
      }
      builder.set(data: content, at: slot)
    }
  }

  private func decimal(
    _ row: Statement, _ cell: ReadPlan.Cell, _ which: Int, _ reference: Int64
  ) throws(StoreError) -> Decimal {
    let text: String
    switch row.storage(cell.index) {
    case SQLITE_INTEGER: return Decimal(row.int(cell.index))
    case SQLITE_FLOAT: text = row.double(cell.index).description
    default: text = unsafe row.withBlob(cell.index) { unsafe String(decoding: $0, as: UTF8.self) }
    }
    guard let decimal = DecimalCell.decimal(text) else {
      throw self.unreadable(cell, which, reference, "\"\(text.prefix(40))\" is no decimal")
    }
    return decimal
  }

  private func uuid(
    _ row: Statement, _ cell: ReadPlan.Cell, _ which: Int, _ reference: Int64
  ) throws(StoreError) -> UUID {
    if row.storage(cell.index) == SQLITE_TEXT,
      let uuid = row.string(cell.index).flatMap(UUID.init(uuidString:))
    {
      return uuid
    }
    let bytes = row.data(cell.index) ?? Data()
    guard bytes.count == 16 else {
      throw self.unreadable(cell, which, reference, "a UUID has 16 bytes, not \(bytes.count)")
    }
    var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    unsafe withUnsafeMutableBytes(of: &uuid) { unsafe _ = bytes.copyBytes(to: $0) }
    return UUID(uuid: uuid)
  }
}
