internal import FederatedModel
internal import Foundation

/// The bytes around a journal's content: what they are, how many, and their SHA-256.
enum JournalFrame {
  private static let title = Data("FederatedData joint save 1\n".utf8)
  private static let digestCount = 32

  static func framed(_ content: Data) -> Data {
    var frame = self.title
    withUnsafeBytes(of: UInt64(content.count).littleEndian) { frame.append(contentsOf: $0) }
    frame.append(contentsOf: SHA256.hash([UInt8](content)))
    frame.append(content)
    return frame
  }

  static func content(of frame: Data) throws -> Data {
    let bytes = [UInt8](frame)
    let head = self.title.count + 8 + self.digestCount
    guard bytes.count >= head, bytes.starts(with: self.title) else { throw Damage.title }
    let count = bytes[self.title.count..<self.title.count + 8].reversed().reduce(UInt64(0)) {
      $0 << 8 | UInt64($1)
    }
    guard UInt64(bytes.count - head) == count else { throw Damage.length }
    let content = Array(bytes[head...])
    guard SHA256.hash(content).elementsEqual(bytes[self.title.count + 8..<head]) else { throw Damage.digest }
    return Data(content)
  }

  /// In what a frame is not as it was written.
  enum Damage: Error {
    case title, length, digest
  }
}
