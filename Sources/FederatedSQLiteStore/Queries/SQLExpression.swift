internal import FederatedModel
internal import Foundation

/// What the cells of a computed SQL expression stand for, known before any row is read.
///
/// | kind | cell |
/// | --- | --- |
/// | `bool`, `int` | integer |
/// | `number` | an integer for an integer, a real for a floating-point number |
/// | `double` | real |
/// | `exact` | as `number`; the digits of a decimal as a blob |
/// | `date` | seconds since 2001, integer or real |
/// | `text`, `uri` | text; `uri` where it may be either |
/// | `uuid`, `data` | blob |
/// | `reference` | a row's key |
///
/// nil is null. Where a calculation may end in NaN, which SQLite would make null, it is the empty blob: no
/// number, and not nil either.
enum SQLKind: Int, Hashable, Sendable {
  case null, bool, int, number, double, exact, date, text, uri, uuid, data, reference

  var isNumber: Bool {
    switch self {
    case .bool, .int, .number, .double, .exact: true
    default: false
    }
  }
  var isWhole: Bool { self == .bool || self == .int }
  var isText: Bool { self == .text || self == .uri }

  /// The kind of values of either kind; nil when no comparison could tell their cells apart.
  func united(with other: SQLKind) -> SQLKind? {
    if self == other || other == .null { return self }
    if self == .null { return other }
    if self.isText, other.isText { return .uri }
    // A boolean is no integer to a cast.
    if self == .bool || other == .bool { return nil }
    guard self.isNumber, other.isNumber else { return nil }
    return self == .exact || other == .exact ? .exact : .number
  }
}

/// One value that SQL computes for a row.
struct SQLExpression: Hashable, Sendable {
  var fragment: SQLFragment
  var kind: SQLKind
  /// Whether the cell may be the empty blob that stands for NaN.
  var mayBeNaN = false
  /// For whole numbers and what is calculated from them: no value needs more bits. SQLite's own operators are
  /// the language's as long as no value comes near infinity.
  var bits = Int.max
  /// For references: the hierarchy that they point into.
  var root: EntityID?
  /// Whether the fragment is a column, for which SQLite may use an index.
  var isColumn = false

  static let longestExactBits = 1000
  /// What stands for NaN.
  static let notANumber = "x''"
  static let null = SQLExpression(fragment: SQLFragment("NULL"), kind: .null)

  /// Whether the value is one that is bound, never null.
  var isConstant: Bool { self.fragment.text == "?" }

  /// As a side of an order: NaN has none, and neither has null.
  var ordered: SQLFragment {
    self.mayBeNaN ? "NULLIF(" + self.fragment + ", \(SQLExpression.notANumber))" : self.fragment
  }
}

extension SQLExpression {
  /// A constant in a calculation; nil for lists, and for objects of another store.
  init?(_ value: Value, store: StoreID, model: ManagedObjectModel) {
    func bound(_ cell: SQLValue, _ kind: SQLKind) -> SQLExpression {
      SQLExpression(fragment: SQLFragment("?", [cell]), kind: kind)
    }
    switch value {
    case .null: self = .null
    case .bool(let bool):
      self = bound(.int(bool ? 1 : 0), .bool)
      self.bits = 1
    case .int(let int):
      self = bound(.int(int), .int)
      self.bits = 64
    case .double(let double):
      if double.isNaN { return nil }
      self = bound(.double(double), .double)
    case .decimal(let decimal):
      if decimal.isNaN { return nil }
      self = bound(SQLCell.cell(value), .exact)
    case .date(let date):
      if date.timeIntervalSinceReferenceDate.isNaN { return nil }
      self = bound(SQLCell.cell(value), .date)
    case .string: self = bound(SQLCell.cell(value), .text)
    case .uri: self = bound(SQLCell.cell(value), .uri)
    case .uuid: self = bound(SQLCell.cell(value), .uuid)
    case .data: self = bound(SQLCell.cell(value), .data)
    case .object(let object):
      guard object.store == store, model.entities.indices.contains(object.entity.index) else { return nil }
      self = bound(.int(object.reference), .reference)
      self.root = model[object.entity].root
    case .list: return nil
    }
  }

  /// A column in a calculation; nil for bytes that may stand in another file.
  init?(_ column: ColumnOperand) {
    self.init(fragment: SQLFragment(column.sql), kind: .int, isColumn: true)
    switch column.encoding {
    case .int: self.bits = 64
    case .bool: (self.kind, self.bits) = (.bool, 64)
    case .double: self.kind = .double
    case .decimal:
      self.kind = .exact
      self.fragment = SQLFragment("\(ValueFunctions.decimal)(\(column.sql))")
      self.isColumn = false
    case .date: self.kind = .date
    case .text: self.kind = column.type == .string ? .text : .uri
    case .uuid: self.kind = .uuid
    case .blob: self.kind = .data
    case .prefixedBlob: return nil
    case .reference: (self.kind, self.root) = (.reference, column.root)
    }
  }
}
