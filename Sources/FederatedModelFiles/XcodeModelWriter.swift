public import FederatedModel
public import Foundation
import XMLStream

/// Writes descriptions as the XML of an `.xcdatamodel`.
///
/// Equal descriptions give equal bytes, and what was read comes back: attributes and elements that the library
/// does not understand, and texts whose spelling is a matter of taste. Properties stand in the order attributes,
/// relationships, fetched properties, each in the order of the description.
public enum XcodeModelWriter {
  /// The bytes of the file `contents`.
  /// - Throws: ``ModelFileError`` with `unwritable` for what the format has no place for.
  /// - Parameter file: where the bytes will stand, for the error alone.
  public static func contents(of draft: ModelDraft, for file: URL) throws(ModelFileError) -> Data {
    let unaskable = draft.problems.compactMap { problem in
      problem.property.map { "\(problem.entity ?? "").\($0)" }
    }
    let root = try XcodeModelText(file: file, unaskable: Set(unaskable)).model(draft)
    var data = Data()
    let writer = unsafe XMLByteWriter { unsafe data.append(contentsOf: $0) }
    writer.raw("<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n")
    do {
      try root.write(to: writer, depth: 0)
      try writer.flush()
    } catch {
      throw ModelFileError(.unwritable, file: file, "\(error). Take it out of the model's texts.")
    }
    return data
  }
}

/// Turns descriptions into elements.
struct XcodeModelText {
  let file: URL
  /// Properties of whose questions a reader could not carry everything over, as `Entity.property`: without the rest they
  /// would answer too much.
  let unaskable: Set<String>

  func model(_ draft: ModelDraft) throws(ModelFileError) -> XcodeElementText {
    let defaults = ["type": "com.apple.IDECoreDataModeler.DataModel", "documentVersion": "1.0"]
    var model = XcodeElementText("model", keeping: draft.fileAttributes.merging(defaults) { kept, _ in kept })
    guard draft.versionIdentifiers.count <= 1 else {
      throw self.unwritable("more than one version identifier", in: "the model")
    }
    model.set("userDefinedModelVersionIdentifier", draft.versionIdentifiers.first ?? "")
    for entity in draft.entities { model.children.append(try self.entity(entity)) }
    for template in draft.templates {
      var element = XcodeElementText("fetchRequest", keeping: template.fileAttributes)
      element.set("name", template.name)
      guard template.problems.isEmpty else {
        throw self.unwritable("a question that could not be read", in: "fetch request \"\(template.name)\"")
      }
      try self.write(
        template.request, template.predicateFormat, into: &element, of: "fetch request \"\(template.name)\"")
      model.children.append(element)
    }
    for configuration in draft.configurations {
      var element = XcodeElementText("configuration", keeping: configuration.fileAttributes)
      element.set("name", configuration.name)
      element.children = configuration.entities.map { self.named("memberEntity", $0) }
      model.children.append(element)
    }
    for composite in draft.composites {
      var element = self.named("composite", composite.name)
      for attribute in composite.elements {
        element.children.append(try self.attribute(attribute, of: composite.name))
      }
      model.children.append(element)
    }
    model.children += draft.fileElements.map(XcodeElementText.init)
    return model
  }

  private func entity(_ entity: EntityDescription) throws(ModelFileError) -> XcodeElementText {
    var element = XcodeElementText("entity", keeping: entity.fileAttributes)
    element.set("name", entity.name)
    element.set("representedClassName", entity.managedObjectClassName)
    element.set("parentEntity", entity.parent)
    element.set("isAbstract", flag: entity.isAbstract)
    element.set("elementID", entity.renamingIdentifier)
    element.set("versionHashModifier", entity.versionHashModifier)
    for case let attribute as AttributeDescription in entity.properties {
      element.children.append(try self.attribute(attribute, of: entity.name))
    }
    for case let relationship as RelationshipDescription in entity.properties {
      element.children.append(self.relationship(relationship))
    }
    for case let fetched as FetchedPropertyDescription in entity.properties {
      element.children.append(try self.fetchedProperty(fetched, of: entity.name))
    }
    element.children += entity.indexes.map(self.index)
    element.children += self.lists(
      entity.compoundIndexes, in: "compoundIndexes", each: "compoundIndex", member: "index")
    element.children += self.lists(
      entity.uniquenessConstraints, in: "uniquenessConstraints", each: "uniquenessConstraint",
      member: "constraint")
    element.children += self.userInfo(entity.userInfo)
    element.children += entity.fileElements.map(XcodeElementText.init)
    return element
  }

  private func index(_ index: FetchIndexDescription) -> XcodeElementText {
    var element = self.named("fetchIndex", index.name)
    element.set("partialIndexPredicate", index.partialPredicateFormat)
    element.children = index.elements.map { part in
      var child = XcodeElementText("fetchIndexElement")
      child.set("property", part.property)
      child.set("expression", part.expressionFormat)
      child.set("expressionType", part.expressionType)
      child.set("type", part.kind)
      child.set("order", part.ascending ? "ascending" : "descending")
      return child
    }
    return element
  }

  private func lists(
    _ lists: [[String]], in group: String, each: String, member: String
  ) -> [XcodeElementText] {
    if lists.isEmpty { return [] }
    var element = XcodeElementText(group)
    element.children = lists.map { list in
      var child = XcodeElementText(each)
      child.children = list.map { name in
        var leaf = XcodeElementText(member)
        leaf.set("value", name)
        return leaf
      }
      return child
    }
    return [element]
  }

  /// Entries stand in the order of their keys without regard to case: a description keeps no other.
  func userInfo(_ info: [String: String]) -> [XcodeElementText] {
    if info.isEmpty { return [] }
    var element = XcodeElementText("userInfo")
    element.children = info.sorted { a, b in
      let (x, y) = (a.key.lowercased(), b.key.lowercased())
      return x == y ? a.key < b.key : x < y
    }.map { key, value in
      var entry = XcodeElementText("entry")
      entry.set("key", key)
      entry.set("value", value)
      return entry
    }
    return [element]
  }

  func named(_ element: String, _ name: String) -> XcodeElementText {
    var element = XcodeElementText(element)
    element.set("name", name)
    return element
  }

  func unwritable(_ what: String, in place: String) -> ModelFileError {
    ModelFileError(
      .unwritable, file: self.file, "Model files have no place for \(what), which \(place) has. Take it away."
    )
  }
}
