internal import FederatedModel
internal import FederatedStore
internal import XMLStream

extension XMLDocumentRewriter {
  /// Adds the new records that stand inside a record of the document.
  func addInside(
    _ editor: inout XMLRecordEditor, _ site: XMLRecordSite, _ finder: XMLSiteFinder
  ) throws {
    for child in self.new.inside[site.identity] ?? [] {
      let link = editor.record.links[child.link]
      var parent = editor.tree
      var missing = link.path.steps[...]
      while missing.count > 1, let step = missing.first,
        let found = try parent.elements(at: [step], editor.namespaces, editor.markup).last
      {
        parent = found
        missing = missing.dropFirst()
      }
      let maker = XMLElementMaker(XMLNaming(namespaces: editor.namespaces, scope: parent.scope))
      let record = try self.newRecord(
        child.row, link.path.steps[link.path.steps.count - 1], maker, finder, editor.markup)
      var element = record
      if let step = missing.first, missing.count > 1, let known = editor.newElement(step, in: parent) {
        // A container that was added for the child before.
        var container = known
        for step in missing.dropFirst().dropLast() {
          guard let inner = container.children.first(where: { $0.step == step }) else { break }
          container = inner
        }
        container.children.append(record)
        continue
      }
      // Containers that the record around it does not have yet, from the inside out.
      for step in missing.dropLast().reversed() {
        let container = try self.made { () throws(XMLPathRefusal) in try maker.element(step, nil, nil) }
        container.children.append(element)
        element = container
      }
      let last =
        missing.count > 1 ? nil : try parent.elements(at: missing, editor.namespaces, editor.markup).last
      editor.add(element, to: parent, behind: last)
    }
  }

  /// Adds the new records that stand by themselves: behind the last of their kind, else into its container.
  func addAlone(_ finder: XMLSiteFinder, _ places: XMLPlaceRecorder) throws {
    let markup = places.markup
    var rest: [Snapshot] = []
    for row in self.new.alone {
      guard let number = self.plan.recordByEntity[row.entity.index] else { continue }
      let record = self.plan.records[number]
      guard let template = finder.lastAlone[number] else {
        rest.append(row)
        continue
      }
      let tree = try template.tree(markup)
      let namespaces = self.plan.mapping.namespaces
      let step = try record.paths.compactMap(\.steps.last).first { step in
        try tree.fits(step, namespaces, markup)
      }
      guard let step = step ?? record.paths.first?.steps.last else { continue }
      let maker = XMLElementMaker(XMLNaming(namespaces: namespaces, scope: template.scope))
      let element = try self.newRecord(row, step, maker, finder, markup)
      let begin =
        self.plan.usesKeys
        ? markup.propertyKeyStart(before: tree.range.lowerBound) ?? tree.range.lowerBound
        : tree.range.lowerBound
      let space = markup.copy(markup.lineStart(before: begin))
      self.edits.insert(space + element.bytes(space, unit: XMLLayout(markup, tree).unit), at: template.end)
    }
    if !rest.isEmpty { try self.addFirst(rest, finder, places) }
  }

  /// The first records of their kinds go into the elements that their paths lead through.
  private func addFirst(_ rows: [Snapshot], _ finder: XMLSiteFinder, _ places: XMLPlaceRecorder) throws {
    guard let tag = places.rootTag, let row = rows.first,
      let number = self.plan.recordByEntity[row.entity.index],
      let root = try XMLElementTree(places.markup, tag, scope: [:])
    else { return }
    var editor = XMLRecordEditor(
      self.plan, self.plan.records[number], places.markup, root, title: self.title(row), url: self.url,
      self.edits)
    for row in rows { try self.addFirst(row, &editor, finder) }
    self.edits = try editor.finish()
  }

  private func addFirst(_ row: Snapshot, _ editor: inout XMLRecordEditor, _ finder: XMLSiteFinder) throws {
    guard let number = self.plan.recordByEntity[row.entity.index] else { return }
    let record = self.plan.records[number]
    let namespaces = self.plan.mapping.namespaces
    for path in record.paths where path.steps.count > 1 && !path.steps.contains(where: \.isDescendant) {
      guard try editor.tree.fits(path.steps[0], namespaces, editor.markup),
        let container = try editor.tree.elements(
          at: path.steps[1..<(path.steps.count - 1)], namespaces, editor.markup
        ).last
      else { continue }
      let maker = XMLElementMaker(XMLNaming(namespaces: namespaces, scope: container.scope))
      let element = try self.newRecord(row, path.steps[path.steps.count - 1], maker, finder, editor.markup)
      return editor.add(element, to: container, behind: container.children.last)
    }
    throw StoreError(
      .unsupported, store: self.url,
      place: .property(entity: record.entity.name, reference: row.reference, property: nil),
      "the document has no record of \(record.entity.name) and no element that could hold the first one")
  }

