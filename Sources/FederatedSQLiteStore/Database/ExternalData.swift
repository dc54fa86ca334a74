internal import FederatedStore
internal import Foundation

/// Data of attributes that may stand beside the store: one byte tells where the content is.
struct ExternalData: Sendable {
  private static let inline: UInt8 = 1
  private static let beside: UInt8 = 2
  let store: URL

  init(_ store: URL) { self.store = store }

  /// The cell for content, which always stands in the cell itself.
  static func cell(_ content: UnsafeRawBufferPointer) -> Data {
    var cell = Data(capacity: content.count + 1)
    cell.append(self.inline)
    unsafe cell.append(contentsOf: content)
    return cell
  }

  /// The content that a cell holds or names.
  func content(of cell: Data) throws(StoreError) -> Data {
    switch cell.first {
    case ExternalData.inline: return cell.dropFirst()
    case ExternalData.beside:
      let name = String(decoding: cell.dropFirst().prefix { $0 != 0 }, as: UTF8.self)
      guard UUID(uuidString: name) != nil else {
        throw StoreError(.unreadableValue, store: self.store, "the cell names no file of external data")
      }
      let url = self.folder.appending(path: name)
      do { return try Data(contentsOf: url) } catch {
        throw StoreError(
          .unreadableValue, store: self.store, underlying: error,
          "the file of external data \(url.path(percentEncoded: false)) cannot be read; copy it with the store"
        )
      }
    default:
      throw StoreError(
        .unreadableValue, store: self.store, "the cell does not say whether its data are external")
    }
  }

  var folder: URL {
    let name = self.store.deletingPathExtension().lastPathComponent
    return self.store.deletingLastPathComponent().appending(path: ".\(name)_SUPPORT/_EXTERNAL_DATA")
  }
}
