import Foundation

/// A value travels under the name of its kind: `{"int": 7}`, `{"date": 0.5}`, `{"null": true}`.
///
/// Dates are seconds since 2001-01-01 UTC, decimals their digits, data base64. Numbers that are not finite
/// are texts (`"nan"`, `"inf"`, `"-inf"`), since not every coder takes them.
extension Value: Codable {
  private enum Kind: String, CodingKey, CaseIterable {
    case null, bool, int, double, decimal, string, date, data, uuid, uri, object, list
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Kind.self)
    switch self {
    case .null: try container.encode(true, forKey: .null)
    case .bool(let value): try container.encode(value, forKey: .bool)
    case .int(let value): try container.encode(value, forKey: .int)
    case .double(let value): try container.encode(CodableDouble(value: value), forKey: .double)
    case .decimal(let value): try container.encode(value.description, forKey: .decimal)
    case .string(let value): try container.encode(value, forKey: .string)
    case .date(let value):
      try container.encode(CodableDouble(value: value.timeIntervalSinceReferenceDate), forKey: .date)
    case .data(let value): try container.encode(value.base64EncodedString(), forKey: .data)
    case .uuid(let value): try container.encode(value, forKey: .uuid)
    case .uri(let value): try container.encode(value, forKey: .uri)
    case .object(let value): try container.encode(value, forKey: .object)
    case .list(let values): try container.encode(values, forKey: .list)
    }
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Kind.self)
    guard let kind = container.allKeys.first, container.allKeys.count == 1 else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "a value has exactly one kind"))
    }
    switch kind {
    case .null: self = .null
    case .bool: self = .bool(try container.decode(Bool.self, forKey: kind))
    case .int: self = .int(try container.decode(Int64.self, forKey: kind))
    case .double: self = .double(try container.decode(CodableDouble.self, forKey: kind).value)
    case .decimal:
      self = .decimal(try container.decodeText(forKey: kind, "a decimal") { Decimal(exactText: $0) })
    case .string: self = .string(try container.decode(String.self, forKey: kind))
    case .date:
      let seconds = try container.decode(CodableDouble.self, forKey: kind).value
      self = .date(Date(timeIntervalSinceReferenceDate: seconds))
    case .data: self = .data(try container.decodeText(forKey: kind, "base64") { Data(base64Encoded: $0) })
    case .uuid: self = .uuid(try container.decode(UUID.self, forKey: kind))
    case .uri: self = .uri(try container.decode(String.self, forKey: kind))
    case .object: self = .object(try container.decode(ManagedObjectID.self, forKey: kind))
    case .list: self = .list(try container.decode([Value].self, forKey: kind))
    }
  }
}

private struct CodableDouble: Codable {
  let value: Double

  init(value: Double) { self.value = value }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if self.value.isFinite {
      try container.encode(self.value)
    } else {
      try container.encode(self.value.isNaN ? "nan" : self.value < 0 ? "-inf" : "inf")
    }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      self.value = try container.decode(Double.self)
    } catch DecodingError.typeMismatch {
      let text = try container.decode(String.self)
      guard let value = Double(text) else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(text) is no number")
      }
      self.value = value
    }
  }
}

extension KeyedDecodingContainer {
  fileprivate func decodeText<T>(forKey key: Key, _ expected: String, _ read: (String) -> T?) throws -> T {
    let text = try self.decode(String.self, forKey: key)
    guard let value = read(text) else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: "\"\(text)\" is not \(expected)")
    }
    return value
  }
}