  // MARK: One new record

  private func newRecord(
    _ row: Snapshot, _ step: XMLPath.Step, _ maker: XMLElementMaker, _ finder: XMLSiteFinder,
    _ markup: XMLMarkup
  ) throws -> XMLNewElement {
    guard let number = self.plan.recordByEntity[row.entity.index] else {
      throw StoreError(.unsupported, store: self.url, "\(self.title(row)) is of an entity that is not mapped")
    }
    let record = self.plan.records[number]
    var step = step
    step.isDescendant = false
    let element = try self.made { () throws(XMLPathRefusal) in try maker.element(step, nil, nil) }
    for place in try self.order(of: record, number, finder, markup) {
      let value = record.values[place]
      switch value.kind {
      case .attribute(let slot, let kind, let conversion):
        guard let text = try self.text(of: row, slot, kind, conversion, like: nil, value, nil) else {
          if value.path.end != .ownText { continue }
          throw StoreError(
            .unstorableValue, store: self.url,
            place: .property(entity: record.entity.name, reference: row.reference, property: value.name),
            "\(self.title(row)), \(value.name): it is the text of the record's own element, which is never nil; set it "
              + "before the save, if only to the empty text")
        }
        try self.put(text, value, record, maker, element)
      case .reference(let reference, let part):
        let plan = record.references[reference]
        for texts in self.references(of: row, plan) {
          try self.put(texts[part], value, record, maker, element, isRepeated: plan.relationship.isToMany)
        }
      }
    }
    for child in self.new.inside[RowIdentity(row)] ?? [] {
      let path = record.links[child.link].path
      var container = element
      for step in path.steps.dropLast() {
        if let known = container.children.first(where: { $0.step == step }) {
          container = known
        } else {
          let next = try self.made { () throws(XMLPathRefusal) in try maker.element(step, nil, nil) }
          container.children.append(next)
          container = next
        }
      }
      container.children.append(
        try self.newRecord(child.row, path.steps[path.steps.count - 1], maker, finder, markup))
    }
    return element
  }

  private func references(of row: Snapshot, _ plan: XMLReferencePlan) -> [[String]] {
    if let slot = plan.relationship.slot {
      return row.destination(slot).flatMap { self.keyTexts($0.reference, plan) }.map { [$0] } ?? []
    }
    return self.table.related(plan.relationship, of: row.reference).compactMap {
      self.keyTexts($0.reference, plan)
    }
  }

  private func put(
    _ text: String, _ value: XMLValuePlan, _ record: XMLRecordPlan, _ maker: XMLElementMaker,
    _ element: XMLNewElement, isRepeated: Bool = false
  ) throws(StoreError) {
    try self.made { () throws(XMLPathRefusal) in
      try maker.put(text, of: value, record, at: value.path.steps[...], into: element, isRepeated: isRepeated)
    }
  }

  private func made<R>(_ body: () throws(XMLPathRefusal) -> R) throws(StoreError) -> R {
    do throws(XMLPathRefusal) { return try body() } catch {
      throw StoreError(.unstorableValue, store: self.url, "a new element cannot be made: \(error.reason)")
    }
  }

  /// The values of a new record in the order that the last record of its kind has.
  private func order(
    of record: XMLRecordPlan, _ number: Int, _ finder: XMLSiteFinder, _ markup: XMLMarkup
  ) throws -> [Int] {
    guard let template = finder.lastOfAll[number] else { return Array(record.values.indices) }
    let tree = try template.tree(markup)
    var places: [Int] = []
    for value in record.values {
      let found = try tree.elements(at: value.path.steps[...], self.plan.mapping.namespaces, markup).first
      var place = found?.range.lowerBound ?? .max
      if let found, case .attribute(let name) = value.path.end {
        let uri = name.prefix.isEmpty ? nil : self.plan.mapping.namespaces[name.prefix]
        place = found.attribute(name.local, uri, markup)?.name.lowerBound ?? place
      }
      places.append(place)
    }
    return record.values.indices.sorted { (places[$0], $0) < (places[$1], $1) }
  }
}
