internal import FederatedModel
internal import FederatedStore
internal import Foundation
internal import XMLStream

/// Writes a store's next file from its last one: every byte that no change touches is copied.
///
/// So a file keeps its order, its spelling of numbers, and everything in it that the model does not know, and
/// one changed value changes one line. The old file was parsed when the store opened and has not changed
/// since; here its bytes are only cut into elements.
final class XMLStoreRewriter {
  private let objects: XMLObjectWriter
  private let changes: XMLStoreChanges
  private let metadata: StoreMetadata
  private let output: XMLStoreOutput
  private let url: URL?
  private var editor: XMLObjectEditor
  /// Bytes of the old file that are not yet worked off.
  private let pending = XMLTextBuffer()
  /// How much of `pending` is written or dropped.
  private var done = 0
  private var part = Part.prolog
  private var hasInfo = false
  /// Updated and deleted rows whose objects the old file turned out to have.
  private var found = 0

  private enum Part { case prolog, content, epilog }

  init(
    _ objects: XMLObjectWriter, _ changes: ChangeSet, _ metadata: StoreMetadata, _ output: XMLStoreOutput,
    url: URL?
  ) {
    self.objects = objects
    self.changes = XMLStoreChanges(changes, in: objects.table.model)
    self.metadata = metadata
    self.output = output
    self.url = url
    self.editor = XMLObjectEditor(objects, self.changes)
  }

  func rewrite(_ original: ByteSource) throws(StoreError) {
    try XMLSourceEncoding.check(original)
    try original.read { (chunk) throws(StoreError) in
      self.pending.append(chunk)
      try self.work()
      return true
    }
    self.copy(to: self.pending.count)
    guard self.part == .epilog else {
      throw StoreError(.malformed, store: self.url, "the file ends before the element database does")
    }
    guard self.found == self.changes.expected else {
      throw StoreError(
        .unsupported, store: self.url,
        "\(self.changes.expected) rows change and \(self.found) of them stand in the file as plain objects; "
          + "nothing was written")
    }
  }

  // MARK: Pieces

  /// Works off everything in `pending` that is there whole.
  private func work() throws(StoreError) {
    let markup = XMLMarkup(self.pending.text)
    /// Behind the element worked off last: the white space before the next one goes with that one.
    var piece = self.done
    while self.part != .epilog, let open = markup.next(UInt8(ascii: "<"), from: piece),
      let kind = markup.kind(at: open)
    {
      switch kind {
      case .other:
        guard let end = markup.otherEnd(at: open) else { return self.keep(from: piece) }
        piece = end
      case .endTag:
        try self.endsContent(markup, piece, open)
        piece = self.done
      case .startTag:
        guard let tag = markup.tag(at: open) else { return self.keep(from: piece) }
        if self.part == .prolog {
          try self.rootStarts(markup, tag)
          piece = max(self.done, tag.range.upperBound)
        } else {
          guard let end = markup.elementEnd(tag) else { return self.keep(from: piece) }
          try self.element(markup, XMLChild(tag: tag, end: end), after: piece)
          piece = end
        }
      }
    }
    if self.part == .epilog { piece = self.pending.count }
    self.keep(from: piece)
  }

  /// Writes what lies before the piece that is not whole, and moves that piece to the front.
  private func keep(from piece: Int) {
    self.copy(to: piece)
    self.pending.removeFirst(piece)
    self.done = 0
  }

  private func copy(to end: Int) {
    if end <= self.done { return }
    let bytes = UnsafeRawBufferPointer(rebasing: self.pending.bytes[self.done..<end])
    // Long runs go straight to the file, behind what the writer holds.
    if bytes.count > 4096 {
      self.objects.writer.empty()
      self.output.write(bytes)
    } else {
      self.objects.writer.raw(bytes)
    }
    self.done = end
  }

  // MARK: The document

  private func rootStarts(_ markup: XMLMarkup, _ tag: XMLTag) throws(StoreError) {
    guard markup.isNamed("database", tag) else {
      throw StoreError(
        .unsupported, store: self.url,
        "the element database has a namespace prefix; files like that can be read, not written")
    }
    self.part = .content
    guard tag.isEmpty else { return }
    self.copy(to: tag.range.upperBound - 2)
    self.done = tag.range.upperBound
    self.objects.writer.raw(">\n")
    try self.writeRest()
    self.part = .epilog
  }

  private func element(_ markup: XMLMarkup, _ child: XMLChild, after previous: Int) throws(StoreError) {
    if markup.isNamed("object", child.tag) {
      try self.object(markup, child, after: previous)
    } else if markup.isNamed("databaseInfo", child.tag) {
      self.hasInfo = true
      self.copy(to: child.tag.range.lowerBound)
      let counts = !self.changes.inserted.isEmpty || !self.changes.deleted.isEmpty
      let info = XMLInfoEditor(self.objects, self.metadata, counts: counts, url: self.url)
      try info.write(markup, child)
      self.done = child.end
    }
  }

  private func object(_ markup: XMLMarkup, _ child: XMLChild, after previous: Int) throws(StoreError) {
    let edit: XMLObjectEditor.Edit
    do { edit = try self.editor.edit(markup, child) } catch { throw StoreError(error, url: self.url) }
    switch edit {
    case .none: return
    case .remove:
      self.found += 1
      let isAlone = markup.isSpace(previous..<child.tag.range.lowerBound)
      self.copy(to: isAlone ? previous : child.tag.range.lowerBound)
    case .change(let row, let change):
      if change.before != nil { self.found += 1 }
      self.copy(to: child.tag.range.lowerBound)
      try self.editor.write(markup, child, as: row, change)
    }
    self.done = child.end
  }

  private func endsContent(_ markup: XMLMarkup, _ previous: Int, _ open: Int) throws(StoreError) {
    self.part = .epilog
    if self.hasInfo, self.changes.inserted.isEmpty { return self.copy(to: open) }
    self.copy(to: open)
    if open == 0 || markup.bytes[open - 1] != UInt8(ascii: "\n") {
      self.objects.writer.byte(UInt8(ascii: "\n"))
    }
    try self.writeRest(endTag: false)
  }

  /// Writes what the old file does not have: new objects, and the store's information if need be.
  private func writeRest(endTag: Bool = true) throws(StoreError) {
    if !self.hasInfo {
      try XMLStoreInfo.write(
        self.metadata, highestID: self.objects.table.highestReference, to: self.objects.writer)
    }
    let table = self.objects.table
    try self.objects.writeLines(self.changes.inserted.lazy.compactMap { table.row($0) })
    if endTag { self.objects.writer.raw("</database>") }
  }
}
