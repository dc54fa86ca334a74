import FederatedModel
import FederatedRuntime

/// Brings generated rows into a context: all of them saved, or a part as unsaved work.
final class FederationEditor {
  private let rows: GeneratedRows
  private let plan: FederationPlan
  private let context: ManagedObjectContext
  /// What is saved at first.
  private var objects: [Int: ManagedObject] = [:]
  /// Saved rows that are no part of the generated ones, to be deleted.
  private var strangers: [ManagedObject] = []
  private var random: SeededGenerator

  init(_ rows: GeneratedRows, in context: ManagedObjectContext, _ plan: FederationPlan, seed: UInt64) {
    self.rows = rows
    self.context = context
    self.plan = plan
    self.random = SeededGenerator(seed: seed ^ 0xed17)
  }

  /// What becomes of a row where changes are pending; by its number, so that it stays when others are left out.
  private enum Standing { case saved, changed, new }

  private func standing(of number: Int) -> Standing {
    guard self.plan.isPending else { return .saved }
    var random = SeededGenerator(seed: UInt64(number) &* 7919)
    return random.pick([.saved, .saved, .saved, .changed, .new])
  }

  /// Saves what the stores hold at first.
  func save() throws {
    for row in self.rows.rows where self.standing(of: row.number) != .new {
      let object = try self.context.insert(row.entity)
      try self.context.assign(object, toStoreNamed: row.half < self.plan.stores.count ? "\(row.half)" : "0")
      self.objects[row.number] = object
      let isSaved = self.standing(of: row.number) == .saved
      let values =
        isSaved ? row.values : GeneratedRows.values(row.entity, self.context.model, &self.random)
      for (name, value) in values { try object.set(name, to: value) }
    }
    let folders = self.rows.rows.filter { $0.entity == "Folder" }.compactMap { self.objects[$0.number] }
    for row in self.rows.rows {
      switch self.standing(of: row.number) {
      case .saved: try self.link(row)
      case .changed:
        if let object = self.objects[row.number], object.entity.relationship(named: "folder") != nil,
          !folders.isEmpty
        {
          try object.set("folder", to: folders[row.number % folders.count])
        }
      case .new: break
      }
    }
    if self.plan.isPending { try self.addStrangers(to: folders) }
    try self.context.save()
  }

  private func addStrangers(to folders: [ManagedObject]) throws {
    for number in 0..<max(2, self.rows.rows.count / 10) {
      let entity = ["Record", "Memo", "Folder", "Tag", "Cup"][number % 5]
      let object = try self.context.insert(entity)
      for (name, value) in GeneratedRows.values(entity, self.context.model, &self.random) {
        try object.set(name, to: value)
      }
      if number % 5 < 2, !folders.isEmpty {
        try object.set("folder", to: folders[number % folders.count])
      }
      self.strangers.append(object)
    }
  }

  /// Links a row to those of its destinations that are there.
  private func link(_ row: GeneratedRows.Row) throws {
    guard let object = self.objects[row.number] else { return }
    for (name, number) in row.toOne {
      if let destination = self.objects[number] { try object.set(name, to: destination) }
    }
    for (name, numbers) in row.toMany {
      let destinations = numbers.compactMap { self.objects[$0] }
      // A relationship that is its own inverse may have been filled from the other side.
      let others = name == "related" ? try object.objects(name) : []
      try object.set(
        name, to: others.filter { other in !destinations.contains { $0 === other } } + destinations)
    }
  }

  /// Whether everything that a row is linked with was saved with it.
  private func isLinked(_ row: GeneratedRows.Row) -> Bool {
    ([row.number] + row.toOne.values + row.toMany.values.joined()).allSatisfy {
      self.standing(of: $0) != .new
    } && self.standing(of: row.number) == .saved
  }

  var savedIdentifiers: [ManagedObjectID] {
    self.objects.values.map(\.objectID) + self.strangers.map(\.objectID)
  }

  /// Makes the rows of a context what they should be, and tells who they are.
  /// - Parameter renamed: who a saved row is in that context.
  func finished(
    in context: ManagedObjectContext, _ renamed: (ManagedObjectID) throws -> ManagedObjectID
  ) throws -> [Int: ManagedObjectID] {
    var found = try self.objects.mapValues { try renamed($0.objectID) }
    guard self.plan.isPending else { return found }
    let strangers = try self.strangers.map { try renamed($0.objectID) }
    self.objects = found.mapValues { context.object(with: $0) }
    for id in strangers { context.delete(context.object(with: id)) }
    for row in self.rows.rows {
      switch self.standing(of: row.number) {
      case .saved: continue
      case .changed:
        guard let object = self.objects[row.number] else { continue }
        for attribute in object.entity.attributes where attribute.slot != nil {
          try object.set(attribute.name, to: row.values[attribute.name] ?? .null)
        }
        if object.entity.relationship(named: "folder") != nil { try object.set("folder", to: .null) }
      case .new:
        let object = try context.insert(row.entity)
        for (name, value) in row.values { try object.set(name, to: value) }
        self.objects[row.number] = object
        found[row.number] = object.objectID
      }
    }
    for row in self.rows.rows where !self.isLinked(row) { try self.link(row) }
    try context.processPendingChanges()
    return found
  }
}
