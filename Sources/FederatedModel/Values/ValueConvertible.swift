public import Foundation

/// A Swift type whose values stand for a ``Value``: what typed attributes and predicate constants are made of.
public protocol ValueConvertible: PredicateArgument {
  /// - Returns: nil when the value is of another kind, or does not fit.
  init?(value: Value)
  var value: Value { get }
}

extension ValueConvertible {
  public var predicateArgument: Value { self.value }
}

extension Value: ValueConvertible {
  public init?(value: Value) { self = value }
  public var value: Value { self }
}

extension Bool: ValueConvertible {
  public init?(value: Value) {
    switch value {
    case .bool(let bool): self = bool
    case .int(0): self = false
    case .int(1): self = true
    default: return nil
    }
  }
  public var value: Value { .bool(self) }
}

extension ValueConvertible where Self: FixedWidthInteger {
  public init?(value: Value) {
    switch value {
    case .int(let int): self.init(exactly: int)
    case .bool(let bool): self = bool ? 1 : 0
    default: return nil
    }
  }
  /// An integer beyond `Int64.max` becomes a decimal, so no digit is lost.
  public var value: Value {
    if let int = Int64(exactly: self) { return .int(int) }
    return .decimal(Decimal(string: self.description, locale: nil) ?? .nan)
  }
}

extension Int: ValueConvertible {}
extension Int8: ValueConvertible {}
extension Int16: ValueConvertible {}
extension Int32: ValueConvertible {}
extension Int64: ValueConvertible {}
extension UInt: ValueConvertible {}
extension UInt8: ValueConvertible {}
extension UInt16: ValueConvertible {}
extension UInt32: ValueConvertible {}
extension UInt64: ValueConvertible {}

extension Double: ValueConvertible {
  /// Takes an integer too, when the double is exactly it.
  public init?(value: Value) {
    switch value {
    case .double(let double): self = double
    case .int(let int): self.init(exactly: int)
    default: return nil
    }
  }
  public var value: Value { .double(self) }
}

extension Float: ValueConvertible {
  public init?(value: Value) {
    guard let double = Double(value: value) else { return nil }
    self.init(double)
  }
  public var value: Value { .double(Double(self)) }
}

extension Decimal: ValueConvertible {
  public init?(value: Value) {
    switch value {
    case .decimal(let decimal): self = decimal
    case .int(let int): self = Decimal(int)
    default: return nil
    }
  }
  public var value: Value { .decimal(self) }
}

extension String: ValueConvertible {
  public init?(value: Value) {
    guard case .string(let string) = value else { return nil }
    self = string
  }
  public var value: Value { .string(self) }
}

extension Date: ValueConvertible {
  public init?(value: Value) {
    guard case .date(let date) = value else { return nil }
    self = date
  }
  public var value: Value { .date(self) }
}

extension Data: ValueConvertible {
  public init?(value: Value) {
    guard case .data(let data) = value else { return nil }
    self = data
  }
  public var value: Value { .data(self) }
}

extension UUID: ValueConvertible {
  public init?(value: Value) {
    guard case .uuid(let uuid) = value else { return nil }
    self = uuid
  }
  public var value: Value { .uuid(self) }
}

extension URL: ValueConvertible {
  public init?(value: Value) {
    guard case .uri(let text) = value else { return nil }
    self.init(string: text)
  }
  public var value: Value { .uri(self.absoluteString) }
}

extension ManagedObjectID: ValueConvertible {
  public init?(value: Value) {
    guard case .object(let id) = value else { return nil }
    self = id
  }
  public var value: Value { .object(self) }
}

extension Optional: ValueConvertible where Wrapped: ValueConvertible {
  public init?(value: Value) {
    if value.isNull {
      self = .none
    } else if let wrapped = Wrapped(value: value) {
      self = .some(wrapped)
    } else {
      return nil
    }
  }
  public var value: Value { self?.value ?? .null }
}
