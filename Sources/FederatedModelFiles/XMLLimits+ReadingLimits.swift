import FederatedModel
import XMLStream

extension XMLLimits {
  /// What of the limits a model file must keep.
  init(_ limits: ReadingLimits) {
    self.init()
    self.depth = limits.depth
    self.attributes = limits.attributes
    self.documentBytes = limits.descriptionBytes
    self.textBytes = limits.textBytes
  }
}
