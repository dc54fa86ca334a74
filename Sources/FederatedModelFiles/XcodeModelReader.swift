import FederatedModel
import Foundation
import XMLStream

/// Turns the XML of a model version into descriptions.
///
/// Elements may come in any order, as may attributes. What is not understood is kept in the descriptions.
struct XcodeModelReader {
  let file: URL
  private(set) var draft = ModelDraft()
  /// Where entities (`Name`) and their properties (`Name.property`) stand.
  private(set) var positions: [String: XMLPosition] = [:]

  static func read(_ root: XMLElementValue, from file: URL) throws(ModelFileError) -> XcodeModelReader {
    guard root.name == "model" else {
      throw ModelFileError(
        .notAModel, file: file, line: root.line, column: root.column,
        "The document's root is <\(root.name)>, not <model>. Name the contents of an .xcdatamodel.")
    }
    var reader = XcodeModelReader(file: file)
    try reader.readModel(XcodeElement(root, in: file))
    return reader
  }

  private init(file: URL) { self.file = file }

  private mutating func readModel(_ element: XcodeElement) throws(ModelFileError) {
    var element = element
    if let identifier = element.nonEmptyText("userDefinedModelVersionIdentifier") {
      self.draft.versionIdentifiers = [identifier]
    }
    for child in element.children("entity") { self.draft.entities.append(try self.entity(child)) }
    for child in element.children("fetchRequest") { self.draft.templates.append(try self.template(child)) }
    for child in element.children("configuration") {
      self.draft.configurations.append(try self.configuration(child))
    }
    for child in element.children("composite") { self.draft.composites.append(try self.composite(child)) }
    self.draft.fileElements = element.unknownChildren(
      besides: ["entity", "fetchRequest", "configuration", "composite"])
    self.draft.fileAttributes = element.keptAttributes
  }

  private mutating func entity(_ element: XcodeElement) throws(ModelFileError) -> EntityDescription {
    var element = element
    var entity = EntityDescription(try element.required("name"))
    self.positions[entity.name] = element.element.position
    entity.managedObjectClassName = element.nonEmptyText("representedClassName")
    entity.parent = element.nonEmptyText("parentEntity")
    entity.isAbstract = try element.flag("isAbstract")
    entity.renamingIdentifier = element.nonEmptyText("elementID")
    entity.versionHashModifier = element.nonEmptyText("versionHashModifier")
    entity.userInfo = try self.userInfo(of: element)
    for child in element.element.children {
      let child = XcodeElement(child, in: self.file)
      let property: any PropertyDescription
      switch child.element.name {
      case "attribute": property = try self.attribute(child)
      case "relationship": property = try self.relationship(child)
      case "fetchedProperty": property = try self.fetchedProperty(child)
      default: continue
      }
      entity.properties.append(property)
      self.positions["\(entity.name).\(property.name)"] = child.element.position
    }
    entity.indexes = try self.indexes(of: element)
    entity.compoundIndexes = try self.lists(
      of: element, in: "compoundIndexes", each: "compoundIndex", member: "index")
    entity.uniquenessConstraints = try self.lists(
      of: element, in: "uniquenessConstraints", each: "uniquenessConstraint", member: "constraint")
    entity.fileAttributes = element.keptAttributes
    entity.fileElements = element.unknownChildren(
      besides: [
        "attribute", "relationship", "fetchedProperty", "fetchIndex", "compoundIndexes",
        "uniquenessConstraints",
        "userInfo",
      ])
    return entity
  }

  private func configuration(_ element: XcodeElement) throws(ModelFileError) -> ModelConfiguration {
    var element = element
    var configuration = ModelConfiguration(try element.required("name"), entities: [])
    for child in element.children("memberEntity") {
      var child = child
      configuration.entities.append(try child.required("name"))
    }
    configuration.fileAttributes = element.keptAttributes
    return configuration
  }

  private func composite(_ element: XcodeElement) throws(ModelFileError) -> CompositeDescription {
    var element = element
    var composite = CompositeDescription(try element.required("name"), elements: [])
    for child in element.children("attribute") { composite.elements.append(try self.attribute(child)) }
    return composite
  }

  func userInfo(of element: XcodeElement) throws(ModelFileError) -> [String: String] {
    var info: [String: String] = [:]
    for entry in element.child("userInfo")?.children("entry") ?? [] {
      var entry = entry
      guard let key = entry.text("key") else {
        throw entry.error(.missingAttribute, "<entry> has no \"key\". Give it one.")
      }
      info[key] = entry.text("value") ?? ""
    }
    return info
  }

  /// Lists of names that stand two elements deep: compound indexes and uniqueness constraints.
  private func lists(
    of element: XcodeElement, in group: String, each: String, member: String
  ) throws(ModelFileError) -> [[String]] {
    var lists: [[String]] = []
    for list in element.child(group)?.children(each) ?? [] {
      var names: [String] = []
      for member in list.children(member) {
        var member = member
        names.append(try member.required("value"))
      }
      lists.append(names)
    }
    return lists
  }

  private func indexes(of element: XcodeElement) throws(ModelFileError) -> [FetchIndexDescription] {
    var indexes: [FetchIndexDescription] = []
    for child in element.children("fetchIndex") {
      var child = child
      var index = FetchIndexDescription(try child.required("name"), [])
      index.partialPredicateFormat = child.nonEmptyText("partialIndexPredicate")
      for part in child.children("fetchIndexElement") {
        var part = part
        let order = part.text("order")
        guard [nil, "ascending", "descending"].contains(order) else {
          throw part.invalid("order", order ?? "", "Write ascending or descending.")
        }
        index.elements.append(
          .init(
            part.nonEmptyText("property"), ascending: order != "descending",
            kind: part.text("type") ?? "Binary",
            expressionFormat: part.nonEmptyText("expression"),
            expressionType: part.nonEmptyText("expressionType")))
      }
      indexes.append(index)
    }
    return indexes
  }
}
