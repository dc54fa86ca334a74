public import Foundation

/// Turns the values of a transformable attribute into bytes and back, under a name that the model knows.
///
/// Stores hold the bytes. A ``Value`` of a transformable attribute is ``Value/data(_:)``; typed access goes
/// through the codec that the attribute names.
///
/// ```swift
/// struct Colour: Codable, Sendable { var red, green, blue: Double }
/// draft.codecs = [.json("Colour", Colour.self)]
/// AttributeDescription("tint", .transformable(codec: "Colour"))
/// ```
public struct TransformableCodec: Sendable {
  /// The name that ``AttributeType/transformable(codec:)`` gives. In a model file it is the value
  /// transformer's name.
  public let name: String
  public let valueType: any Sendable.Type
  private let encoding: @Sendable (any Sendable) throws -> Data
  private let decoding: @Sendable (Data) throws -> any Sendable

  public init<T: Sendable>(
    _ name: String, _ type: T.Type, encode: @escaping @Sendable (T) throws -> Data,
    decode: @escaping @Sendable (Data) throws -> T
  ) {
    self.name = name
    self.valueType = type
    self.encoding = { value in
      guard let value = value as? T else {
        throw TransformableCodecError(
          codec: name, detail: "it takes a \(T.self), not a \(Swift.type(of: value))")
      }
      return try encode(value)
    }
    self.decoding = { try decode($0) }
  }

  /// A codec that writes JSON with sorted keys, so that equal values give equal bytes.
  public static func json<T: Codable & Sendable>(_ name: String, _ type: T.Type) -> TransformableCodec {
    TransformableCodec(
      name, type,
      encode: { value in
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
      },
      decode: { try JSONDecoder().decode(T.self, from: $0) })
  }

  /// - Throws: ``TransformableCodecError`` when the value is of another type or cannot be written.
  public func encode(_ value: any Sendable) throws(TransformableCodecError) -> Data {
    do { return try self.encoding(value) } catch { throw self.error(error, "the value cannot be written") }
  }

  /// - Throws: ``TransformableCodecError`` when the bytes are none that the codec wrote, or `type` is another.
  public func decode<T>(_ data: Data, as type: T.Type = T.self) throws(TransformableCodecError) -> T {
    let value: any Sendable
    do { value = try self.decoding(data) } catch {
      throw self.error(error, "\(data.count) bytes cannot be read")
    }
    guard let value = value as? T else {
      throw TransformableCodecError(
        codec: self.name, detail: "it makes a \(self.valueType), not a \(T.self)")
    }
    return value
  }

  private func error(_ error: any Error, _ what: String) -> TransformableCodecError {
    if let error = error as? TransformableCodecError { return error }
    return TransformableCodecError(codec: self.name, detail: "\(what): \(error)")
  }
}

/// Why a codec refused a value or bytes.
public struct TransformableCodecError: Error, Hashable, CustomStringConvertible {
  public let codec: String
  public let detail: String

  public var description: String { "Codec \"\(self.codec)\": \(self.detail)" }
}
