extension ModelValidation {
  mutating func check(_ relationship: RelationshipDescription, of entity: String) {
    let (min, max) = (relationship.minCount, relationship.maxCount)
    if min < 0 || max < 0 || (max > 0 && min > max) {
      self.report(
        .invalidCounts, entity, relationship.name,
        "From \(min) to \(max) destinations is no range. Counts are at least 0, and a maximum of 0 is no limit."
      )
    }
    guard self.index.entity(relationship.destination) != nil else {
      self.report(
        .unknownDestination, entity, relationship.name,
        "The destination entity \"\(relationship.destination)\" is not in the model."
          + self.index.entityHint(for: relationship.destination))
      return
    }
    self.checkInverse(of: relationship, of: entity)
  }

  private mutating func checkInverse(of relationship: RelationshipDescription, of entity: String) {
    guard let name = relationship.inverse else { return }
    let start = relationship.inverseEntity ?? relationship.destination
    guard self.index.entity(start) != nil else {
      self.report(
        .unknownInverse, entity, relationship.name,
        "The inverse's entity \"\(start)\" is not in the model.\(self.index.entityHint(for: start))")
      return
    }
    guard self.index.areRelated(start, relationship.destination) else {
      self.report(
        .inverseMismatch, entity, relationship.name,
        "The inverse is said to stand in \"\(start)\", which is no relative of the destination "
          + "\"\(relationship.destination)\".")
      return
    }
    guard let (declaring, back) = self.inverse(of: relationship) else {
      self.report(
        .unknownInverse, entity, relationship.name,
        "\"\(start)\" has no relationship \"\(name)\" to be the inverse."
          + self.index.propertyHint(for: name, of: start))
      return
    }
    if let round = self.inverse(of: back) {
      guard round.entity != entity || round.relationship.name != relationship.name else { return }
      self.report(
        .inverseMismatch, entity, relationship.name,
        "\(entity).\(relationship.name) names \(declaring).\(back.name) as its inverse, but the inverse of "
          + "\(declaring).\(back.name) is \(round.entity).\(round.relationship.name). Make the two name each other."
      )
    } else if back.inverse == nil {
      self.report(
        .inverseMismatch, entity, relationship.name,
        "\(entity).\(relationship.name) names \(declaring).\(back.name) as its inverse, but "
          + "\(declaring).\(back.name) names none. Give it the inverse \"\(relationship.name)\".")
    } else {
      self.report(
        .inverseMismatch, entity, relationship.name,
        "\(entity).\(relationship.name) names \(declaring).\(back.name) as its inverse, but "
          + "\(declaring).\(back.name) does not lead back to it. Make the two name each other.")
    }
  }

  /// The relationship that another names as its inverse, and the entity that declares it.
  private func inverse(
    of relationship: RelationshipDescription
  ) -> (entity: String, relationship: RelationshipDescription)? {
    guard let name = relationship.inverse,
      let found = self.index.property(
        named: name, of: relationship.inverseEntity ?? relationship.destination),
      let back = found.property as? RelationshipDescription
    else { return nil }
    return (found.declaring.name, back)
  }
}
