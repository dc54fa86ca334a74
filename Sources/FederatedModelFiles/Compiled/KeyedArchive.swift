import FederatedModel
import Foundation

/// The objects of a keyed archive, as plain values by number. No class that an archive names is ever made.
///
/// Objects may name each other in circles, so nothing is followed until somebody asks, and the archive counts how
/// often that happens: a small file cannot make a reader work without end.
final class KeyedArchive {
  /// What stands in an object's place, or under one of its keys.
  enum Node {
    case null
    case flag(Bool)
    case integer(Int64)
    case real(Double)
    case text(String)
    case data(Data)
    case date(Date)
    /// Another object, by number.
    case reference(Int)
    case list([Node])
    /// The keys of an object, its class among them.
    case fields([String: Node])
  }

  let file: URL
  private let nodes: [Node]
  private let rootNumber: Int
  private var visits = 0

  static let sizeLimit = 64 * 1024 * 1024
  private static let visitLimit = 4_000_000
  /// The object that stands for nil.
  private static let nullNumber = 0

  /// Reads the bytes of an archive.
  /// - Throws: ``ModelFileError`` with `malformedArchive` for anything else.
  init(_ data: Data, from file: URL) throws(ModelFileError) {
    func malformed(_ detail: String) -> ModelFileError {
      ModelFileError(.malformedArchive, file: file, detail)
    }
    guard data.count <= Self.sizeLimit else {
      throw malformed("The archive is larger than \(Self.sizeLimit) bytes, which no model is.")
    }
    let list: Any
    do { list = try PropertyListGuard.propertyList(from: data) } catch {
      throw malformed("This is no keyed archive: \(error). Compile the model again.")
    }
    guard let list = list as? [String: Any], list["$archiver"] as? String == "NSKeyedArchiver" else {
      throw malformed("This is a property list, but no keyed archive. Name a compiled model.")
    }
    guard let objects = list["$objects"] as? [Any], let top = list["$top"] as? [String: Any],
      case .reference(let root)? = top["root"].flatMap(Self.node)
    else { throw malformed("The archive names no root object. Compile the model again.") }
    var nodes: [Node] = []
    nodes.reserveCapacity(objects.count)
    for (number, object) in objects.enumerated() {
      guard let node = Self.node(object) else {
        throw ModelFileError(
          .malformedArchive, file: file, object: number,
          "The object holds what no archive holds. Compile the model again.")
      }
      nodes.append(node)
    }
    self.file = file
    self.nodes = nodes
    self.rootNumber = root
  }

  /// The object that holds all others.
  func root() throws(ModelFileError) -> ArchivedValue {
    try self.value(of: .reference(self.rootNumber), in: self.rootNumber)
  }

  /// How many objects are of each class, by name.
  var classCounts: [String: Int] {
    var counts: [String: Int] = [:]
    for case .fields(let fields) in self.nodes {
      guard case .reference(let number)? = fields[ArchivedValue.classKey],
        self.nodes.indices.contains(number),
        case .fields(let description) = self.nodes[number],
        case .text(let name)? = description[ArchivedValue.classNameKey]
      else { continue }
      counts[name, default: 0] += 1
    }
    return counts
  }

  /// Follows a reference; what stands there itself is its own value.
  /// - Parameter holder: the object under one of whose keys the node stands.
  func value(of node: Node, in holder: Int) throws(ModelFileError) -> ArchivedValue {
    self.visits += 1
    guard self.visits <= Self.visitLimit else {
      throw self.error(.malformedArchive, holder, "The archive names its objects too often for a model.")
    }
    guard case .reference(let number) = node else {
      return ArchivedValue(archive: self, number: holder, node: node)
    }
    if number == Self.nullNumber { return ArchivedValue(archive: self, number: number, node: .null) }
    guard self.nodes.indices.contains(number) else {
      throw self.error(.malformedArchive, holder, "The object names object \(number), which there is not.")
    }
    return ArchivedValue(archive: self, number: number, node: self.nodes[number])
  }

  func error(_ code: ModelFileError.Code, _ number: Int, _ detail: String) -> ModelFileError {
    ModelFileError(code, file: self.file, object: number, detail)
  }

  // MARK: From Foundation's values

  /// Nil for what an archive cannot hold.
  private static func node(_ value: Any) -> Node? {
    switch value {
    case let flag as Bool where type(of: value) == Bool.self: return .flag(flag)
    case let text as String: return .text(text)
    case let data as Data: return .data(data)
    case let date as Date: return .date(date)
    case let number as NSNumber: return self.node(number)
    case let list as [Any]:
      var nodes: [Node] = []
      nodes.reserveCapacity(list.count)
      for element in list {
        guard let node = self.node(element) else { return nil }
        nodes.append(node)
      }
      return .list(nodes)
    case let fields as [String: Any]:
      var nodes: [String: Node] = [:]
      for (key, value) in fields {
        guard let node = self.node(value) else { return nil }
        nodes[key] = node
      }
      return .fields(nodes)
    default: return self.reference(value).map(Node.reference)
    }
  }

  private static func node(_ number: NSNumber) -> Node {
    self.isReal(number) ? .real(number.doubleValue) : .integer(number.int64Value)
  }

  /// Foundation hands references over in a class that it keeps to itself; their number is what they show to a mirror.
  private static func reference(_ value: Any) -> Int? {
    guard "\(type(of: value))".hasSuffix("UID") else { return nil }
    for child in Mirror(reflecting: value).children where child.label == "value" {
      return (child.value as? any BinaryInteger).flatMap { Int(exactly: $0) }
    }
    return nil
  }

  private static func isReal(_ number: NSNumber) -> Bool {
    unsafe ["d", "f"].contains(String(cString: number.objCType))
  }
}
