package import FederatedModel
package import Foundation

/// How the key of a row in a file made by others is written in one text: as its name in URIs, and to compare keys.
package enum RowKeys {
  /// One value is its canonical text; several are joined by commas, with commas and percent signs inside them escaped.
  ///
  /// `7` and `007` are one key of an integer attribute, and two of a string attribute.
  /// - Returns: nil when a part is nil.
  package static func text(of values: [Value]) -> String? {
    if values.count == 1 { return self.text(of: values[0]) }
    var parts: [String] = []
    for value in values {
      guard let text = self.text(of: value) else { return nil }
      parts.append(text.replacing("%", with: "%25").replacing(",", with: "%2C"))
    }
    return parts.joined(separator: ",")
  }

  private static func text(of value: Value) -> String? {
    switch value {
    case .null, .object, .list: nil
    case .string(let text), .uri(let text): text
    case .int(let number): String(number)
    case .bool(let flag): flag ? "true" : "false"
    case .double(let number): number == 0 ? "0.0" : number.description
    case .decimal(let number): number.description
    case .date(let date): date.timeIntervalSinceReferenceDate.description
    case .uuid(let uuid): uuid.uuidString.lowercased()
    case .data(let data): data.base64EncodedString()
    }
  }

  /// The error of a new row whose key has a part that is nil.
  package static func missing(_ attribute: String, of entity: String, store: URL?) -> StoreError {
    StoreError(
      .unstorableValue, store: store, place: .property(entity: entity, reference: nil, property: attribute),
      "\(attribute) is part of the key of \(entity) and nil; set it before the save")
  }
}
