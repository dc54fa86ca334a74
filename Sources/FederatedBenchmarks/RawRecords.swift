import CSQLite
import Foundation

/// Text in an arena.
struct RawText {
  let start: UnsafePointer<CChar>
  let count: Int
}

/// A customer as a plain value.
struct RawCustomer {
  var id: Int64 = 0
  var name: RawText?
  var email: RawText?
  var country: RawText?
  var joined = 0.0
  var credit = 0.0
}

/// An invoice as a plain value.
struct RawInvoice {
  let key: Int64
  let customer: Int64
  let date: Double
  let total: Double
  let number: RawText
  let status: RawText

  /// Reads the columns of `RawDatabase.selectInvoices`, texts into an arena.
  @inline(__always) init(_ statement: OpaquePointer, _ arena: inout RawArena) {
    self.key = sqlite3_column_int64(statement, 0)
    self.customer = sqlite3_column_int64(statement, 1)
    self.date = sqlite3_column_double(statement, 2)
    self.total = sqlite3_column_double(statement, 3)
    let number = sqlite3_column_text(statement, 4)
    self.number = arena.keep(number, Int(sqlite3_column_bytes(statement, 4)))
    let status = sqlite3_column_text(statement, 5)
    self.status = arena.keep(status, Int(sqlite3_column_bytes(statement, 5)))
  }
}

/// Bytes that are freed all at once, by ``free()``.
struct RawArena {
  private var chunks: [UnsafeMutablePointer<CChar>] = []
  private var next: UnsafeMutablePointer<CChar>?
  private var left = 0

  mutating func free() {
    for chunk in self.chunks { chunk.deallocate() }
    self = RawArena()
  }

  @inline(__always) mutating func keep(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> RawText {
    if count + 1 > self.left { self.grow(count + 1) }
    let start = self.next!
    if let bytes { memcpy(start, bytes, count) }
    start[count] = 0
    self.next = start + (count + 1)
    self.left -= count + 1
    return RawText(start: start, count: count)
  }

  private mutating func grow(_ needed: Int) {
    self.left = max(needed, 1 << 20)
    let chunk = UnsafeMutablePointer<CChar>.allocate(capacity: self.left)
    self.chunks.append(chunk)
    self.next = chunk
  }
}

@inline(__always) func cents(_ amount: Double) -> Int64 { Int64((amount * 100).rounded()) }
