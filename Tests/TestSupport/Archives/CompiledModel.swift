public import FederatedModel
public import Foundation

/// Writes descriptions as the original framework compiles them, or as its stores keep a copy of them.
public enum CompiledModel {
  public enum Form: Sendable, CaseIterable {
    /// A `.mom`: an entity has its own properties.
    case compiled
    /// A copy in a store: an entity has the inherited properties too, and dictionaries of entities have known keys.
    case cached
  }

  /// The archive's bytes.
  public static func data(of draft: ModelDraft, _ form: Form = .compiled) throws -> Data {
    var writer = CompiledModelWriter(draft, form)
    return try writer.data()
  }
}

private struct CompiledModelWriter {
  private let draft: ModelDraft
  private let form: CompiledModel.Form
  private let archive = ArchiveBuilder()
  private let model: Int
  private var entities: [String: Int] = [:]
  /// By `Entity.property`.
  private var properties: [String: Int] = [:]

  init(_ draft: ModelDraft, _ form: CompiledModel.Form) {
    self.draft = draft
    self.form = form
    self.model = self.archive.reserve()
    for entity in draft.entities {
      self.entities[entity.name] = self.archive.reserve()
      for property in entity.properties {
        self.properties["\(entity.name).\(property.name)"] = self.archive.reserve()
      }
    }
  }

  private func reference(_ number: Int?) -> Any { ArchiveBuilder.reference(number ?? 0) }
  private func reference(_ text: String?) -> Any { self.reference(text.map { self.archive.text($0) }) }

  mutating func data() throws -> Data {
    for entity in self.draft.entities { try self.write(entity) }
    let all = self.draft.entities.map { ($0.name, self.entities[$0.name]!) }
    let configurations = self.draft.configurations.map { configuration in
      (configuration.name, self.archive.set(configuration.entities.map { self.entities[$0]! }))
    }
    let templates = self.draft.templates.map { ($0.name, self.request($0.request, $0.predicateFormat)) }
    self.archive.record(
      ["NSManagedObjectModel"], at: self.model,
      [
        "NSEntities": self.reference(
          self.form == .cached
            ? self.archive.knownKeysDictionary(all, absent: ["Gone"]) : self.archive.dictionary(all)),
        "NSConfigurations": self.reference(self.archive.dictionary(configurations)),
        "NSFetchRequestTemplates": self.reference(self.archive.dictionary(templates)),
        "NSVersionIdentifiers": self.reference(
          self.archive.set(self.draft.versionIdentifiers.map { self.archive.text($0) })),
      ])
    return try self.archive.data(root: self.model)
  }

  // MARK: Entities

  private func entity(_ name: String?) -> EntityDescription? { self.draft.entities.first { $0.name == name } }

  private func write(_ entity: EntityDescription) throws {
    var properties = try entity.properties.map { property in
      let number = self.properties["\(entity.name).\(property.name)"]!
      return (property.name, try self.write(property, of: entity.name, at: number))
    }
    if self.form == .cached {
      var parent = self.entity(entity.parent)
      while let current = parent {
        properties += try current.properties.map { ($0.name, try self.write($0, of: entity.name, at: nil)) }
        parent = self.entity(current.parent)
      }
    }
    let children = self.draft.entities.filter { $0.parent == entity.name }
    var fields: [String: Any] = [
      "NSEntityName": self.reference(entity.name), "NSManagedObjectModel": self.reference(self.model),
      "NSClassNameForEntity": self.reference(entity.managedObjectClassName ?? "NSManagedObject"),
      "NSSuperentity": self.reference(entity.parent.flatMap { self.entities[$0] }),
      "NSSubentities": self.reference(
        self.archive.dictionary(children.map { ($0.name, self.entities[$0.name]!) })),
      "NSProperties": self.reference(self.archive.dictionary(properties)),
      "NSUserInfo": self.reference(self.userInfo(entity.userInfo)),
      "NSRenamingIdentifier": self.reference(entity.renamingIdentifier ?? entity.name),
      "NSVersionHashModifier": self.reference(entity.versionHashModifier),
      "NSUniqueTuples": self.reference(self.lists(entity.uniquenessConstraints)),
      "NSCompoundIndexes": self.reference(self.lists(entity.compoundIndexes)),
      "NSFetchIndexDescriptions": self.reference(self.archive.array(entity.indexes.map(self.index))),
    ]
    if entity.isAbstract { fields["NSIsAbstract"] = true }
    self.archive.record(["NSEntityDescription"], at: self.entities[entity.name]!, fields)
  }

