internal import XMLStream

/// The names that the layout uses, each looked up once for a document and then known by its address.
struct XMLStoreWords {
  var object = Word("object")
  var attribute = Word("attribute")
  var relationship = Word("relationship")
  var type = Word("type")
  var id = Word("id")
  var name = Word("name")
  var idrefs = Word("idrefs")

  struct Word {
    private let text: StaticString
    private var address: UnsafePointer<UInt8>?

    init(_ text: StaticString) { self.text = text }

    /// Equal names of one document have equal addresses.
    @inline(__always) mutating func matches(_ name: XMLName) -> Bool {
      if let address = self.address { return address == name.address }
      guard name.matches(self.text) else { return false }
      self.address = name.address
      return true
    }

    /// The value of the attribute of that name.
    mutating func value(in element: XMLElementStart) -> UnsafeRawBufferPointer? {
      for index in 0..<element.attributeCount where self.matches(element.attributeName(index)) {
        return element.attributeValue(index)
      }
      return nil
    }
  }
}

/// How an object is named: `z` and a decimal number, or anything else.
enum XMLObjectName {
  /// The number of a name written in its one canonical way; nil for every other name.
  static func number(_ id: UnsafeRawBufferPointer) -> Int64? {
    guard id.count >= 2, id.count <= 19, id[0] == UInt8(ascii: "z") else { return nil }
    if id[1] == UInt8(ascii: "0") && id.count > 2 { return nil }
    var number: Int64 = 0
    for index in 1..<id.count {
      guard id[index].isDigit else { return nil }
      number = number * 10 + Int64(id[index] - 0x30)
    }
    return number
  }
}
