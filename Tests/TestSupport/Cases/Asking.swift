internal import FederatedModel
internal import FederatedRuntime

// How cases write down what they expect: objects by the values of one key.

extension Sequence where Element == ManagedObject {
  /// The texts of the objects, in order; "nil" for a missing one.
  func texts(_ key: String = "text") throws -> [String] {
    try self.map { object in
      if case .string(let text) = try object.value(key) { text } else { "nil" }
    }
  }

  func numbers(_ key: String = "rating") throws -> [Double] {
    try self.map { object in
      switch try object.value(key) {
      case .double(let number): number
      case .int(let number): Double(number)
      default: .nan
      }
    }
  }
}

extension ManagedObject {
  /// The texts of what a fetched property finds.
  func notes(_ property: String = "notes") throws -> [String] { try self.fetched(property).texts() }
}
