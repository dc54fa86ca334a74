internal import FederatedModel
internal import Foundation

/// How values lie in the cells of computed expressions, by ``SQLKind``.
enum SQLCell {
  static func cell(_ value: Value) -> SQLValue {
    switch value {
    case .null, .list: .null
    case .bool(let bool): .int(bool ? 1 : 0)
    case .int(let int): .int(int)
    case .double(let double): self.cell(double)
    case .decimal(let decimal): .blob(decimal.isNaN ? Data() : Data(DecimalCell.text(decimal).utf8))
    case .date(let date): self.cell(date.timeIntervalSinceReferenceDate)
    case .string(let text), .uri(let text): .text(text)
    case .uuid(let uuid): .blob(uuid.bytes)
    case .data(let data): .blob(data)
    case .object(let object): .int(object.reference)
    }
  }

  private static func cell(_ double: Double) -> SQLValue { double.isNaN ? .blob(Data()) : .double(double) }

  /// - Returns: nil when the cell holds no value of the kind.
  static func value(_ cell: SQLValue, _ kind: SQLKind) -> Value? {
    switch (cell, kind) {
    case (.null, _): .null
    case (.int(let int), .bool): .bool(int != 0)
    case (.int(let int), .date): .date(Date(timeIntervalSinceReferenceDate: Double(int)))
    case (.double(let double), .date): .date(Date(timeIntervalSinceReferenceDate: double))
    case (.int(let int), _): .int(int)
    case (.double(let double), _): .double(double)
    case (.text(let text), .uri): .uri(text)
    case (.text(let text), _): .string(text)
    case (.blob(let bytes), .data): .data(bytes)
    case (.blob(let bytes), .uuid): UUID(bytes: bytes).map { .uuid($0) }
    case (.blob(let bytes), .date): bytes.isEmpty ? .date(Date(timeIntervalSinceReferenceDate: .nan)) : nil
    case (.blob(let bytes), _):
      bytes.isEmpty
        ? .double(.nan) : DecimalCell.decimal(String(decoding: bytes, as: UTF8.self)).map { .decimal($0) }
    }
  }
}

extension UUID {
  fileprivate init?(bytes: Data) {
    guard bytes.count == 16 else { return nil }
    var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    unsafe withUnsafeMutableBytes(of: &uuid) { unsafe _ = bytes.copyBytes(to: $0) }
    self.init(uuid: uuid)
  }
}
