import Foundation

extension AttributeType {
  /// The value in the kind that an attribute of this type stores: `7` for a double becomes `7.0`.
  ///
  /// Numbers change kind only when nothing is lost.
  /// - Returns: nil when the value is no value of this type. ``Value/null`` is one of every type.
  package func normalized(_ value: Value) -> Value? {
    switch (self, value) {
    case (_, .null): .null
    case (.undefined, _): value
    case (.integer16, _): Self.integer(value, within: Int64(Int16.min)...Int64(Int16.max))
    case (.integer32, _): Self.integer(value, within: Int64(Int32.min)...Int64(Int32.max))
    case (.integer64, _): Self.integer(value, within: .min ... .max)
    case (.decimal, .decimal): value
    case (.decimal, .int(let number)): .decimal(Decimal(number))
    case (.decimal, .double(let number)):
      Decimal(string: number.description, locale: nil).map(Value.decimal)
    case (.double, .double), (.float, .double): value
    case (.double, .int(let number)), (.float, .int(let number)):
      Double(exactly: number).map(Value.double)
    case (.double, .decimal(let number)), (.float, .decimal(let number)):
      Double(number.description).map(Value.double)
    case (.string, .string), (.date, .date), (.binary, .data), (.uuid, .uuid), (.uri, .uri): value
    case (.boolean, .bool): value
    case (.boolean, .int(0)): .bool(false)
    case (.boolean, .int(1)): .bool(true)
    case (.uuid, .string(let text)): UUID(uuidString: text).map(Value.uuid)
    case (.uri, .string(let text)): .uri(text)
    case (.transformable, .data): value
    default: nil
    }
  }

  private static func integer(_ value: Value, within range: ClosedRange<Int64>) -> Value? {
    let number: Int64? =
      switch value {
      case .int(let number): number
      case .double(let number): Int64(exactly: number)
      case .decimal(let number): Int64(number.description)
      default: nil
      }
    return number.flatMap { range.contains($0) ? .int($0) : nil }
  }
}
