package import Foundation

/// A function of single values: the one piece of code that answers it, for the evaluation in memory and for a
/// store that registers it with its database.
package struct ScalarFunction: Sendable {
  package let function: FetchFunction
  /// What `now()` answers.
  let now: Date

  package init(_ function: FetchFunction, now: Date) {
    self.function = function
    self.now = now
  }

  /// - Throws: `predicateTypeMismatch` for a value of a kind that the function does not take.
  package func answer(_ values: [Value]) throws(FetchPredicateError) -> Value {
    let function = self.function
    switch function {
    case .add, .subtract, .multiply, .divide, .modulus, .power:
      return try Arithmetic.calculate(function, values[0], values[1])
    case .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift, .rightShift, .onesComplement:
      return try self.bits(function, values)
    case .abs, .sqrt, .exp, .ln, .log, .ceiling, .floor, .trunc: return try self.real(function, values[0])
    case .uppercase, .lowercase, .canonical, .length: return try self.text(function, values[0])
    case .now: return .date(self.now)
    case .random: return .double(.random(in: 0..<1))
    case .randomn: return try self.random(below: values[0])
    case .cast: return CastType(rawValue: values[1].text ?? "")?.cast(values[0]) ?? .null
    case .function: return try self.send(values)
    case .noindex: return values[0]
    default:
      throw FetchPredicateError(.unsupportedFunction, subject: function.rawValue, "is not evaluated")
    }
  }

  // MARK: Numbers

  private func bits(_ function: FetchFunction, _ values: [Value]) throws(FetchPredicateError) -> Value {
    var integers: [Int64] = []
    for value in values {
      switch value {
      case .null: return .null
      case .int(let int): integers.append(int)
      case .bool(let bool): integers.append(bool ? 1 : 0)
      default:
        throw FetchPredicateError(
          .predicateTypeMismatch, subject: function.infix ?? function.rawValue,
          "takes integers, not \(value.kindName)")
      }
    }
    switch function {
    case .bitwiseAnd: return .int(integers[0] & integers[1])
    case .bitwiseOr: return .int(integers[0] | integers[1])
    case .bitwiseXor: return .int(integers[0] ^ integers[1])
    case .leftShift: return .int(integers[0] << integers[1])
    case .rightShift: return .int(integers[0] >> integers[1])
    default: return .int(~integers[0])
    }
  }

  private func real(_ function: FetchFunction, _ value: Value) throws(FetchPredicateError) -> Value {
    let number = try Arithmetic.number(value, function)
    switch (function, number) {
    case (_, .null): return .null
    case (.abs, .int(let int)): return int == .min ? .double(Double(int).magnitude) : .int(Swift.abs(int))
    case (.abs, .decimal(let decimal)): return .decimal(Swift.abs(decimal))
    case (.abs, _): return .double(Arithmetic.double(number).magnitude)
    case (.ceiling, .int), (.floor, .int), (.trunc, .int): return number
    case (.ceiling, .decimal(let decimal)): return .decimal(decimal.rounded(.up))
    case (.floor, .decimal(let decimal)): return .decimal(decimal.rounded(.down))
    case (.trunc, .decimal(let decimal)): return .decimal(decimal.truncated)
    default: break
    }
    let double = Arithmetic.double(number)
    switch function {
    case .sqrt: return .double(double.squareRoot())
    case .exp: return .double(Foundation.exp(double))
    case .ln: return .double(Foundation.log(double))
    case .log: return .double(Foundation.log10(double))
    case .ceiling: return .double(double.rounded(.up))
    case .floor: return .double(double.rounded(.down))
    default: return .double(double.rounded(.towardZero))
    }
  }

  private func random(below bound: Value) throws(FetchPredicateError) -> Value {
    guard case .int(let bound) = try Arithmetic.number(bound, .randomn), bound > 0 else {
      throw FetchPredicateError(.predicateTypeMismatch, subject: "randomn", "takes an integer above 0")
    }
    return .int(.random(in: 0..<bound))
  }

  // MARK: Text

  private func text(_ function: FetchFunction, _ value: Value) throws(FetchPredicateError) -> Value {
    if value.isNull { return .null }
    guard let text = value.text else {
      throw FetchPredicateError(
        .predicateTypeMismatch, subject: function.rawValue, "takes text, not \(value.kindName)")
    }
    switch function {
    case .uppercase: return .string(text.uppercased())
    case .lowercase: return .string(text.lowercased())
    case .canonical: return .string(StringMatching.fold(text, [.caseInsensitive, .diacriticInsensitive]))
    default: return .int(Int64(StringMatching.length(text)))
    }
  }

  /// `FUNCTION(receiver, "selector:", …)`.
  private func send(_ values: [Value]) throws(FetchPredicateError) -> Value {
    switch values[1].text.flatMap(FetchFunction.Selector.init(rawValue:)) {
    case .length: return try self.text(.length, values[0])
    case .uppercaseString: return try self.text(.uppercase, values[0])
    case .lowercaseString: return try self.text(.lowercase, values[0])
    case .dateByAddingTimeInterval where values.count == 3:
      let seconds = try Arithmetic.number(values[2], .function)
      switch (values[0], seconds) {
      case (.null, _), (_, .null): return .null
      case (.date(let date), _): return .date(date.addingTimeInterval(Arithmetic.double(seconds)))
      default:
        throw FetchPredicateError(
          .predicateTypeMismatch, subject: "dateByAddingTimeInterval:",
          "is sent to a date, not to \(values[0].kindName)")
      }
    default:
      throw FetchPredicateError(
        .unsupportedFunction, subject: values[1].description,
        "FUNCTION does not send this")
    }
  }
}