  private func userInfo(_ info: [String: String]) -> Int {
    self.archive.dictionary(info.sorted { $0.key < $1.key }.map { ($0.key, self.archive.text($0.value)) })
  }

  private func lists(_ lists: [[String]]) -> Int {
    self.archive.array(lists.map { self.archive.array($0.map { self.archive.text($0) }) })
  }

  private func index(_ index: FetchIndexDescription) -> Int {
    let elements = index.elements.map { element in
      self.archive.record(
        ["NSFetchIndexElementDescription"],
        [
          "NSPropertyName": self.reference(element.property), "NSAscending": element.ascending,
          "NSFetchIndexElementType": element.kind == "RTree" ? 1 : 0,
        ])
    }
    let condition = index.partialPredicateFormat.map { self.predicate($0) }
    return self.archive.record(
      ["NSFetchIndexDescription"],
      [
        "NSIndexName": self.reference(index.name),
        "NSIndexElements": self.reference(self.archive.array(elements)),
        "NSPartialIndexPredicate": self.reference(condition),
      ])
  }

  // MARK: Properties

  private func write(_ property: any PropertyDescription, of entity: String, at number: Int?) throws -> Int {
    var fields: [String: Any] = [
      "NSPropertyName": self.reference(property.name), "NSEntity": self.reference(self.entities[entity]),
      "NSRenamingIdentifier": self.reference(property.renamingIdentifier ?? property.name), "_P": 241,
      "NSVersionHashModifier": self.reference(property.versionHashModifier),
    ]
    if property.isOptional { fields["NSIsOptional"] = true }
    if property.isTransient { fields["NSIsTransient"] = true }
    if !property.userInfo.isEmpty { fields["NSUserInfo"] = self.reference(self.userInfo(property.userInfo)) }
    let name: String
    switch property {
    case let attribute as AttributeDescription:
      name =
        attribute.derivationExpression == nil ? "NSAttributeDescription" : "NSDerivedAttributeDescription"
      try self.describe(attribute, in: &fields)
    case let relationship as RelationshipDescription:
      name = "NSRelationshipDescription"
      self.describe(relationship, in: &fields)
    case let fetched as FetchedPropertyDescription:
      name = "NSFetchedPropertyDescription"
      fields["NSIsReadOnly"] = true
      if let request = fetched.request {
        fields["_NSFetchRequestEntityName"] = self.reference(request.entityName)
        fields["NSFetchRequest"] = self.reference(self.request(request, fetched.predicateFormat))
      }
    default: preconditionFailure("a kind of property that no model has")
    }
    return self.archive.record([name, "NSPropertyDescription"], at: number, fields)
  }

  private func describe(_ attribute: AttributeDescription, in fields: inout [String: Any]) throws {
    let (number, transformer) = Self.number(of: attribute.type)
    fields["NSAttributeType"] = number
    fields["NSValueTransformerName"] = self.reference(transformer)
    fields["NSAttributeValueClassName"] = self.reference(attribute.valueClassName)
    fields["NSDefaultValue"] = self.reference(self.archive.constant(attribute.defaultValue))
    fields["NSFlagsKey"] =
      (attribute.allowsExternalBinaryDataStorage ? 4 : 0)
      + (attribute.preservesValueInHistoryOnDeletion ? 16 : 0)
    if attribute.isIndexed { fields["NSIsIndexed"] = true }
    if let derivation = attribute.derivationExpression {
      fields["NSDerivationExpression"] = self.reference(
        self.archive.expression(try Self.derivation(derivation)))
    }
    var predicates: [Int] = []
    var warnings: [Int] = []
    let measured: FetchExpression = attribute.type == .string ? .keyPath(["length"]) : .evaluatedObject
    for (bound, sign) in [
      (attribute.validation.minimum, FetchPredicate.Operator.greaterOrEqual),
      (attribute.validation.maximum, .lessOrEqual),
    ] where !bound.isNull {
      predicates.append(self.archive.predicate(.comparison(.init(measured, sign, .constant(bound)))))
      warnings.append(self.archive.add(1660))
    }
    if let pattern = attribute.validation.pattern {
      predicates.append(
        self.archive.predicate(.comparison(.init(.evaluatedObject, .matches, .constant(.string(pattern))))))
      warnings.append(self.archive.add(1680))
    }
    for condition in attribute.validation.conditions {
      predicates.append(self.predicate(condition.format))
      warnings.append(self.archive.text(condition.message))
    }
    if predicates.isEmpty { return }
    fields["NSValidationPredicates"] = self.reference(self.archive.array(predicates))
    fields["NSValidationWarnings"] = self.reference(self.archive.array(warnings))
  }

