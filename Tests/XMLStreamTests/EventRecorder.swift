import XMLStream

/// Writes every event down as text.
final class EventRecorder: XMLStreamHandler {
  var events: [String] = []
  private var text = ""
  /// Refuses the element of this name.
  var refused: StaticString?

  func elementStarts(_ element: XMLElementStart) throws {
    self.endText()
    if let refused = self.refused, element.name.matches(refused) { throw XMLRefusal("no \(refused) here") }
    var event = "<\(element.name.string)"
    for index in 0..<element.attributeCount {
      let value = String(decoding: element.attributeValue(index), as: UTF8.self)
      event += " \(element.attributeName(index).string)=[\(value)]"
    }
    self.events.append(event + ">")
  }

  func elementEnds(_ name: XMLName) throws {
    self.endText()
    self.events.append("</\(name.string)>")
  }

  func characters(_ bytes: UnsafeRawBufferPointer) throws {
    self.text += String(decoding: bytes, as: UTF8.self)
  }

  private func endText() {
    if !self.text.isEmpty { self.events.append(self.text) }
    self.text = ""
  }

  /// The events of a document given in pieces of `step` bytes.
  static func events(
    of document: some Sequence<UInt8>, step: Int = .max, limits: XMLLimits = .standard,
    encoding: String? = nil
  ) throws -> [String] {
    let recorder = EventRecorder()
    let reader = XMLStreamReader(recorder, limits: limits, encoding: encoding)
    let bytes = Array(document)
    var start = 0
    while start < bytes.count {
      let end = step < bytes.count - start ? start + step : bytes.count
      try bytes[start..<end].withUnsafeBytes { try reader.parse($0) }
      start = end
    }
    try reader.finish()
    return recorder.events
  }
}
