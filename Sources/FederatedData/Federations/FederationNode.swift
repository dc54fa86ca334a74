import Foundation

/// One value of a federation file with its JSON path: asks for a kind, and says where another one stands.
struct FederationNode {
  private let node: JSONNode
  private let path: String
  private let file: URL

  init(_ node: JSONNode, path: String, file: URL) {
    self.node = node
    self.path = path
    self.file = file
  }

  var place: FederationFileError.Place {
    .path(self.path)
  }

  func error(_ code: FederationFileError.Code, _ detail: String) -> FederationFileError {
    FederationFileError(code, file: self.file, place: self.place, detail)
  }

  func string() throws(FederationFileError) -> String {
    guard case .string(let text) = self.node, !text.isEmpty else {
      throw self.error(.wrongKind, "must be a string that is not empty, and is \(self.node.kind)")
    }
    return text
  }

  /// A whole number from 0 up.
  func count() throws(FederationFileError) -> Int {
    guard case .number(let value) = self.node, let count = Int(exactly: value), count >= 0 else {
      throw self.error(.wrongKind, "must be a whole number from 0 up, and is \(self.node.kind)")
    }
    return count
  }

  func boolean() throws(FederationFileError) -> Bool {
    guard case .bool(let value) = self.node else {
      throw self.error(.wrongKind, "must be true or false, and is \(self.node.kind)")
    }
    return value
  }

  /// A path beside the federation file, or an absolute one.
  func path(relativeTo file: URL) throws(FederationFileError) -> URL {
    URL(filePath: try self.string(), relativeTo: file.deletingLastPathComponent()).absoluteURL
  }

  func elements() throws(FederationFileError) -> [FederationNode] {
    guard case .array(let nodes) = self.node else {
      throw self.error(.wrongKind, "must be an array, and is \(self.node.kind)")
    }
    return nodes.enumerated().map { index, node in
      FederationNode(node, path: "\(self.path)[\(index)]", file: self.file)
    }
  }

  /// A whole number; nil for any other kind of value.
  func wholeNumber() throws(FederationFileError) -> Int64? {
    guard case .number(let number) = self.node else { return nil }
    guard let whole = Int64(exactly: number) else { throw self.error(.wrongKind, "must be a whole number") }
    return whole
  }

  var isObject: Bool { if case .object = self.node { true } else { false } }

  /// One text, or an array of them.
  func oneOrMoreStrings() throws(FederationFileError) -> [String] {
    if case .string = self.node { return [try self.string()] }
    let texts = try self.elements().map { (element) throws(FederationFileError) in try element.string() }
    if texts.isEmpty { throw self.error(.wrongKind, "must be a string or an array of them, and is empty") }
    return texts
  }

  /// The members of an object whose keys are names, by name.
  func allMembers() throws(FederationFileError) -> [(name: String, node: FederationNode)] {
    guard case .object(let members) = self.node else {
      throw self.error(.wrongKind, "must be an object, and is \(self.node.kind)")
    }
    return members.sorted { $0.key < $1.key }.map { name, node in
      (name, FederationNode(node, path: "\(self.path).\(name)", file: self.file))
    }
  }

  /// The members of an object whose keys are all known.
  func members(allowing keys: [String]) throws(FederationFileError) -> Members {
    guard case .object(let members) = self.node else {
      throw self.error(.wrongKind, "must be an object, and is \(self.node.kind)")
    }
    if let key = members.keys.filter({ !keys.contains($0) }).sorted().first {
      throw FederationFileError(
        .unknownKey, file: self.file, place: .path("\(self.path).\(key)"),
        "the key is unknown\(NearestName.suggestion(for: key, among: keys)); "
          + "the keys here are \(keys.joined(separator: ", "))")
    }
    return Members(owner: self, nodes: members, path: self.path, file: self.file)
  }

  struct Members {
    let owner: FederationNode
    let nodes: [String: JSONNode]
    let path: String
    let file: URL

    subscript(key: String) -> FederationNode? {
      self.nodes[key].map { FederationNode($0, path: "\(self.path).\(key)", file: self.file) }
    }

    func required(_ key: String) throws(FederationFileError) -> FederationNode {
      guard let node = self[key] else {
        throw self.owner.error(.missingKey, "the key \"\(key)\" is missing; add it")
      }
      return node
    }
  }
}
