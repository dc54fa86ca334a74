import FederatedData

/// One object as it is printed: who it is, and the keys that were asked for.
struct ResultRecord {
  let entity: String
  /// The object's URI.
  let id: String
  let fields: [Field]

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

  func writer(to output: ResultOutput, columns: [String]) -> any ResultWriter {
    switch self {
    case .json: JSONResultWriter(output: output, style: .array)
    case .jsonl: JSONResultWriter(output: output, style: .lines)
    case .csv: CSVResultWriter(output: output, columns: columns)
    case .table: TableResultWriter(output: output, columns: columns)
    }
  }
}

/// Prints records one by one. `end` is called once, also when there were none.
protocol ResultWriter: AnyObject {
  func write(_ record: ResultRecord) throws
  func end() throws
}
