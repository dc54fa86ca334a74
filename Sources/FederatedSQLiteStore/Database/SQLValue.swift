internal import FederatedModel
internal import Foundation

/// What a statement binds: one of SQLite's storage classes.
enum SQLValue: Hashable, Sendable {
  case null
  case int(Int64)
  case double(Double)
  case text(String)
  case blob(Data)

  static func == (left: SQLValue, right: SQLValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.int(let a), .int(let b)): a == b
    case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
    // Swift takes canonically equivalent texts as equal; SQLite compares bytes.
    case (.text(let a), .text(let b)): a.utf8.elementsEqual(b.utf8)
    case (.blob(let a), .blob(let b)): a == b
    default: false
    }
  }

  func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .int(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value.bitPattern)
    case .text(let value):
      hasher.combine(2)
      for byte in value.utf8 { hasher.combine(byte) }
    case .blob(let value): hasher.combine(value)
    }
  }

  /// The binding as explanations show it.
  var value: Value {
    switch self {
    case .null: .null
    case .int(let value): .int(value)
    case .double(let value): .double(value)
    case .text(let value): .string(value)
    case .blob(let value): .data(value)
    }
  }
}
