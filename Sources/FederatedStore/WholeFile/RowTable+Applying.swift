internal import FederatedModel

extension RowTable {
  /// The next version: this one with the changes of a save.
  ///
  /// - Throws: `conflict` with every updated or deleted row that is gone or has another version than its
  ///   before-image, and with every deleted row that others lead to; `changedUnderneath` when an inserted row's
  ///   reference is taken.
  func applying(
    _ changes: ChangeSet, names: ReferenceNames = ReferenceNames()
  ) throws(StoreError) -> RowTable {
    try self.checkConflicts(changes)
    var next = RowTableContents(self)
    next.names.add(names)
    next.delete(changes.deleted)
    for images in changes.updated { next.replace(images.after) }
    for block in changes.inserted { try next.insert(block) }
    for change in changes.links { next.apply(change) }
    next.compactIfNeeded()
    let table = RowTable(next, indexes: self.indexes.following(changes, model: self.model))
    try table.checkLeftLists(of: changes)
    return table
  }

  /// No row may lead to one that the save removed.
  private func checkLeftLists(of changes: ChangeSet) throws(StoreError) {
    var conflicts: [RowIdentity] = []
    for list in changes.leftLists(in: self.model) {
      for index in 0..<list.owners.count {
        let owner = RowIdentity(list.owners[index])
        if !self.rows(whose: list.inverse, is: owner.reference).isEmpty, !conflicts.contains(owner) {
          conflicts.append(owner)
        }
      }
    }
    if let first = conflicts.first {
      throw self.conflict(
        conflicts, first, "others linked a row to this one since it was read; refresh it and save again")
    }
  }

  func checkConflicts(_ changes: ChangeSet) throws(StoreError) {
    var conflicts: [RowIdentity] = []
    func check(_ before: RowBlock) {
      for index in 0..<before.count {
        let identity = RowIdentity(before[index])
        if self.row(identity)?.version != before[index].version { conflicts.append(identity) }
      }
    }
    for images in changes.updated { check(images.before) }
    for block in changes.deleted { check(block) }
    for expected in changes.expected {
      // A link may know its destination by the declared entity only.
      let row = self.row(expected.row.reference, inHierarchyOf: expected.row.entity)
      if row == nil || (expected.version != nil && row?.version != expected.version) {
        conflicts.append(expected.row)
      }
    }
    guard let first = conflicts.first else { return }
    throw self.conflict(
      conflicts, first, "the row was changed or deleted since it was read; refresh it and save again")
  }

  private func conflict(_ rows: [RowIdentity], _ first: RowIdentity, _ detail: String) -> StoreError {
    let place = StoreError.Place.property(
      entity: self.model[first.entity].name, reference: first.reference, property: nil)
    return StoreError(.conflict, store: nil, place: place, rows: rows, detail)
  }
}

extension RowTableContents {
  private func reference(_ place: RowPlace) -> Int64 { self.blocks[place.block][place.row].reference }

  fileprivate mutating func delete(_ deleted: [RowBlock]) {
    var gone = Set<RowIdentity>()
    for block in deleted { for row in 0..<block.count { gone.insert(RowIdentity(block[row])) } }
    if gone.isEmpty { return }
    for entity in Set(gone.map(\.entity)) {
      let places = self.places[entity.index]
      self.places[entity.index] = places.filter {
        !gone.contains(RowIdentity(entity: entity, reference: self.reference($0)))
      }
    }
    for row in gone {
      self.references[self.model[row.entity].root.index].remove(row.reference)
      self.extras[row] = nil
    }
    self.fileOrder.removeAll { gone.contains($0) }
    self.forget(gone)
  }

  fileprivate mutating func replace(_ block: RowBlock) {
    let number = self.blocks.count
    self.blocks.append(block)
    let root = self.model[block.entity].root.index
    for row in 0..<block.count {
      let reference = block[row].reference
      let place = RowPlace(block: number, row: row)
      self.references[root].move(reference, to: place)
      let position = self.position(of: reference, among: block.entity)
      self.places[block.entity.index][position] = place
    }
  }

  private func position(of reference: Int64, among entity: EntityID) -> Int {
    let places = self.places[entity.index]
    var low = 0
    var high = places.count
    while low < high {
      let middle = (low + high) / 2
      if self.reference(places[middle]) < reference { low = middle + 1 } else { high = middle }
    }
    return low
  }

  fileprivate mutating func insert(_ block: RowBlock) throws(StoreError) {
    let number = self.blocks.count
    self.blocks.append(block)
    let entity = self.model[block.entity]
    var last = self.places[block.entity.index].last.map { self.reference($0) }
    var isSorted = true
    for row in 0..<block.count {
      let identity = RowIdentity(block[row])
      let place = RowPlace(block: number, row: row)
      guard self.references[entity.root.index].insert(identity.reference, at: place) else {
        throw StoreError(
          .changedUnderneath, store: nil,
          place: .property(entity: entity.name, reference: identity.reference, property: nil),
          rows: [identity],
          "another program took the row's number while this save was made; save again")
      }
      if let last, last > identity.reference { isSorted = false }
      last = identity.reference
      self.places[block.entity.index].append(place)
      if self.keepsFileOrder { self.fileOrder.append(identity) }
      if identity.reference < ReferenceNames.firstOpaque {
        self.highestReference = max(self.highestReference, identity.reference)
      }
    }
    if !isSorted {
      let places = self.places[block.entity.index]
      self.places[block.entity.index] = places.sorted { self.reference($0) < self.reference($1) }
    }
  }

