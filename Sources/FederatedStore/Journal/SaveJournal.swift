package import FederatedModel
package import Foundation

/// The redo journal of one save over several stores: once it stands under its name, the save has happened.
package struct SaveJournal: Sendable {
  package let save: SaveIdentifier
  package let participants: [Participant]
  /// What rows of the journal lie like.
  private let model: Data

  /// One store of the save.
  package struct Participant: Codable, Sendable {
    package var store: UUID
    package var type: String
    package var name: String
    package var configuration: String?
    package var path: String
    /// The store's path from the journal's folder, so that all can move together.
    package var relativePath: String
    package var metadata: StoreMetadata?
    var changes: Data
  }

  /// What goes into the file.
  private struct Contents: Codable {
    var format = 1
    var save: UUID
    var participants: [Participant]
    var model: Data
  }

  // MARK: Making

  /// The part of one store, ready to be written.
  package static func participant(
    _ store: any PersistentStore, _ changes: SealedChanges, journal: URL
  ) throws(StoreError) -> Participant {
    guard let url = store.description.url else {
      throw StoreError(
        .unsupported, store: nil,
        "store \(store.description.name) has no file, so no journal can name it; save its changes by themselves"
      )
    }
    let files = SideFiles(of: url)
    return Participant(
      store: store.metadata.uuid, type: store.description.type.name, name: store.description.name,
      configuration: store.description.configuration, path: files.store.path(percentEncoded: false),
      relativePath: files.store.path(relativeTo: journal.deletingLastPathComponent()),
      metadata: changes.metadata, changes: try SaveJournal.encode(changes.changes, for: url))
  }

  package init(save: SaveIdentifier, _ participants: [Participant], model: JournalModelArchive) {
    self.save = save
    self.participants = participants
    self.model = model.data
  }

  /// Makes the journal durable under a temporary name.
  package func written(to url: URL, mode: mode_t) throws(StoreError) -> AtomicFileWrite {
    let contents = Contents(save: self.save.uuid, participants: self.participants, model: self.model)
    let bytes = JournalFrame.framed(try SaveJournal.encode(contents, for: url))
    return try AtomicFileWrite(replacing: url, mode: mode) { (sink) throws(StoreError) in sink.write(bytes) }
  }

  private static func encode(_ value: some Encodable, for url: URL) throws(StoreError) -> Data {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    do { return try encoder.encode(value) } catch {
      throw StoreError(.inputOutput, store: url, underlying: error, "the journal of the save cannot be made")
    }
  }

  // MARK: Reading

  /// Reads a journal.
  /// - Returns: nil for a file of no bytes: its save was taken back before it was sealed.
  /// - Throws: `malformed` when the content is not what its checksum says.
  package init?(at url: URL) throws(StoreError) {
    let bytes = try ByteSource(file: url).contents()
    if bytes.isEmpty { return nil }
    do {
      let contents = try PropertyListDecoder().decode(
        Contents.self, from: try JournalFrame.content(of: bytes))
      self.save = SaveIdentifier(contents.save, isJoint: true)
      self.participants = contents.participants
      self.model = contents.model
    } catch {
      throw SaveJournal.damaged(url, error)
    }
  }

  /// The model that the rows were made under.
  package func frozenModel(at url: URL) throws(StoreError) -> ManagedObjectModel {
    do { return try PropertyListDecoder().decode(JournalModel.self, from: self.model).frozen() } catch {
      throw SaveJournal.damaged(url, error)
    }
  }

  /// One participant's part.
  /// - Parameter model: the journal's own, or one whose rows lie alike.
  package func changes(
    of participant: Participant, _ model: ManagedObjectModel, at url: URL
  ) throws(StoreError) -> SealedChanges {
    let decoder = PropertyListDecoder()
    decoder.userInfo[.managedObjectModel] = model
    do {
      return SealedChanges(
        save: self.save, changes: try decoder.decode(ChangeSet.self, from: participant.changes),
        metadata: participant.metadata)
    } catch {
      throw SaveJournal.damaged(url, error)
    }
  }

  private static func damaged(_ url: URL, _ error: any Error) -> StoreError {
    StoreError(
      .malformed, store: url, underlying: error,
      "the journal of a save over several stores is damaged, so the save cannot be finished from it; restore the "
        + "file from a copy")
  }
}

extension SaveJournal.Participant {
  /// Where the store may be: moved together with the journal, or where it was.
  package func places(from journal: URL) -> [URL] {
    let beside = journal.deletingLastPathComponent().appending(path: self.relativePath).standardizedFileURL
    let former = URL(filePath: self.path)
    return beside.path(percentEncoded: false) == former.path(percentEncoded: false)
      ? [former] : [beside, former]
  }
}

/// A model as journals keep it, made once and checked to come back as it went in.
package struct JournalModelArchive: Sendable {
  let data: Data

  package init(_ model: ManagedObjectModel) throws {
    let archived = JournalModel(model)
    guard JournalModel.haveSameRows(try archived.frozen(), model) else {
      throw StoreError(
        .unsupported, store: nil,
        "the model has something that a journal cannot keep; save the changes of each store by themselves")
    }
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    self.data = try encoder.encode(archived)
  }
}
