import FederatedModel
import Foundation

extension XcodeModelText {
  func attribute(
    _ attribute: AttributeDescription, of entity: String
  ) throws(ModelFileError) -> XcodeElementText {
    let place = "\(entity).\(attribute.name)"
    var element = XcodeElementText("attribute", keeping: attribute.fileAttributes)
    element.set("name", attribute.name)
    element.set("optional", flag: attribute.isOptional)
    element.set("transient", flag: attribute.isTransient)
    element.set("attributeType", XcodeAttributeNames.name(of: attribute.type))
    switch attribute.type {
    case .transformable(let codec): element.set("valueTransformerName", codec)
    case .composite(let name): element.set("composite", name)
    default: break
    }
    let defaultName = attribute.type == .date ? "defaultDateTimeInterval" : "defaultValueString"
    try self.write(attribute.defaultValue, defaultName, of: attribute.type, into: &element, at: place)
    try self.writeValidation(of: attribute, into: &element, at: place)
    element.set("customClassName", attribute.valueClassName)
    if let expression = attribute.derivationExpression {
      element.set("derived", flag: true)
      element.set("derivationExpression", expression)
    }
    element.set("allowsExternalBinaryDataStorage", flag: attribute.allowsExternalBinaryDataStorage)
    element.set("preserveAfterDeletion", flag: attribute.preservesValueInHistoryOnDeletion)
    element.set("indexed", flag: attribute.isIndexed)
    element.set("elementID", attribute.renamingIdentifier)
    element.set("versionHashModifier", attribute.versionHashModifier)
    element.children = self.userInfo(attribute.userInfo) + attribute.fileElements.map(XcodeElementText.init)
    return element
  }

  private func writeValidation(
    of attribute: AttributeDescription, into element: inout XcodeElementText, at place: String
  ) throws(ModelFileError) {
    let (minimum, maximum) = (attribute.validation.minimum, attribute.validation.maximum)
    element.set("regularExpressionString", attribute.validation.pattern)
    for (place, condition) in attribute.validation.conditions.enumerated() {
      element.set("federated.condition\(place + 1)", condition.format)
      element.set("federated.message\(place + 1)", condition.message)
    }
    switch attribute.type {
    case .date:
      try self.write(minimum, "minDateTimeInterval", of: .date, into: &element, at: place)
      try self.write(maximum, "maxDateTimeInterval", of: .date, into: &element, at: place)
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .string:
      let type: AttributeType = attribute.type == .string ? .integer64 : attribute.type
      try self.write(minimum, "minValueString", of: type, into: &element, at: place)
      try self.write(maximum, "maxValueString", of: type, into: &element, at: place)
    default:
      guard minimum.isNull, maximum.isNull else { throw self.unwritable("bounds of such a value", in: place) }
    }
  }

  private func write(
    _ value: Value, _ name: String, of type: AttributeType, into element: inout XcodeElementText,
    at place: String
  ) throws(ModelFileError) {
    switch type {
    case .undefined, .binary, .transformable, .composite:
      guard value.isNull else { throw self.unwritable("a default of type \(type)", in: place) }
    default:
      guard element.set(name, value: value, of: type) else {
        throw self.unwritable("the value \(value)", in: place)
      }
    }
  }

  func relationship(_ relationship: RelationshipDescription) -> XcodeElementText {
    var element = XcodeElementText("relationship", keeping: relationship.fileAttributes)
    element.set("name", relationship.name)
    element.set("optional", flag: relationship.isOptional)
    element.set("transient", flag: relationship.isTransient)
    element.set("toMany", flag: relationship.isToMany)
    element.set("minCount", number: relationship.minCount)
    element.set("maxCount", number: relationship.maxCount)
    element.set("deletionRule", relationship.deleteRule.xcodeName)
    element.set("ordered", flag: relationship.isOrdered)
    element.set("destinationEntity", relationship.destination)
    element.set("inverseName", relationship.inverse)
    element.set(
      "inverseEntity",
      relationship.inverseEntity ?? relationship.inverse.map { _ in relationship.destination })
    element.set("indexed", flag: relationship.isIndexed)
    element.set("elementID", relationship.renamingIdentifier)
    element.set("versionHashModifier", relationship.versionHashModifier)
    element.children =
      self.userInfo(relationship.userInfo) + relationship.fileElements.map(XcodeElementText.init)
    return element
  }

  func fetchedProperty(
    _ fetched: FetchedPropertyDescription, of entity: String
  ) throws(ModelFileError) -> XcodeElementText {
    guard !self.unaskable.contains("\(entity).\(fetched.name)") else {
      throw self.unwritable("a question that could not be read", in: "\(entity).\(fetched.name)")
    }
    let prefix = XcodeModelReader.innerAttributePrefix
    var (kept, inner): ([String: String], [String: String]) = ([:], [:])
    for (name, text) in fetched.fileAttributes {
      if name.hasPrefix(prefix) {
        inner[String(name.dropFirst(prefix.count))] = text
      } else {
        kept[name] = text
      }
    }
    var element = XcodeElementText("fetchedProperty", keeping: kept)
    element.set("name", fetched.name)
    element.set("optional", flag: fetched.isOptional)
    element.set("elementID", fetched.renamingIdentifier)
    element.set("versionHashModifier", fetched.versionHashModifier)
    if let request = fetched.request {
      var child = XcodeElementText("fetchRequest", keeping: inner)
      child.set("name", inner["name"] ?? XcodeModelReader.innerRequestName)
      try self.write(request, fetched.predicateFormat, into: &child, of: "\(entity).\(fetched.name)")
      element.children.append(child)
    }
    element.children += self.userInfo(fetched.userInfo) + fetched.fileElements.map(XcodeElementText.init)
    return element
  }

  /// Writes a request; its condition is the text given, or else the canonical text of its predicate.
  func write(
    _ request: FetchRequest, _ format: String?, into element: inout XcodeElementText, of place: String
  ) throws(ModelFileError) {
    element.set("entity", request.entityName)
    element.set("predicateString", format ?? request.predicate?.description)
    element.set("resultType", number: request.resultType.rawValue)
    element.set("fetchLimit", number: request.fetchLimit)
    element.set("fetchBatchSize", number: request.fetchBatchSize)
    element.set("federated.offset", number: request.fetchOffset)
    element.set("includeSubentities", flag: request.includesSubentities, default: true)
    element.set("includePropertyValues", flag: request.includesPropertyValues, default: true)
    element.set("includesPendingChanges", flag: request.includesPendingChanges, default: true)
    element.set("returnObjectsAsFaults", flag: request.returnsObjectsAsFaults, default: true)
    element.set("returnDistinctResults", flag: request.returnsDistinctResults)
    let order = request.sortDescriptors
    element.set("federated.sort", order.isEmpty ? nil : ModelSortText.text(order))
    let homeless: [(String, Bool)] = [
      ("columns to fetch", request.propertiesToFetch != nil), ("groups", request.propertiesToGroupBy != nil),
      ("a condition on groups", request.havingPredicate != nil),
      ("paths to prefetch", !request.relationshipKeyPathsForPrefetching.isEmpty),
      ("named stores", request.affectedStores != nil),
      ("refreshing of what is fetched again", request.shouldRefreshRefetchedObjects),
      ("a condition that is code", request.predicate?.firstBlock != nil),
      ("an order that is code", request.sortDescriptors.contains { $0.comparator != nil }),
    ]
    for (what, isThere) in homeless where isThere { throw self.unwritable(what, in: place) }
  }
}
