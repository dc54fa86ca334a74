internal import FederatedModel
public import Foundation

extension PendingSave {
  /// Gives every participant that is there its part, and removes the journal when all have theirs.
  ///
  /// Opening the stores does the same; this needs no model, and finds stores that were moved.
  /// - Parameters:
  ///   - types: the types to open participants with.
  ///   - places: where to look for participants that are not where they were; their identifiers prove them.
  /// - Returns: the save as it stands then; every participant is done, unless one is missing or another store.
  /// - Throws: `unknownType` when a participant is of none of the types; what a store threw that could not be given its
  ///   part.
  public func finished(types: [StoreType], alsoAt places: [URL] = []) throws(StoreError) -> PendingSave {
    guard let contents = try SaveJournal(at: self.journal) else { return self }
    let survey = ParticipantSurvey(types: types, places: places)
    for one in contents.participants {
      let found = try survey.find(one, of: contents.save, journal: self.journal)
      guard found.state == .pending || found.state == .done else { continue }
      try self.rollForward(one, contents, at: found.url, types)
    }
    let now = try PendingSave(contents, at: self.journal, survey: survey)
    let proven = try PendingSave(
      contents, at: self.journal, survey: .ofPointers(places: places + now.participants.map(\.url)))
    if proven.participants.allSatisfy({ $0.state == .done }) {
      try JournalCleaning.remove(self.journal)
      for one in now.participants { JournalCleaning.forget(contents.save, beside: SideFiles(of: one.url)) }
    }
    return now
  }

  private func rollForward(
    _ participant: SaveJournal.Participant, _ contents: SaveJournal, at url: URL, _ types: [StoreType]
  ) throws(StoreError) {
    let files = SideFiles(of: url)
    let lock = try StoreLock(files)
    defer { lock.release() }
    if try JournalPointer(beside: files).isDone(contents.save, store: participant.store) == true { return }
    guard let type = types.first(where: { $0.name == participant.type }) else {
      throw StoreError(
        .unknownType, store: url,
        "the store is of type \(participant.type), which nobody here can open; give it its part with a program that "
          + "can")
    }
    let model = try contents.frozenModel(at: self.journal)
    var description = PersistentStoreDescription(
      type, at: url, name: participant.name, configuration: participant.configuration)
    description.ignoresModelVersion = true
    let store = try type.openPlainly(description, model)
    defer { store.close() }
    try store.recover(try contents.changes(of: participant, model, at: self.journal))
    try JournalPointer.markDone(contents.save, store: participant.store, journal: self.journal, beside: files)
  }
}
