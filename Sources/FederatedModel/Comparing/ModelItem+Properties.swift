extension ModelItem {
  init(_ attribute: AttributeDescription, of owner: String, kind: Kind = .attribute) {
    let validation = attribute.validation
    let conditions = validation.conditions.map { condition in
      Value.string(
        condition.message.isEmpty ? condition.format : "\(condition.format) (\(condition.message))")
    }
    let facts =
      [ModelFact("type", attribute.type.words)] + Self.shared(by: attribute) + [
        ModelFact("default", attribute.defaultValue),
        ModelFact("minimum", validation.minimum),
        ModelFact("maximum", validation.maximum),
        ModelFact("pattern", validation.pattern),
        ModelFact("conditions", .list(conditions), usually: .list([])),
        ModelFact("derivation", attribute.derivationExpression),
        ModelFact("indexed", attribute.isIndexed),
        ModelFact("externalStorage", attribute.allowsExternalBinaryDataStorage),
        ModelFact("preservedInHistory", attribute.preservesValueInHistoryOnDeletion),
        ModelFact("class", attribute.valueClassName),
      ]
    self.init(
      kind, attribute.name, of: owner, identifier: attribute.effectiveRenamingIdentifier,
      facts: facts + Self.userInfo(attribute.userInfo))
  }

  init(_ relationship: RelationshipDescription, of owner: String) {
    let cardinality =
      relationship.isToMany ? (relationship.isOrdered ? "to-many ordered" : "to-many") : "to-one"
    let inverseEntity = relationship.inverseEntity ?? relationship.destination
    let facts =
      [
        ModelFact("destination", relationship.destination),
        ModelFact("cardinality", cardinality),
      ] + Self.shared(by: relationship) + [
        ModelFact("minCount", relationship.minCount),
        // The greatest number of a to-one is said by its cardinality.
        ModelFact("maxCount", relationship.isToMany ? relationship.maxCount : 0),
        ModelFact("inverse", relationship.inverse),
        ModelFact("inverseEntity", inverseEntity == relationship.destination ? nil : inverseEntity),
        ModelFact("deleteRule", relationship.deleteRule.rawValue),
        ModelFact("indexed", relationship.isIndexed),
      ]
    self.init(
      .relationship, relationship.name, of: owner, identifier: relationship.effectiveRenamingIdentifier,
      facts: facts + Self.userInfo(relationship.userInfo))
  }

  init(_ property: FetchedProperty, of owner: String) {
    let fetched = property.description
    var facts = [ModelFact("destination", fetched.request?.entityName)]
    // A question that cannot be asked has no frozen request, and is compared by its text.
    if let request = property.request ?? fetched.request {
      facts += request.facts(format: fetched.predicateFormat)
    }
    // Nothing but a file can make a fetched property required, and no rule follows from it.
    facts += [
      ModelFact("optional", fetched.isOptional, usually: true),
      ModelFact("renamingIdentifier", fetched.renamingIdentifier),
      ModelFact("versionHashModifier", fetched.versionHashModifier),
    ]
    self.init(
      .fetchedProperty, fetched.name, of: owner, identifier: fetched.effectiveRenamingIdentifier,
      facts: facts + Self.userInfo(fetched.userInfo))
  }

  private static func shared(by property: some PropertyDescription) -> [ModelFact] {
    [
      ModelFact("optional", property.isOptional),
      ModelFact("transient", property.isTransient),
      ModelFact("renamingIdentifier", property.renamingIdentifier),
      ModelFact("versionHashModifier", property.versionHashModifier),
    ]
  }
}

extension FetchRequest {
  /// What the request says, but for its entity.
  /// - Parameter format: the condition as it was written; nil takes the canonical text.
  func facts(format: String?) -> [ModelFact] {
    let canonical = self.predicate?.description
    let texts = { (texts: [String]) in Value.list(texts.map(Value.string)) }
    return [
      ModelFact(
        "predicate", (format ?? canonical).map(Value.string) ?? .null,
        compared: (canonical ?? format).map(Value.string) ?? .null),
      ModelFact("sort", texts(self.sortDescriptors.map(\.text)), usually: .list([])),
      ModelFact("limit", self.fetchLimit),
      ModelFact("offset", self.fetchOffset),
      ModelFact("batchSize", self.fetchBatchSize),
      ModelFact("resultType", .string("\(self.resultType)"), usually: .string("objects")),
      ModelFact("includesSubentities", self.includesSubentities, usually: true),
      ModelFact("includesPropertyValues", self.includesPropertyValues, usually: true),
      ModelFact("includesPendingChanges", self.includesPendingChanges, usually: true),
      ModelFact("returnsObjectsAsFaults", self.returnsObjectsAsFaults, usually: true),
      ModelFact("returnsDistinctResults", self.returnsDistinctResults),
      ModelFact("columns", texts((self.propertiesToFetch ?? []).map(\.name)), usually: .list([])),
      ModelFact("groups", texts(self.propertiesToGroupBy ?? []), usually: .list([])),
      ModelFact("having", self.havingPredicate?.description),
      ModelFact("prefetching", texts(self.relationshipKeyPathsForPrefetching), usually: .list([])),
      ModelFact("stores", (self.affectedStores.map(texts)) ?? .null),
    ]
  }
}

extension FetchSortDescriptor {
  /// `-date`, `name:caseInsensitive`: as the tool's `--sort` takes it.
  fileprivate var text: String {
    let key = [self.link, self.key].compactMap(\.self).joined(separator: ".")
    let comparison =
      self.comparator.map(\.name) ?? (self.comparison == .scalar ? nil : self.comparison.rawValue)
    return (self.ascending ? "" : "-") + key + (comparison.map { ":\($0)" } ?? "")
  }
}

extension AttributeType {
  /// `integer 64`, `transformable Colour`: the type in words.
  var words: String {
    switch self {
    case .undefined: "undefined"
    case .integer16: "integer 16"
    case .integer32: "integer 32"
    case .integer64: "integer 64"
    case .decimal: "decimal"
    case .double: "double"
    case .float: "float"
    case .string: "string"
    case .boolean: "boolean"
    case .date: "date"
    case .binary: "binary"
    case .uuid: "uuid"
    case .uri: "uri"
    case .transformable(let codec): codec.map { "transformable \($0)" } ?? "transformable"
    case .composite(let name): "composite \(name)"
    }
  }
}
