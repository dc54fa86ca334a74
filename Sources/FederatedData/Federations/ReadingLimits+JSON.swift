import FederatedModel

extension ReadingLimits {
  /// These limits with those that an object names in place of their own.
  func reading(_ node: FederationNode?) throws(FederationFileError) -> ReadingLimits {
    guard let node else { return self }
    let keys: [(name: String, limit: WritableKeyPath<ReadingLimits, Int>)] = [
      ("fileBytes", \.fileBytes), ("textBytes", \.textBytes), ("depth", \.depth),
      ("attributes", \.attributes),
      ("rows", \.rows), ("descriptionBytes", \.descriptionBytes),
    ]
    let members = try node.members(allowing: keys.map(\.name))
    var limits = self
    for key in keys {
      if let member = members[key.name] { limits[keyPath: key.limit] = try member.count() }
    }
    return limits
  }
}
