import FederatedModel
import Foundation

/// One value of a keyed archive, with the number of the object that it is or stands in.
///
/// Everything that can be asked throws ``ModelFileError`` with that number when the archive says otherwise.
struct ArchivedValue {
  let archive: KeyedArchive
  let number: Int
  let node: KeyedArchive.Node

  static let classKey = "$class"
  static let classNameKey = "$classname"
  private static let classesKey = "$classes"

  var isNull: Bool { if case .null = self.node { true } else { false } }

  func error(_ code: ModelFileError.Code, _ detail: String) -> ModelFileError {
    self.archive.error(code, self.number, detail)
  }

  private func malformed(_ expected: String) -> ModelFileError {
    self.error(.malformedArchive, "The object is not \(expected).")
  }

  // MARK: Objects

  private var fields: [String: KeyedArchive.Node]? {
    if case .fields(let fields) = self.node { fields } else { nil }
  }

  /// The classes of an object, its own first; none for a plain value.
  func classes() throws(ModelFileError) -> [String] {
    guard let node = self.fields?[Self.classKey] else { return [] }
    let description = try self.archive.value(of: node, in: self.number)
    guard case .text(let name)? = description.fields?[Self.classNameKey] else {
      throw self.malformed("an object with a class")
    }
    guard case .list(let ancestors)? = description.fields?[Self.classesKey] else { return [name] }
    return [name] + ancestors.compactMap { if case .text(let name) = $0 { name } else { nil } }.dropFirst()
  }

  func className() throws(ModelFileError) -> String? { try self.classes().first }
  func isKind(of name: String) throws(ModelFileError) -> Bool { try self.classes().contains(name) }

  /// What stands under a key; nil for nothing, and for nil.
  func field(_ key: String) throws(ModelFileError) -> ArchivedValue? {
    guard let fields = self.fields else { throw self.malformed("an object that could have a key \"\(key)\"") }
    guard let node = fields[key] else { return nil }
    let value = try self.archive.value(of: node, in: self.number)
    return value.isNull ? nil : value
  }

  func required(_ key: String) throws(ModelFileError) -> ArchivedValue {
    if let value = try self.field(key) { return value }
    throw self.error(.malformedArchive, "The object has no \"\(key)\". Compile the model again.")
  }

  // MARK: Plain values under a key

  func text(_ key: String) throws(ModelFileError) -> String? { try self.field(key)?.text() }
  func integer(_ key: String) throws(ModelFileError) -> Int64? { try self.field(key)?.integer() }
  /// False when the key is not there: an archive leaves out what is not so.
  func flag(_ key: String) throws(ModelFileError) -> Bool { try self.field(key)?.flag() ?? false }

  /// Nil for an empty text too.
  func nonEmptyText(_ key: String) throws(ModelFileError) -> String? {
    let text = try self.text(key)
    return text?.isEmpty == true ? nil : text
  }

  // MARK: Plain values

  func text() throws(ModelFileError) -> String {
    if case .text(let text) = self.node { return text }
    if self.fields != nil, try self.isKind(of: "NSString") {
      if let text = try self.text("NS.string") { return text }
      if case .data(let bytes)? = try self.field("NS.bytes")?.node,
        let text = String(validating: bytes, as: UTF8.self)
      {
        return text
      }
    }
    throw self.malformed("a text")
  }

  func flag() throws(ModelFileError) -> Bool {
    switch self.node {
    case .flag(let flag): return flag
    case .integer(let number): return number != 0
    default: throw self.malformed("a flag")
    }
  }

  func integer() throws(ModelFileError) -> Int64 {
    switch self.node {
    case .flag(let flag): return flag ? 1 : 0
    case .integer(let number): return number
    case .real(let number):
      if let number = Int64(exactly: number) { return number }
    case .fields:
      if let number = try self.integer("NS.intval") { return number }
    default: break
    }
    throw self.malformed("a whole number")
  }

  // MARK: Collections

  /// The members of an array or a set.
  func elements() throws(ModelFileError) -> [ArchivedValue] {
    if case .list(let nodes) = self.node { return try self.values(nodes) }
    guard try self.isCollection() else { throw self.malformed("a list") }
    return try self.list("NS.objects", numbered: "NS.object.")
  }

  /// Whether this is an array or a set of objects.
  func isCollection() throws(ModelFileError) -> Bool {
    let classes = try self.classes()
    return ["NSArray", "NSSet", "NSOrderedSet"].contains { classes.contains($0) }
  }

  /// The members of a dictionary, in the archive's order.
  func entries() throws(ModelFileError) -> [(key: String, value: ArchivedValue)] {
    let classes = try self.classes()
    guard classes.contains("NSDictionary") else { throw self.malformed("a dictionary") }
    let keys: [ArchivedValue]
    var values: [ArchivedValue]
    var empty: Int?
    if classes.contains("NSKnownKeysDictionary") {
      // Its keys are shared by all dictionaries of one kind; a token stands where this one has no value.
      keys = try self.required("searchMapping").required("keys").elements()
      values = try self.required("values").elements()
      empty = try self.field("emptyToken")?.number
    } else {
      keys = try self.list("NS.keys", numbered: "NS.key.")
      values = try self.list("NS.objects", numbered: "NS.object.")
    }
    guard keys.count == values.count else { throw self.malformed("a dictionary with a value for each key") }
    var entries: [(key: String, value: ArchivedValue)] = []
    for (key, value) in zip(keys, values) where empty == nil || value.number != empty {
      entries.append((try key.text(), value))
    }
    return entries
  }

  /// Objects in one list, or, in older archives, under a key each.
  private func list(_ key: String, numbered prefix: String) throws(ModelFileError) -> [ArchivedValue] {
    if let nodes = self.fields?[key] {
      guard case .list(let nodes) = nodes else { throw self.malformed("a collection") }
      return try self.values(nodes)
    }
    var values: [ArchivedValue] = []
    while let node = self.fields?[prefix + String(values.count)] {
      values.append(try self.archive.value(of: node, in: self.number))
    }
    return values
  }

  private func values(_ nodes: [KeyedArchive.Node]) throws(ModelFileError) -> [ArchivedValue] {
    var values: [ArchivedValue] = []
    for node in nodes { values.append(try self.archive.value(of: node, in: self.number)) }
    return values
  }
}
