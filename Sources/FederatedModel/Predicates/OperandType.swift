/// What binding knows of an operand before any row is read.
indirect enum OperandType: Hashable {
  /// Nothing: a key of a subject without an entity, or operands of several kinds.
  case unknown
  case null
  /// Integers, floating-point numbers, decimals and booleans.
  case number
  /// Strings and URIs.
  case text
  case date, data, uuid
  /// An object; nil when its entity is not known.
  case object(EntityID?)
  case collection(OperandType, isOrdered: Bool)

  init(_ type: AttributeType) {
    switch type {
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean: self = .number
    case .string, .uri: self = .text
    case .date: self = .date
    case .uuid: self = .uuid
    case .binary, .transformable: self = .data
    case .undefined, .composite: self = .unknown
    }
  }

  init(_ value: Value) {
    switch value {
    case .null: self = .null
    case .bool, .int, .double, .decimal: self = .number
    case .string, .uri: self = .text
    case .date: self = .date
    case .data: self = .data
    case .uuid: self = .uuid
    case .object(let id): self = .object(id.entity)
    case .list(let values):
      self = .collection(OperandType.common(values.map { OperandType($0) }), isOrdered: true)
    }
  }

  /// The one type of several operands: nil takes any, unlike ones are unknown together.
  static func common(_ types: [OperandType]) -> OperandType {
    var common = OperandType.null
    for type in types where type != .null && type != common {
      switch (common, type) {
      case (.null, _): common = type
      case (.object, .object): common = .object(nil)
      default: return .unknown
      }
    }
    return common == .null && types.isEmpty ? .unknown : common
  }

  /// The type of the elements; nil for what is certainly no collection.
  var element: OperandType? {
    switch self {
    case .collection(let element, _): element
    case .unknown, .null: .unknown
    default: nil
    }
  }

  var isCollection: Bool { if case .collection = self { true } else { false } }

  func mayBe(_ kinds: OperandType...) -> Bool { self == .unknown || self == .null || kinds.contains(self) }

  /// For messages.
  var name: String {
    switch self {
    case .unknown: "a value"
    case .null: "nil"
    case .number: "a number"
    case .text: "text"
    case .date: "a date"
    case .data: "data"
    case .uuid: "a UUID"
    case .object: "an object"
    case .collection: "a collection"
    }
  }
}
