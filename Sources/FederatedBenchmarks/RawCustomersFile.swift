import CXML2
import Foundation

/// The customers of an XML store, parsed by libxml2's SAX2 push parser into plain values.
final class RawCustomersFile {
  let customers: UnsafeMutablePointer<RawCustomer>
  let count: Int
  private var arena: RawArena

  deinit {
    self.customers.deallocate()
    self.arena.free()
  }

  init(_ url: URL) throws {
    var events = RawCustomerEvents()
    defer { events.text.deallocate() }
    try Self.parse(url, &events)
    self.customers = events.customers
    self.count = events.count
    self.arena = events.arena
  }

  private static func parse(_ url: URL, _ events: UnsafeMutablePointer<RawCustomerEvents>) throws {
    var handler = xmlSAXHandler()
    handler.initialized = UInt32(XML_SAX2_MAGIC)
    handler.startElementNs = { context, name, _, _, _, _, count, _, attributes in
      context!.assumingMemoryBound(to: RawCustomerEvents.self).pointee.start(name!, Int(count), attributes)
    }
    handler.endElementNs = { context, _, _, _ in
      context!.assumingMemoryBound(to: RawCustomerEvents.self).pointee.end()
    }
    handler.characters = { context, bytes, count in
      context!.assumingMemoryBound(to: RawCustomerEvents.self).pointee.append(bytes!, Int(count))
    }
    handler.cdataBlock = handler.characters
    guard let file = fopen(url.filePath, "rb") else { throw BenchmarkError("\(url.filePath) does not open") }
    defer { fclose(file) }
    let size = 65_536
    let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: size)
    defer { buffer.deallocate() }
    var count = fread(buffer, 1, 4, file)
    guard let parser = xmlCreatePushParserCtxt(&handler, events, buffer, Int32(count), nil) else {
      throw BenchmarkError("no parser")
    }
    defer { xmlFreeParserCtxt(parser) }
    xmlCtxtUseOptions(parser, Int32(XML_PARSE_NONET.rawValue | XML_PARSE_HUGE.rawValue))
    repeat {
      count = fread(buffer, 1, size, file)
      guard xmlParseChunk(parser, buffer, Int32(count), count == 0 ? 1 : 0) == 0 else {
        throw BenchmarkError("\(url.filePath) does not parse")
      }
    } while count > 0
  }

  /// What a checksum needs of every customer.
  var check: Int64 {
    (0..<self.count).reduce(0) {
      $0 + cents(self.customers[$1].credit) + Int64(self.customers[$1].name?.count ?? 0)
        + self.customers[$1].id
    }
  }
}

/// What the parser's callbacks fill.
private struct RawCustomerEvents {
  var customers = UnsafeMutablePointer<RawCustomer>.allocate(capacity: 1024)
  var count = 0
  private var capacity = 1024
  var arena = RawArena()
  let text = UnsafeMutablePointer<UInt8>.allocate(capacity: 4096)
  private var textCount = 0
  private var key: (UInt8, UInt8) = (0, 0)
  private var isInside = false

  mutating func start(
    _ name: UnsafePointer<UInt8>, _ count: Int, _ attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
  ) {
    if strcmp(name, "attribute") == 0, let attributes {
      for index in 0..<count where strcmp(attributes[index * 5]!, "name") == 0 {
        let value = attributes[index * 5 + 3]!
        self.key = (value[0], value[1])
      }
      self.isInside = true
      self.textCount = 0
    } else if strcmp(name, "object") == 0 {
      if self.count == self.capacity { self.grow() }
      (self.customers + self.count).initialize(to: RawCustomer())
      self.count += 1
    }
  }

  private mutating func grow() {
    let larger = UnsafeMutablePointer<RawCustomer>.allocate(capacity: self.capacity * 2)
    larger.moveInitialize(from: self.customers, count: self.count)
    self.customers.deallocate()
    self.customers = larger
    self.capacity *= 2
  }

  mutating func append(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
    guard self.isInside, self.textCount + count < 4095 else { return }
    memcpy(self.text + self.textCount, bytes, count)
    self.textCount += count
  }

  mutating func end() {
    guard self.isInside else { return }
    self.isInside = false
    self.text[self.textCount] = 0
    guard self.count > 0 else { return }
    let customer = self.customers + (self.count - 1)
    let characters = UnsafeRawPointer(self.text).assumingMemoryBound(to: CChar.self)
    switch self.key.0 {
    case UInt8(ascii: "i"): customer.pointee.id = Int64(strtoll(characters, nil, 10))
    case UInt8(ascii: "n"): customer.pointee.name = self.arena.keep(self.text, self.textCount)
    case UInt8(ascii: "e"): customer.pointee.email = self.arena.keep(self.text, self.textCount)
    case UInt8(ascii: "j"): customer.pointee.joined = atof(characters)
    case UInt8(ascii: "c"):
      if self.key.1 == UInt8(ascii: "o") {
        customer.pointee.country = self.arena.keep(self.text, self.textCount)
      } else {
        customer.pointee.credit = atof(characters)
      }
    default: break
    }
  }
}

private func strcmp(_ bytes: UnsafePointer<UInt8>, _ text: StaticString) -> Int32 {
  bytes.withMemoryRebound(to: CChar.self, capacity: 1) { bytes in
    text.utf8Start.withMemoryRebound(to: CChar.self, capacity: 1) { Foundation.strcmp(bytes, $0) }
  }
}