extension CastType {
  /// The value as another type; nil when it has no meaning there.
  func cast(_ value: Value) -> Value {
    switch (self, value) {
    case (_, .null): return .null
    case (.date, .date), (.uuid, .uuid), (.data, .data), (.url, .uri), (.string, .string), (.number, .int),
      (.number, .double), (.number, .decimal), (.decimal, .decimal):
      return value
    case (.number, .bool(let bool)): return .int(bool ? 1 : 0)
    case (.number, .date(let date)): return .double(date.timeIntervalSinceReferenceDate)
    case (.number, .string(let text)):
      return Int64(text).map { .int($0) } ?? Double(text).map { .double($0) } ?? .null
    case (.date, .int), (.date, .double), (.date, .decimal):
      return .date(Date(timeIntervalSinceReferenceDate: Arithmetic.double(value)))
    case (.decimal, .int(let int)): return .decimal(Decimal(int))
    case (.decimal, .bool(let bool)): return .decimal(bool ? 1 : 0)
    case (.decimal, .double(let double)): return ExactNumber.decimal(of: double).map { .decimal($0) } ?? .null
    case (.decimal, .string(let text)): return Decimal(exactText: text).map { .decimal($0) } ?? .null
    case (.uuid, .string(let text)): return UUID(uuidString: text).map { .uuid($0) } ?? .null
    case (.data, .string(let text)): return Data(base64Encoded: text).map { .data($0) } ?? .null
    case (.url, .string(let text)): return .uri(text)
    case (.string, _): return CastType.text(of: value).map { .string($0) } ?? .null
    default: return .null
    }
  }

  private static func text(of value: Value) -> String? {
    switch value {
    case .bool(let bool): bool ? "1" : "0"
    case .int(let int): int.description
    case .double(let double): Int64(exactly: double)?.description ?? double.description
    case .decimal(let decimal): decimal.description
    case .uri(let text): text
    case .uuid(let uuid): uuid.uuidString
    case .data(let data): data.base64EncodedString()
    case .date(let date):
      // Dates beyond the calendar have no text, and asking for one ends the process.
      date.timeIntervalSinceReferenceDate.magnitude < 1e11 ? date.formatted(.iso8601) : nil
    default: nil
    }
  }
}
