internal import FederatedModel
internal import FederatedStore
internal import Foundation
internal import XMLStream

/// Writes the `databaseInfo` of the old file again, with what has changed in it.
struct XMLInfoEditor {
  private let objects: XMLObjectWriter
  private let metadata: StoreMetadata
  /// Without objects that come or go the counter stays, even where a file has it too low.
  private let counts: Bool
  private let url: URL?

  init(_ objects: XMLObjectWriter, _ metadata: StoreMetadata, counts: Bool, url: URL?) {
    self.objects = objects
    self.metadata = metadata
    self.counts = counts
    self.url = url
  }

  private enum Part: CaseIterable { case uuid, nextObjectID, metadata }

  func write(_ markup: XMLMarkup, _ element: XMLChild) throws(StoreError) {
    let old: XMLStoreInfo
    do { old = try XMLStoreInfo(try XMLElementValue.parse(bytes: Array(markup[element.range]))) } catch {
      throw StoreError(error, url: self.url)
    }
    let writer = self.objects.writer
    var missing = Set(Part.allCases)
    var end = element.tag.range.upperBound
    if element.tag.isEmpty {
      writer.raw("<databaseInfo>")
    } else {
      writer.raw(markup[element.tag.range])
    }
    for child in element.tag.isEmpty ? [] : markup.children(of: element.tag) {
      writer.raw(markup[end..<child.tag.range.lowerBound])
      end = child.end
      guard let part = self.part(markup, child.tag) else {
        writer.raw(markup[child.range])
        continue
      }
      missing.remove(part)
      if self.isSame(part, old) { writer.raw(markup[child.range]) } else { try self.write(part) }
    }
    for part in Part.allCases where missing.contains(part) {
      writer.raw("\n        ")
      try self.write(part)
    }
    if element.tag.isEmpty {
      writer.raw("\n    </databaseInfo>")
    } else {
      writer.raw(markup[end..<element.end])
    }
  }

  private func part(_ markup: XMLMarkup, _ tag: XMLTag) -> Part? {
    if markup.isNamed("UUID", tag) { return .uuid }
    if markup.isNamed("nextObjectID", tag) { return .nextObjectID }
    return markup.isNamed("metadata", tag) ? .metadata : nil
  }

  private func isSame(_ part: Part, _ old: XMLStoreInfo) -> Bool {
    switch part {
    case .uuid: old.metadata.uuid == self.metadata.uuid
    case .nextObjectID: !self.counts || old.highestID == self.objects.table.highestReference
    case .metadata:
      XMLStoreInfo.propertyList(old.metadata) == XMLStoreInfo.propertyList(self.metadata)
    }
  }

  private func write(_ part: Part) throws(StoreError) {
    let writer = self.objects.writer
    switch part {
    case .uuid: writer.raw("<UUID>\(self.metadata.uuid.uuidString)</UUID>")
    case .nextObjectID:
      writer.raw("<nextObjectID>")
      writer.integer(self.objects.table.highestReference)
      writer.raw("</nextObjectID>")
    case .metadata: try XMLStoreInfo.writeMetadata(self.metadata, to: writer)
    }
  }
}

/// Whether a file's bytes can be copied into UTF-8 as they are.
enum XMLSourceEncoding {
  /// - Throws: `unsupported` for a file in another encoding: it can be read, not written.
  static func check(_ source: ByteSource) throws(StoreError) {
    let start = try source.prefix(512)
    let name: String?
    if let given = source.encoding, !self.isUTF8(given) {
      name = given
    } else if start.starts(with: [0xFE, 0xFF]) || start.starts(with: [0xFF, 0xFE])
      || start.prefix(4).contains(0)
    {
      name = "UTF-16"
    } else {
      name = self.declared(String(decoding: start, as: UTF8.self))
    }
    guard let name, !self.isUTF8(name) else { return }
    throw StoreError(
      .unsupported, store: source.url,
      "the file is in \(name) and can be read only; convert it to UTF-8 to save")
  }

  private static func isUTF8(_ name: String) -> Bool { ["utf-8", "utf8"].contains(name.lowercased()) }

  private static func declared(_ text: String) -> String? {
    guard let begin = text.range(of: "<?xml"), let end = text.range(of: "?>"),
      begin.upperBound < end.lowerBound,
      let word = text.range(of: "encoding", range: begin.upperBound..<end.lowerBound)
    else { return nil }
    let parts = text[word.upperBound..<end.lowerBound].split { $0 == "\"" || $0 == "'" }
    return parts.count > 1 ? String(parts[1]) : nil
  }
}
