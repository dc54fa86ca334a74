import FederatedStore
import Foundation
import Testing

@Suite struct ByteSinkTests {
  @Test(
    "integers are written in decimal digits", arguments: [0, 7, -1, 10, 1_234_567, .max, .min] as [Int64])
  func decimals(number: Int64) {
    var sink = ByteSink()
    sink.write(decimal: number)
    #expect(String(decoding: sink.contents, as: UTF8.self) == String(number))
    #expect(sink.count == sink.contents.count)
  }

  @Test("bytes, texts and literals follow one another")
  func mixed() {
    var sink = ByteSink()
    sink.write("<a>")
    sink.write(String("e\u{301}"))
    sink.write(byte: 10)
    sink.write([UInt8(1), 2])
    #expect(Array(sink.contents) == Array("<a>e\u{301}\n".utf8) + [1, 2])
  }

  @Test("a source in memory comes in chunks and stops when told")
  func memorySource() throws {
    let source = ByteSource(bytes: Data(repeating: 7, count: 200_000))
    var chunks: [Int] = []
    try source.read {
      chunks.append($0.count)
      return true
    }
    #expect(chunks == [65_536, 65_536, 65_536, 3_392])
    chunks = []
    try source.read {
      chunks.append($0.count)
      return false
    }
    #expect(chunks == [65_536])
    #expect(try source.prefix(70_000).count == 70_000)
    #expect(try source.prefix(3) == [7, 7, 7])
    #expect(try source.contents().count == 200_000)
  }

  @Test("a missing file is named in the error")
  func missing() {
    let url = URL(filePath: "/nowhere/at/all.csv")
    let error = #expect(throws: StoreError.self) { try ByteSource(file: url).read { _ in true } }
    #expect(error?.code == .missingFile)
    #expect(error?.store == url)
  }
}
