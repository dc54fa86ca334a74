import FederatedModel
import Foundation

/// Turns the archive of a compiled model, or of the copy that a store keeps, into descriptions.
///
/// What an archive holds and a description cannot is told in the draft's problems; what the model would be wrong
/// without is an error with the object's number.
struct CompiledModelReader {
  let archive: KeyedArchive
  private(set) var draft = ModelDraft()
  /// The numbers of the objects of entities (`Name`) and their properties (`Name.property`).
  private(set) var numbers: [String: Int] = [:]

  static func read(_ data: Data, from file: URL) throws(ModelFileError) -> CompiledModelReader {
    var reader = CompiledModelReader(archive: try KeyedArchive(data, from: file))
    try reader.readModel(try reader.archive.root())
    return reader
  }

  private init(archive: KeyedArchive) { self.archive = archive }

  private mutating func readModel(_ model: ArchivedValue) throws(ModelFileError) {
    guard try model.className() == "NSManagedObjectModel" else {
      throw model.error(
        .notAModel, "The archive holds an object of class \(try model.className() ?? "nothing"), not a model."
      )
    }
    let entities = try Self.sorted(try model.required("NSEntities").entries())
    var inherited: [String: Set<String>] = [:]
    for (name, entity) in entities { inherited[name] = try self.inheritedNames(of: entity) }
    for (name, entity) in entities {
      try self.readEntity(entity, named: name, inherited: inherited[name] ?? [])
    }
    for (name, members) in try Self.sorted(try model.field("NSConfigurations")?.entries() ?? []) {
      var names: [String] = []
      for member in try members.elements() { names.append(try member.required("NSEntityName").text()) }
      self.draft.configurations.append(ModelConfiguration(name, entities: names.sorted()))
    }
    for (name, request) in try Self.sorted(try model.field("NSFetchRequestTemplates")?.entries() ?? []) {
      self.draft.templates.append(try self.template(request, named: name))
    }
    for identifier in try model.field("NSVersionIdentifiers")?.elements() ?? [] {
      let text = try identifier.text()
      if !text.isEmpty { self.draft.versionIdentifiers.append(text) }
    }
    self.draft.versionIdentifiers.sort()
  }

  /// Archives keep dictionaries in no order that means anything.
  static func sorted(
    _ entries: [(key: String, value: ArchivedValue)]
  ) throws(ModelFileError) -> [(key: String, value: ArchivedValue)] {
    entries.sorted { a, b in
      let (x, y) = (a.key.lowercased(), b.key.lowercased())
      return x == y ? a.key < b.key : x < y
    }
  }

  // MARK: Entities

  /// The names of the properties of all ancestors: the copies that stores keep repeat them in every entity.
  private func inheritedNames(of entity: ArchivedValue) throws(ModelFileError) -> Set<String> {
    var names: Set<String> = []
    var seen: Set<Int> = [entity.number]
    var parent = try entity.field("NSSuperentity")
    while let current = parent {
      guard seen.insert(current.number).inserted else {
        throw current.error(.malformedArchive, "The entity inherits from itself.")
      }
      for (name, _) in try current.field("NSProperties")?.entries() ?? [] { names.insert(name) }
      parent = try current.field("NSSuperentity")
    }
    return names
  }

  private mutating func readEntity(
    _ object: ArchivedValue, named key: String, inherited: Set<String>
  ) throws(ModelFileError) {
    guard try object.isKind(of: "NSEntityDescription") else {
      throw object.error(.malformedArchive, "Entity \"\(key)\" is no entity description.")
    }
    var entity = EntityDescription(try object.text("NSEntityName") ?? key)
    self.numbers[entity.name] = object.number
    entity.parent = try object.field("NSSuperentity")?.required("NSEntityName").text()
    entity.isAbstract = try object.flag("NSIsAbstract")
    let className = try object.nonEmptyText("NSClassNameForEntity")
    entity.managedObjectClassName = className == "NSManagedObject" ? nil : className
    entity.renamingIdentifier = try self.renaming(of: object, entity.name)
    entity.versionHashModifier = try object.nonEmptyText("NSVersionHashModifier")
    entity.userInfo = try self.userInfo(of: object, entity.name, nil)
    for (name, property) in try Self.sorted(try object.field("NSProperties")?.entries() ?? [])
    where !inherited.contains(name) {
      entity.properties.append(try self.property(property, named: name, of: entity.name))
      self.numbers["\(entity.name).\(name)"] = property.number
    }
    entity.uniquenessConstraints = try self.lists(
      "NSUniqueTuples", .invalidUniquenessConstraint, of: object, entity.name)
    entity.compoundIndexes = try self.lists("NSCompoundIndexes", .invalidIndex, of: object, entity.name)
    for index in try object.field("NSFetchIndexDescriptions")?.elements() ?? [] {
      if let index = try self.index(index, of: entity.name) { entity.indexes.append(index) }
    }
    self.draft.entities.append(entity)
  }

