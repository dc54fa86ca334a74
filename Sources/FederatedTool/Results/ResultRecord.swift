import FederatedData

/// One object, or one line of columns, as it is printed: who it is, and the keys that were asked for.
struct ResultRecord {
  /// Nil for a line of columns, which may stand for many objects.
  let identity: Identity?
  let fields: [Field]

  struct Identity {
    let entity: String
    /// The object's URI.
    let id: String
  }

  init(entity: String, id: String, fields: [Field]) {
    self.identity = Identity(entity: entity, id: id)
    self.fields = fields
  }

  init(line fields: [Field]) {
    self.identity = nil
    self.fields = fields
  }

  struct Field {
    let key: String
    let content: Content
  }

  indirect enum Content {
    case value(Value, AttributeType)
    /// A to-one that was asked for by `--with`.
    case object(ResultRecord?)
    /// A to-many or fetched property that was asked for by `--with`.
    case list([ResultRecord])
  }
}

/// A form that results take on standard output.
enum ResultFormat: String, CaseIterable {
  case table, json, jsonl, csv

  /// Whether an object can stand inside another one.
  var nests: Bool { self == .json || self == .jsonl }

  /// - Parameter areObjects: whether records have an identity, which forms with fixed columns print first.
  func writer(to output: ResultOutput, columns: [String], areObjects: Bool = true) -> any ResultWriter {
    switch self {
    case .json: JSONResultWriter(output: output, style: .array)
    case .jsonl: JSONResultWriter(output: output, style: .lines)
    case .csv: CSVResultWriter(output: output, columns: (areObjects ? ["$entity", "$id"] : []) + columns)
    case .table: TableResultWriter(output: output, columns: (areObjects ? ["$id"] : []) + columns)
    }
  }
}

/// Prints records one by one. `end` is called once, also when there were none.
protocol ResultWriter: AnyObject {
  func write(_ record: ResultRecord) throws
  func end() throws
}
