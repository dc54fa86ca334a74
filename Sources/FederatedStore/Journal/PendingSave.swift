public import Foundation

/// A save over several stores that has happened and that not every store is known to have.
///
/// A crash between the commit point and the last store's commit leaves one. Opening a store for writing brings it
/// its part; the save is over when the last participant has it.
public struct PendingSave: Sendable, CustomStringConvertible {
  public let save: SaveIdentifier
  /// The file that holds every store's part. It stays until all of them have theirs.
  public let journal: URL
  public let participants: [Participant]

  /// One store of the save.
  public struct Participant: Sendable, CustomStringConvertible {
    public let name: String
    /// The name of the store type.
    public let type: String
    /// The store's identifier.
    public let store: UUID
    /// Where the store is, or where it was when the save was made.
    public let url: URL
    public let state: State

    public var description: String {
      let path = self.url.path(percentEncoded: false)
      switch self.state {
      case .done: return "\(path): has the save"
      case .pending: return "\(path): lacks the save"
      case .missing: return "\(path): missing; the store was moved or removed"
      case .foreign: return "\(path): another store (the save is for \(self.store.uuidString))"
      }
    }
  }

  /// What is known of a store's part.
  public enum State: String, Sendable, Hashable, CaseIterable {
    /// The store has the save.
    case done
    /// The store is there and lacks the save, or does not say that it has it.
    case pending
    /// No file is where the store was.
    case missing
    /// A store with another identifier is where the store was.
    case foreign
  }

  public var description: String {
    "save \(self.save.uuid.uuidString), journal \(self.journal.path(percentEncoded: false)):\n"
      + self.participants.map { "  - \($0)" }.joined(separator: "\n")
  }

  /// Every pending save that a store takes part in, without changing anything.
  /// - Parameters:
  ///   - url: the store's file.
  ///   - types: the types by which participants are asked for their identifiers.
  ///   - places: where to look for participants that are not where they were.
  /// - Throws: `malformed` when a pointer or a journal is damaged.
  public static func all(
    ofStoreAt url: URL, types: [StoreType], alsoAt places: [URL] = []
  ) throws(StoreError) -> [PendingSave] {
    let files = SideFiles(of: url)
    var pending: [PendingSave] = []
    for entry in try JournalPointer(beside: files).entries {
      guard let journal = entry.foundJournal(from: files), let contents = try SaveJournal(at: journal) else {
        continue
      }
      pending.append(
        try PendingSave(
          contents, at: journal, survey: ParticipantSurvey(types: types, places: [url] + places)))
    }
    return pending
  }

  init(_ journal: SaveJournal, at url: URL, survey: ParticipantSurvey) throws(StoreError) {
    self.save = journal.save
    self.journal = url
    var participants: [Participant] = []
    for one in journal.participants {
      let found = try survey.find(one, of: journal.save, journal: url)
      participants.append(
        Participant(name: one.name, type: one.type, store: one.store, url: found.url, state: found.state))
    }
    self.participants = participants
  }
}

/// Finds the stores of a journal and asks them whether they have the save.
struct ParticipantSurvey {
  /// By which participants can be asked for their metadata, by the name of their type.
  let readers: [String: @Sendable (URL) throws(StoreError) -> StoreMetadata]
  /// Where stores may be that are not where they were.
  let places: [URL]

  init(readers: [String: @Sendable (URL) throws(StoreError) -> StoreMetadata], places: [URL]) {
    self.readers = readers
    self.places = places
  }

  /// Asks the pointers alone: a store whose metadata name the save may have it in memory only, and a journal must not
  /// go before every store has it on disk.
  static func ofPointers(places: [URL]) -> ParticipantSurvey {
    ParticipantSurvey(readers: [:], places: places)
  }

  init(types: [StoreType], places: [URL]) {
    var readers: [String: @Sendable (URL) throws(StoreError) -> StoreMetadata] = [:]
    for type in types { readers[type.name] = type.readMetadata }
    self.init(readers: readers, places: places)
  }

  func find(
    _ participant: SaveJournal.Participant, of save: SaveIdentifier, journal: URL
  ) throws(StoreError) -> (state: PendingSave.State, url: URL) {
    let former = participant.places(from: journal)
    var found: (state: PendingSave.State, url: URL) = (.missing, former[0])
    for (number, place) in (former + self.places).enumerated() where place.isThere {
      let isFormer = number < former.count
      let known = try JournalPointer(beside: SideFiles(of: place)).isDone(save, store: participant.store)
      if known == true { return (.done, place) }
      guard let metadata = try self.metadata(at: place, type: participant.type, isCertain: isFormer) else {
        // Nobody can be asked who stands there: a pointer is the only witness.
        if known == false || isFormer { found = (.pending, place) }
        continue
      }
      if metadata.uuid != participant.store {
        if isFormer, found.state == .missing { found = (.foreign, place) }
        continue
      }
      return (metadata.lastJointSave?.uuid == save.uuid ? .done : .pending, place)
    }
    return found
  }

  /// - Parameter isCertain: whether the file should be of that type; any other content is a foreign store.
  private func metadata(at url: URL, type: String, isCertain: Bool) throws(StoreError) -> StoreMetadata? {
    guard let read = self.readers[type] else { return nil }
    do { return try read(url) } catch {
      switch error.code {
      // Another kind of file, or none: not the participant. Who it is stays open.
      case .typeMismatch, .malformed, .missingFile, .refusedContent: return isCertain ? .other : nil
      default: throw error
      }
    }
  }
}

extension StoreMetadata {
  /// Stands for content that is no store of the type in question.
  fileprivate static var other: StoreMetadata { StoreMetadata(type: "") }
}
