public import Foundation

/// Makes keyed archives object by object, good ones and bad ones.
///
/// An archive is a property list of objects that name each other by number. Foundation makes such a name of a
/// dictionary that it reads from XML.
public final class ArchiveBuilder {
  private var objects: [Any] = ["$null"]
  private var classes: [String: Int] = [:]
  private var texts: [String: Int] = [:]

  public init() {}

  /// The name of an object inside another one.
  public static func reference(_ number: Int) -> Any { ["CF$UID": number] }

  /// A number for an object that comes later.
  public func reserve() -> Int { self.add(["reserved": true]) }

  public func add(_ object: Any) -> Int {
    self.objects.append(object)
    return self.objects.count - 1
  }

  public func text(_ text: String) -> Int {
    if let known = self.texts[text] { return known }
    let number = self.add(text)
    self.texts[text] = number
    return number
  }

  /// An object of a class, its ancestors behind it: `["NSMutableArray", "NSArray"]`.
  @discardableResult
  public func record(_ names: [String], at number: Int? = nil, _ fields: [String: Any]) -> Int {
    let number = number ?? self.reserve()
    var fields = fields
    fields["$class"] = Self.reference(self.classNumber(names))
    self.objects[number] = fields
    return number
  }

  private func classNumber(_ names: [String]) -> Int {
    if let known = self.classes[names[0]] { return known }
    let number = self.add(["$classname": names[0], "$classes": names + ["NSObject"]])
    self.classes[names[0]] = number
    return number
  }

  public func array(_ members: [Int]) -> Int {
    self.record(["NSArray"], ["NS.objects": members.map(Self.reference)])
  }

  public func set(_ members: [Int]) -> Int {
    self.record(["NSSet"], ["NS.objects": members.map(Self.reference)])
  }

  public func dictionary(_ entries: [(String, Int)]) -> Int {
    self.record(
      ["NSMutableDictionary", "NSDictionary"],
      [
        "NS.keys": entries.map { Self.reference(self.text($0.0)) },
        "NS.objects": entries.map { Self.reference($0.1) },
      ])
  }

  /// The form that copies of models in stores have: keys apart, and a token where there is no value.
  public func knownKeysDictionary(_ entries: [(String, Int)], absent: [String] = []) -> Int {
    let token = self.text("__empty_slot_token__")
    let keys = self.array(entries.map { self.text($0.0) } + absent.map { self.text($0) })
    let strategy = self.record(
      ["NSKnownKeysMappingStrategy1", "NSKnownKeysMappingStrategy"],
      ["keys": Self.reference(keys), "length": entries.count + absent.count, "version": 1])
    let values = self.array(entries.map(\.1) + absent.map { _ in token })
    return self.record(
      ["NSKnownKeysDictionary1", "NSKnownKeysDictionary", "NSMutableDictionary", "NSDictionary"],
      [
        "searchMapping": Self.reference(strategy), "values": Self.reference(values),
        "emptyToken": Self.reference(token), "version": 1,
      ])
  }

  /// The bytes of the archive.
  public func data(root: Int) throws -> Data {
    try Self.data(of: [
      "$archiver": "NSKeyedArchiver", "$version": 100_000, "$top": ["root": Self.reference(root)],
      "$objects": self.objects,
    ])
  }

  /// A binary property list in which dictionaries of ``reference(_:)`` are references.
  public static func data(of list: [String: Any]) throws -> Data {
    let xml = try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
    let read = try PropertyListSerialization.propertyList(from: xml, options: [], format: nil)
    return try PropertyListSerialization.data(fromPropertyList: read, format: .binary, options: 0)
  }
}

/// A raw DEFLATE stream that holds bytes as they are.
public enum StoredDeflate {
  public static func data(_ content: Data) -> Data {
    var stream = Data()
    let bytes = [UInt8](content)
    var start = 0
    repeat {
      let count = min(bytes.count - start, 0xFFFF)
      let isLast: UInt8 = start + count == bytes.count ? 1 : 0
      let (low, high) = (UInt8(count & 0xFF), UInt8(count >> 8))
      stream.append(contentsOf: [isLast, low, high, ~low, ~high])
      stream.append(contentsOf: bytes[start..<start + count])
      start += count
    } while start < bytes.count
    return stream
  }
}
