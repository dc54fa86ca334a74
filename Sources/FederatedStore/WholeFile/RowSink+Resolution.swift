internal import FederatedModel

/// What a file told, as a table, and where its two sides had to be made one.
struct ReadTable {
  var table: RowTable
  var repairs: [InverseRepair]
}

extension RowSink {
  /// Resolves everything that could stand further down in the file.
  consuming func finish() -> ReadTable {
    self.endBlocks()
    self.contents.storeExtra = self.storeExtra
    self.sortPlaces()
    self.applyLateLinks()
    self.resolveDestinations()
    // Lists are compared with columns through a table of the rows alone.
    let rows = RowTable(self.contents)
    var resolution = ListResolution(rows: rows, met: self.lists)
    resolution.run()
    if resolution.lists.isEmpty { return ReadTable(table: rows, repairs: resolution.repairs) }
    self.contents.lists = resolution.lists
    return ReadTable(
      table: RowTable(self.contents, indexes: rows.indexes), repairs: resolution.repairs)
  }

  private mutating func sortPlaces() {
    for index in self.contents.places.indices {
      let blocks = self.contents.blocks
      let reference = { (place: RowPlace) in blocks[place.block][place.row].reference }
      let places = self.contents.places[index]
      let isSorted = zip(places, places.dropFirst()).allSatisfy { reference($0) < reference($1) }
      if !isSorted { self.contents.places[index].sort { reference($0) < reference($1) } }
    }
  }

  private mutating func resolveDestinations() {
    for index in self.contents.blocks.indices {
      let contents = self.contents
      let block = contents.blocks[index]
      self.contents.blocks[index] = block.resolvingDestinations { column, reference, entity in
        guard let declared = column.destination else { return entity }
        let destination = contents.model[declared]
        if destination.family.count == 1 { return entity }
        guard let place = contents.references[destination.root.index][reference] else { return entity }
        let concrete = contents.blocks[place.block].entity
        return destination.family.contains(concrete) ? concrete : entity
      }
    }
  }
}
