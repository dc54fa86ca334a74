internal import FederatedStore
internal import Foundation
internal import XMLStream

/// Reads a document up to its root element: whether it is one at all.
final class XMLRootProbe: XMLStreamHandler {
  private var hasRoot = false

  private struct Enough: Error {}

  static func check(_ source: ByteSource) throws(StoreError) {
    let probe = XMLRootProbe()
    let reader = XMLStreamReader(probe, limits: XMLLimits(source.limits), encoding: source.encoding)
    do throws(StoreError) { try XMLStoreFormat.feed(source, to: reader) } catch {
      guard probe.hasRoot else { throw error }
    }
  }

  func elementStarts(_ element: XMLElementStart) throws {
    self.hasRoot = true
    throw Enough()
  }

  func elementEnds(_ name: XMLName) throws {}
  func characters(_ bytes: UnsafeRawBufferPointer) throws {}
}