  /// Lists of names: uniqueness constraints and compound indexes.
  private mutating func lists(
    _ key: String, _ rule: ModelError.Rule, of object: ArchivedValue, _ entity: String
  ) throws(ModelFileError) -> [[String]] {
    var lists: [[String]] = []
    for list in try object.field(key)?.elements() ?? [] {
      var names: [String] = []
      for member in try list.elements() {
        if try member.isKind(of: "NSPropertyDescription") {
          names.append(try member.required("NSPropertyName").text())
        } else if try member.isKind(of: "NSExpression") {
          self.tell(
            rule, entity, nil,
            "A list of columns (object \(list.number)) holds an expression. It is left out.")
          names = []
          break
        } else {
          names.append(try member.text())
        }
      }
      if !names.isEmpty { lists.append(names) }
    }
    return lists
  }

  private mutating func index(
    _ object: ArchivedValue, of entity: String
  ) throws(ModelFileError) -> FetchIndexDescription? {
    var index = FetchIndexDescription(try object.required("NSIndexName").text(), [])
    for element in try object.field("NSIndexElements")?.elements() ?? [] {
      guard let name = try element.nonEmptyText("NSPropertyName") else {
        self.tell(
          .invalidIndex, entity, nil,
          "Index \"\(index.name)\" (object \(object.number)) is over an expression. It is left out.")
        return nil
      }
      index.elements.append(
        .init(
          name, ascending: try element.flag("NSAscending"),
          kind: try element.integer("NSFetchIndexElementType") ?? 0 == 1 ? "RTree" : "Binary"))
    }
    if let condition = try object.field("NSPartialIndexPredicate") {
      guard let predicate = try self.predicate(condition, .invalidIndex, entity, nil) else { return nil }
      index.partialPredicateFormat = predicate.description
    }
    return index
  }

  // MARK: What all have

  func renaming(of object: ArchivedValue, _ name: String) throws(ModelFileError) -> String? {
    let identifier = try object.nonEmptyText("NSRenamingIdentifier")
    return identifier == name ? nil : identifier
  }

  mutating func userInfo(
    of object: ArchivedValue, _ entity: String, _ property: String?
  ) throws(ModelFileError) -> [String: String] {
    guard let list = try object.field("NSUserInfo") else { return [:] }
    var info: [String: String] = [:]
    for (key, value) in try list.entries() {
      let constant: Value
      do throws(ModelFileError) { constant = try value.constant() } catch {
        guard error.code == .unsupportedObject else { throw error }
        self.tell(
          .unreadableValue, entity, property,
          "The user info \"\(key)\" (object \(value.number)) is no plain value. It is left out.")
        continue
      }
      info[key] = if case .string(let text) = constant { text } else { constant.description }
    }
    return info
  }

  /// A predicate, or a problem that says why there is none.
  mutating func predicate(
    _ value: ArchivedValue, _ rule: ModelError.Rule, _ entity: String?, _ property: String?
  ) throws(ModelFileError) -> FetchPredicate? {
    do throws(ModelFileError) { return try value.predicate() } catch {
      guard error.code == .unsupportedObject else { throw error }
      self.tell(rule, entity, property, "\(error.detail) (object \(error.object ?? value.number))")
      return nil
    }
  }

  mutating func tell(_ rule: ModelError.Rule, _ entity: String?, _ property: String?, _ detail: String) {
    self.tell(ModelError.Breach(rule, entity: entity, property: property, detail))
  }

  mutating func tell(_ problem: ModelError.Breach) { self.draft.problems.append(problem) }
}
