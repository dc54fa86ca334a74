import FederatedModel
import Foundation

/// Values of archives: defaults, and constants of predicates.
extension ArchivedValue {
  /// - Throws: ``ModelFileError`` with `unsupportedObject` for an object of a class that is no value here.
  func constant() throws(ModelFileError) -> Value {
    switch self.node {
    case .null: return .null
    case .flag(let flag): return .bool(flag)
    case .integer(let number): return .int(number)
    case .real(let number): return .double(number)
    case .text(let text): return .string(text)
    case .data(let data): return .data(data)
    case .date(let date): return .date(date)
    case .list: return .list(try self.members())
    case .reference: throw self.error(.malformedArchive, "The object is a bare reference.")
    case .fields: return try self.object()
    }
  }

  private func members() throws(ModelFileError) -> [Value] {
    var values: [Value] = []
    for element in try self.elements() {
      if try element.isCollection() { throw self.unsupported("a list inside a list") }
      values.append(try element.constant())
    }
    return values
  }

  private func object() throws(ModelFileError) -> Value {
    let classes = try self.classes()
    if classes.contains("NSString") { return .string(try self.text()) }
    if classes.contains("NSNull") { return .null }
    if classes.contains("NSDecimalNumber") { return .decimal(try self.decimal()) }
    if classes.contains("NSNumber") { return try self.boxedNumber() }
    if try self.isCollection() { return .list(try self.members()) }
    if classes.contains("NSDate") {
      let seconds = try self.required("NS.time").constant()
      switch seconds {
      case .double(let seconds) where seconds.isFinite:
        return .date(Date(timeIntervalSinceReferenceDate: seconds))
      case .int(let seconds): return .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
      default: throw self.error(.malformedArchive, "The date has no moment.")
      }
    }
    if classes.contains("NSData"), case .data(let data) = try self.required("NS.data").node {
      return .data(data)
    }
    if classes.contains("NSUUID"), case .data(let data) = try self.required("NS.uuidbytes").node,
      let uuid = UUID(bytes: data)
    {
      return .uuid(uuid)
    }
    if classes.contains("NSURL") {
      let relative = try self.required("NS.relative").text()
      guard let base = try self.field("NS.base") else { return .uri(relative) }
      guard case .uri(let text) = try base.constant(), let base = URL(string: text),
        let url = URL(string: relative, relativeTo: base)
      else { throw self.error(.malformedArchive, "The URL cannot be put together.") }
      return .uri(url.absoluteString)
    }
    throw self.unsupported("an object of class \(classes.first ?? "nothing")")
  }

  private func boxedNumber() throws(ModelFileError) -> Value {
    for key in ["NS.intval", "NS.dblval", "NS.boolval"] {
      if let value = try self.field(key) { return try value.constant() }
    }
    throw self.error(.malformedArchive, "The number has no value.")
  }

  /// A mantissa of 16-bit words, the lowest first, and a power of ten.
  private func decimal() throws(ModelFileError) -> Decimal {
    guard case .data(let words) = try self.required("NS.mantissa").node, words.count.isMultiple(of: 2),
      words.count <= 16, let exponent = try self.integer("NS.exponent"), (-128...127).contains(exponent)
    else { throw self.error(.malformedArchive, "The decimal has no digits.") }
    let isBigEndian = try self.integer("NS.mantissa.bo") == 2
    let length = min(try self.integer("NS.length") ?? 8, Int64(words.count / 2))
    var mantissa = Decimal()
    for place in stride(from: Int(length) - 1, through: 0, by: -1) {
      let pair = [UInt8](words.dropFirst(place * 2).prefix(2))
      let word = isBigEndian ? UInt16(pair[0]) << 8 | UInt16(pair[1]) : UInt16(pair[1]) << 8 | UInt16(pair[0])
      mantissa = mantissa * 65536 + Decimal(word)
    }
    let isNegative = try self.flag("NS.negative")
    let decimal = Decimal(sign: isNegative ? .minus : .plus, exponent: Int(exponent), significand: mantissa)
    guard decimal.isFinite else { throw self.error(.malformedArchive, "The decimal is not a number.") }
    return decimal
  }

  private func unsupported(_ what: String) -> ModelFileError {
    self.error(.unsupportedObject, "The archive holds \(what), which has no place in a model here.")
  }
}

extension UUID {
  fileprivate init?(bytes: Data) {
    guard bytes.count == 16 else { return nil }
    let b = [UInt8](bytes)
    self.init(
      uuid: (
        b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]
      ))
  }
}
