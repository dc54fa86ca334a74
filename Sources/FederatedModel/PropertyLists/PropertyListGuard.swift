package import Foundation

/// Looks at a property list before Foundation reads it.
///
/// A binary property list may name one part as often as it likes, and Foundation unfolds the part each time: forty
/// arrays, each naming the next twice, keep it busy for ever. So the unfolded size is counted first, by the list's own
/// table of parts, which takes time in proportion to the bytes. Lists as XML share nothing, and Foundation limits how
/// deep they are.
package enum PropertyListGuard {
  /// Why a list is not read.
  package enum Refusal: Error, CustomStringConvertible {
    case damaged
    /// More values than the limit, with parts counted as often as they are named.
    case tooLarge(limit: Int)
    case tooDeep(limit: Int)
    /// A part that holds itself.
    case endless
    /// A set. Nobody writes one into a property list, and Foundation traps on one of references.
    case set

    package var description: String {
      switch self {
      case .damaged: "the binary property list is damaged"
      case .tooLarge(let limit): "the property list unfolds to more than \(limit) values"
      case .tooDeep(let limit): "the property list is nested deeper than \(limit) levels"
      case .endless: "a part of the property list holds itself"
      case .set: "the property list holds a set, which is not read"
      }
    }
  }

  /// Reads a list that holds no more than so many values.
  /// - Throws: ``Refusal``, or what Foundation says of a list that is none.
  package static func propertyList(
    from data: Data, values limit: Int = 2_000_000, depth: Int = 128
  ) throws -> Any {
    if data.starts(with: "bplist".utf8) {
      var walk = try Walk(Array(data), limit: limit, depth: depth)
      _ = try walk.measure(walk.top, depth: 0)
    }
    return try PropertyListSerialization.propertyList(from: data, options: [], format: nil)
  }

  /// The table of parts of a binary list.
  private struct Walk {
    let bytes: [UInt8]
    let limit: Int
    let depthLimit: Int
    let top: Int
    private let count: Int
    private let table: Int
    private let offsetSize: Int
    private let referenceSize: Int
    private var sizes: [Size?]

    /// A part with everything in it.
    struct Size {
      var values: Int
      var height: Int
    }

    private static let trailer = 32

    init(_ bytes: [UInt8], limit: Int, depth: Int) throws(Refusal) {
      guard bytes.count >= 8 + Walk.trailer else { throw .damaged }
      let start = bytes.count - Walk.trailer
      self.bytes = bytes
      self.limit = limit
      self.depthLimit = depth
      self.offsetSize = Int(bytes[start + 6])
      self.referenceSize = Int(bytes[start + 7])
      self.count = try Walk.number(bytes, at: start + 8, size: 8)
      self.top = try Walk.number(bytes, at: start + 16, size: 8)
      self.table = try Walk.number(bytes, at: start + 24, size: 8)
      guard (1...8).contains(self.offsetSize), (1...8).contains(self.referenceSize), self.count <= start,
        self.table <= start, self.count * self.offsetSize <= start - self.table
      else { throw .damaged }
      self.sizes = Array(repeating: nil, count: self.count)
    }

    mutating func measure(_ part: Int, depth: Int) throws(Refusal) -> Size {
      guard part < self.count else { throw .damaged }
      if let known = self.sizes[part] {
        // A part that is being measured has no size yet.
        if known.values == 0 { throw .endless }
        if depth + known.height > self.depthLimit { throw .tooDeep(limit: self.depthLimit) }
        return known
      }
      if depth >= self.depthLimit { throw .tooDeep(limit: self.depthLimit) }
      self.sizes[part] = Size(values: 0, height: 0)
      var size = Size(values: 1, height: 1)
      for member in try self.members(of: part) {
        let inner = try self.measure(member, depth: depth + 1)
        size.values += inner.values
        size.height = max(size.height, inner.height + 1)
        if size.values > self.limit { throw .tooLarge(limit: self.limit) }
      }
      self.sizes[part] = size
      return size
    }

    /// The parts that an array, set or dictionary names.
    private func members(of part: Int) throws(Refusal) -> [Int] {
      var place = try Walk.number(self.bytes, at: self.table + part * self.offsetSize, size: self.offsetSize)
      guard place < self.table else { throw .damaged }
      let marker = self.bytes[place]
      let perEntry: Int
      switch marker >> 4 {
      case 0xA: perEntry = 1
      case 0xB, 0xC: throw .set
      case 0xD: perEntry = 2
      default: return []
      }
      var count = Int(marker & 0x0F)
      place += 1
      if count == 0x0F {
        guard place < self.table, self.bytes[place] >> 4 == 1, self.bytes[place] & 0x0F <= 3 else {
          throw .damaged
        }
        let size = 1 << Int(self.bytes[place] & 0x0F)
        count = try Walk.number(self.bytes, at: place + 1, size: size)
        place += 1 + size
      }
      guard place <= self.table, count <= (self.table - place) / (self.referenceSize * perEntry) else {
        throw .damaged
      }
      var members: [Int] = []
      for index in 0..<count * perEntry {
        members.append(
          try Walk.number(self.bytes, at: place + index * self.referenceSize, size: self.referenceSize))
      }
      return members
    }

    /// A number of some bytes, the highest first.
    private static func number(_ bytes: [UInt8], at place: Int, size: Int) throws(Refusal) -> Int {
      guard place >= 0, place <= bytes.count - size else { throw .damaged }
      var number: UInt64 = 0
      for byte in bytes[place..<place + size] { number = number << 8 | UInt64(byte) }
      guard let number = Int(exactly: number), number <= Int(Int32.max) else { throw .damaged }
      return number
    }
  }
}
