internal import XMLStream

/// The numbers of names, found by the address that the parser has for each name of a document.
///
/// Equal names of one document have one address, so a name is looked up once and known by its address from then on.
struct XMLSymbols {
  private let numbers: [String: Int32]
  /// What a name is that has no number.
  private let unknown: Int32 = 0
  /// What no name at all is.
  private let none: Int32
  private var addresses: [UInt]
  private var found: [Int32]

  private static let places = 1024

  init(_ numbers: [String: Int32], none: Int32) {
    self.numbers = numbers
    self.none = none
    self.addresses = [UInt](repeating: 0, count: XMLSymbols.places)
    self.found = [Int32](repeating: 0, count: XMLSymbols.places)
  }

  @inline(__always) mutating func number(_ address: UnsafePointer<UInt8>?) -> Int32 {
    guard let address else { return self.none }
    let bits = UInt(bitPattern: address)
    let place = Int((bits ^ bits >> 10) & UInt(XMLSymbols.places - 1))
    if self.addresses[place] == bits { return self.found[place] }
    return self.search(address, bits, place)
  }

  private mutating func search(_ address: UnsafePointer<UInt8>, _ bits: UInt, _ first: Int) -> Int32 {
    for step in 1..<8 {
      let place = (first + step) & (XMLSymbols.places - 1)
      if self.addresses[place] == bits { return self.found[place] }
    }
    let number = self.numbers[String(cString: address)] ?? self.unknown
    // The first free place, else the name that was there is looked up again when it comes.
    let free =
      (0..<8).map { (first + $0) & (XMLSymbols.places - 1) }.first { self.addresses[$0] == 0 } ?? first
    self.addresses[free] = bits
    self.found[free] = number
    return number
  }
}