  // MARK: Lists

  fileprivate mutating func apply(_ change: LinkChange) {
    let relationship = self.model.relationship(change.relationship)
    guard let inverseID = relationship.inverse, self.model.relationship(inverseID).isToMany else {
      self.edit(relationship, of: change.owner, change)
      return
    }
    self.edit(relationship, of: change.owner, change)
    let inverse = self.model.relationship(inverseID)
    for row in change.added {
      self.edit(
        inverse, of: row, LinkChange(relationship: inverseID, owner: row, added: [change.owner], removed: []))
    }
    for row in change.removed {
      self.edit(
        inverse, of: row, LinkChange(relationship: inverseID, owner: row, added: [], removed: [change.owner]))
    }
  }

  private mutating func edit(_ relationship: Relationship, of owner: RowIdentity, _ change: LinkChange) {
    var lists = self.lists[relationship.id] ?? LinkLists()
    var list = lists[owner.reference]
    if !change.removed.isEmpty {
      let removed = Set(change.removed)
      list.removeAll { removed.contains($0) }
    }
    if let order = change.order {
      let ordered = Set(order)
      let followers = list.filter { !ordered.contains($0) }
      // Where a to-one tells the members, the list only tells their order.
      let members = relationship.isTold(in: self.model) ? ordered : Set(list).union(change.added)
      list = order.filter { members.contains($0) } + followers
    } else {
      let present = Set(list)
      for row in change.added where !present.contains(row) {
        RowTableContents.add(row, to: &list, isOrdered: relationship.isOrdered)
      }
    }
    lists[owner.reference] = list
    lists.packIfNeeded()
    self.lists[relationship.id] = lists
  }

  /// Unordered lists stay ascending, so that the same graph makes the same file.
  private static func add(_ row: RowIdentity, to list: inout [RowIdentity], isOrdered: Bool) {
    guard !isOrdered, let place = list.firstIndex(where: { $0.reference > row.reference }),
      zip(list, list.dropFirst()).allSatisfy({ $0.reference < $1.reference })
    else {
      list.append(row)
      return
    }
    list.insert(row, at: place)
  }

  /// Takes deleted rows out of every list, as owners and as destinations.
  private mutating func forget(_ gone: Set<RowIdentity>) {
    for (id, lists) in self.lists {
      let relationship = self.model.relationship(id)
      let destination = self.model[relationship.destination].root
      let owner = self.model[relationship.declaringEntity].root
      var lists = lists
      for row in gone where self.model[row.entity].root == owner && !lists[row.reference].isEmpty {
        lists[row.reference] = []
      }
      if gone.contains(where: { self.model[$0.entity].root == destination }) {
        for owner in lists.ownersWithLists {
          let list = lists[owner]
          if list.contains(where: { gone.contains($0) }) { lists[owner] = list.filter { !gone.contains($0) } }
        }
      }
      lists.packIfNeeded()
      self.lists[id] = lists
    }
  }

  // MARK: Compaction

  /// Copies all rows into new blocks when saves have left many small blocks, or blocks with more rows that are
  /// gone than rows that stand.
  fileprivate mutating func compactIfNeeded() {
    let live = self.places.reduce(0) { $0 + $1.count }
    let held = self.blocks.reduce(0) { $0 + $1.count }
    guard self.blocks.count > 64 + live / 256 || held > 4096 + live * 2 else { return }
    let old = self.blocks
    self.blocks = []
    for entity in self.model.entities where !self.places[entity.id.index].isEmpty {
      self.compact(entity, from: old)
    }
  }

  private mutating func compact(_ entity: Entity, from old: [RowBlock]) {
    var builder = RowBlockBuilder(layout: entity.layout)
    var places: [RowPlace] = []
    places.reserveCapacity(self.places[entity.id.index].count)
    for place in self.places[entity.id.index] {
      if builder.byteCount >= RowSink.blockBytes { self.blocks.append(builder.finish()) }
      let row = old[place.block][place.row]
      let next = RowPlace(block: self.blocks.count, row: builder.count)
      builder.copyRow(row, reference: row.reference, version: row.version)
      places.append(next)
      self.references[entity.root.index].move(row.reference, to: next)
    }
    self.blocks.append(builder.finish())
    self.places[entity.id.index] = places
  }
}

extension Relationship {
  /// Whether the to-one at the other end tells who the members are.
  fileprivate func isTold(in model: ManagedObjectModel) -> Bool {
    self.inverse.map { !model.relationship($0).isToMany } ?? false
  }
}