  private func describe(_ relationship: RelationshipDescription, in fields: inout [String: Any]) {
    fields["_NSDestinationEntityName"] = self.reference(relationship.destination)
    fields["NSDestinationEntity"] = self.reference(self.entities[relationship.destination])
    fields["NSMinCount"] = relationship.minCount
    fields["NSMaxCount"] = relationship.maxCount == 0 ? -1 : relationship.maxCount
    fields["NSDeleteRule"] = RelationshipDescription.DeleteRule.allCases.firstIndex(
      of: relationship.deleteRule)
    if relationship.isOrdered { fields["NSIsOrdered"] = true }
    if relationship.isIndexed { fields["NSIsIndexed"] = true }
    guard let inverse = relationship.inverse else { return }
    let owner = relationship.inverseEntity ?? relationship.destination
    fields["_NSInverseRelationshipName"] = self.reference(inverse)
    fields["NSInverseRelationship"] = self.reference(self.properties["\(owner).\(inverse)"])
  }

  private static func number(of type: AttributeType) -> (Int, String?) {
    switch type {
    case .undefined: (0, nil)
    case .integer16: (100, nil)
    case .integer32: (200, nil)
    case .integer64: (300, nil)
    case .decimal: (400, nil)
    case .double: (500, nil)
    case .float: (600, nil)
    case .string: (700, nil)
    case .boolean: (800, nil)
    case .date: (900, nil)
    case .binary: (1000, nil)
    case .uuid: (1100, nil)
    case .uri: (1200, nil)
    case .transformable(let transformer): (1800, transformer)
    case .composite: (2100, nil)
    }
  }

  /// `rows.@count` and `rows.@sum.x` are compiled to functions.
  private static func derivation(_ text: String) throws -> FetchExpression {
    let keys = text.split(separator: ".").map(String.init)
    guard let place = keys.firstIndex(where: { $0.hasPrefix("@") }) else {
      return try FetchExpression(format: text)
    }
    return .function(
      String(keys[place].dropFirst()), [.keyPath(Array(keys[..<place] + keys[(place + 1)...]))])
  }

  // MARK: Requests

  private func predicate(_ format: String) -> Int {
    do { return self.archive.predicate(try FetchPredicate(format: format)) } catch {
      preconditionFailure("\(error)")
    }
  }

  private func request(_ request: FetchRequest, _ format: String?) -> Int {
    let predicate = format.map { self.predicate($0) } ?? request.predicate.map { self.archive.predicate($0) }
    let sorts = request.sortDescriptors.map { sort in
      self.archive.record(
        ["NSSortDescriptor"],
        [
          "NSKey": self.reference(sort.key), "NSAscending": sort.ascending, "NSReverseNullOrder": false,
          "NSSelector": self.reference(
            sort.comparison == .scalar ? "compare:" : "\(sort.comparison.rawValue)Compare:"),
        ])
    }
    var flags = 0
    for (bit, isSet) in [
      (1, request.returnsDistinctResults), (2, request.includesSubentities),
      (4, request.includesPropertyValues), (8, request.returnsObjectsAsFaults),
      (16, request.includesPendingChanges),
    ] where isSet { flags |= bit }
    return self.archive.record(
      ["NSFetchRequest", "NSPersistentStoreRequest"],
      [
        "NSEntity": self.reference(self.entities[request.entityName]),
        "NSPredicate": self.reference(predicate),
        "NSSortDescriptors": self.reference(sorts.isEmpty ? nil : self.archive.array(sorts)),
        "NSFetchLimit": request.fetchLimit, "NSFetchOffset": request.fetchOffset,
        "NSBatchSize": request.fetchBatchSize, "NSResultType": request.resultType.rawValue,
        "NSHasFetchRequestFlags": true, "NSFetchRequestFlags": flags,
        "NSRelationshipKeyPathsForPrefetching": self.reference(
          request.relationshipKeyPathsForPrefetching.isEmpty
            ? nil
            : self.archive.array(request.relationshipKeyPathsForPrefetching.map { self.archive.text($0) })),
      ])
  }
}
