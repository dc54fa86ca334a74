import Foundation

/// One thing that a model says of an entity, a property or another item: its name and its value.
///
/// A fact is there whether or not the model departs from what is usual, so that two models can be compared fact by
/// fact; ``isUsual`` leaves out of print what nobody needs to be told.
public struct ModelFact: Hashable, Sendable {
  /// A stable word: `type`, `optional`, `default`, `deleteRule`, `predicate`.
  public let name: String
  /// Which of several facts of one name: the key of a user info entry, the name of an index; nil for all others.
  public let key: String?
  /// Null when the model says nothing.
  public let value: Value
  /// Whether this is what a description says that was left as it was made.
  public let isUsual: Bool
  /// What is compared in place of ``value``: two spellings of one condition are equal.
  let compared: Value

  init(
    _ name: String, key: String? = nil, _ value: Value, usually usual: Value = .null, compared: Value? = nil
  ) {
    self.name = name
    self.key = key
    self.value = value
    self.isUsual = value == usual
    self.compared = compared ?? value
  }

  init(_ name: String, _ flag: Bool, usually usual: Bool = false) {
    self.init(name, .bool(flag), usually: .bool(usual))
  }

  init(_ name: String, key: String? = nil, _ text: String?) {
    self.init(name, key: key, text.map(Value.string) ?? .null)
  }

  init(_ name: String, _ number: Int, usually usual: Int = 0) {
    self.init(name, .int(Int64(number)), usually: .int(Int64(usual)))
  }

  /// The name with the key: `userInfo search`.
  public var title: String { self.key.map { "\(self.name) \($0)" } ?? self.name }

  /// The value in words; nil for null and for an empty list.
  public var text: String? { Self.text(self.value, of: self.name) }

  /// A value of the fact of that name in words; nil for none. Defaults are literals, so that the text `"5"` and the
  /// number 5 differ; dates are ISO 8601 in UTC.
  static func text(_ value: Value, of name: String) -> String? {
    switch value {
    case .null: nil
    case .bool(let flag): flag ? "true" : "false"
    case .string(let text) where !text.isEmpty && !self.literals.contains(name): text
    case .decimal(let number): number.description
    case .uuid(let uuid): uuid.uuidString
    case .date(let date): date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    case .list([]): nil
    case .list(let values): values.map { self.text($0, of: name) ?? "nil" }.joined(separator: "; ")
    default: value.description
    }
  }

  /// Whether the value says what an object holds, and not what the model says of it.
  var isLiteral: Bool { Self.literals.contains(self.name) }

  private static let literals: Set<String> = ["default", "minimum", "maximum"]
}
