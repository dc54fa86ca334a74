internal import FederatedModel
internal import XMLStream

extension XMLLimits {
  /// What of a store's limits the XML reader keeps.
  init(_ limits: ReadingLimits) {
    self.init()
    self.depth = limits.depth
    self.attributes = limits.attributes
    self.documentBytes = limits.fileBytes
    self.textBytes = limits.textBytes
  }
}
