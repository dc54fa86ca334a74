import FederatedModel
import Foundation

extension XcodeModelReader {
  func attribute(_ element: XcodeElement) throws(ModelFileError) -> AttributeDescription {
    var element = element
    var attribute = AttributeDescription(try element.required("name"), try self.type(&element))
    attribute.isOptional = try element.flag("optional")
    attribute.isTransient = try element.flag("transient")
    attribute.isIndexed = try element.flag("indexed")
    attribute.allowsExternalBinaryDataStorage = try element.flag("allowsExternalBinaryDataStorage")
    attribute.preservesValueInHistoryOnDeletion = try element.flag("preserveAfterDeletion")
    attribute.renamingIdentifier = element.nonEmptyText("elementID")
    attribute.versionHashModifier = element.nonEmptyText("versionHashModifier")
    attribute.valueClassName = element.nonEmptyText("customClassName")
    attribute.derivationExpression = element.nonEmptyText("derivationExpression")
    if attribute.derivationExpression != nil { _ = element.text("derived") }
    attribute.defaultValue = try self.defaultValue(of: attribute.type, &element)
    try self.readValidation(of: &attribute, &element)
    attribute.userInfo = try self.userInfo(of: element)
    attribute.fileAttributes = element.keptAttributes
    attribute.fileElements = element.unknownChildren(besides: ["userInfo"])
    return attribute
  }

  private func type(_ element: inout XcodeElement) throws(ModelFileError) -> AttributeType {
    guard let name = element.nonEmptyText("attributeType") else { return .undefined }
    switch name {
    case XcodeAttributeNames.transformable:
      return .transformable(codec: element.nonEmptyText("valueTransformerName"))
    case XcodeAttributeNames.composite: return .composite(name: try element.required("composite"))
    default:
      if let type = XcodeAttributeNames.type(named: name) { return type }
      throw element.invalid(
        "attributeType", name, "Write one of \(XcodeAttributeNames.all.joined(separator: ", ")).")
    }
  }

  private func defaultValue(
    of type: AttributeType, _ element: inout XcodeElement
  ) throws(ModelFileError) -> Value {
    switch type {
    case .date: return try element.date("defaultDateTimeInterval")
    case .string: return element.text("defaultValueString").map(Value.string) ?? .null
    case .undefined, .binary, .transformable, .composite: return .null
    default:
      let name = "defaultValueString"
      guard let text = element.nonEmptyText(name) else { return .null }
      guard let value = ModelValueText.value(text, of: type) else {
        throw element.invalid(
          name, text, "Write a value of type \(XcodeAttributeNames.name(of: type) ?? "").")
      }
      element.keep(name, unless: ModelValueText.text(value))
      return value
    }
  }

  /// Xcode has no place for conditions: they stand in attributes of our own, which other programs pass over.
  ///
  /// - `federated.condition1`, `federated.condition2` …: predicates, in order.
  /// - `federated.message1`, `federated.message2` …: what is said when the one of the same number does not hold.
  private func conditions(_ element: inout XcodeElement) -> [ValidationCondition] {
    var conditions: [ValidationCondition] = []
    while let format = element.nonEmptyText("federated.condition\(conditions.count + 1)") {
      let message = element.text("federated.message\(conditions.count + 1)") ?? ""
      conditions.append(ValidationCondition(format, message: message))
    }
    return conditions
  }

  private func readValidation(
    of attribute: inout AttributeDescription, _ element: inout XcodeElement
  ) throws(ModelFileError) {
    attribute.validation.conditions = self.conditions(&element)
    attribute.validation.pattern = element.nonEmptyText("regularExpressionString")
    if attribute.type == .date {
      attribute.validation.minimum = try element.date("minDateTimeInterval")
      attribute.validation.maximum = try element.date("maxDateTimeInterval")
      return
    }
    attribute.validation.minimum = try self.bound("minValueString", of: attribute.type, &element)
    attribute.validation.maximum = try self.bound("maxValueString", of: attribute.type, &element)
  }

  /// Bounds of a string are lengths; bounds of a number are numbers.
  private func bound(
    _ name: String, of type: AttributeType, _ element: inout XcodeElement
  ) throws(ModelFileError) -> Value {
    let measured: AttributeType
    switch type {
    case .integer16, .integer32, .integer64, .decimal, .double, .float: measured = type
    case .string: measured = .integer64
    default: return .null
    }
    guard let text = element.nonEmptyText(name) else { return .null }
    // A bound may lie beyond the type, or between two of its values.
    let value = ModelValueText.value(text, of: measured) ?? ModelValueText.value(text, of: .decimal)
    guard let value else { throw element.invalid(name, text, "Write a number.") }
    element.keep(name, unless: ModelValueText.text(value))
    return value
  }

  func relationship(_ element: XcodeElement) throws(ModelFileError) -> RelationshipDescription {
    var element = element
    var relationship = RelationshipDescription(
      try element.required("name"), to: try element.required("destinationEntity"))
    let isToMany = try element.flag("toMany")
    relationship.minCount = try element.integer("minCount")
    relationship.maxCount = try element.integer("maxCount", absent: isToMany ? 0 : 1)
    relationship.isOrdered = try element.flag("ordered")
    relationship.isOptional = try element.flag("optional")
    relationship.isTransient = try element.flag("transient")
    relationship.isIndexed = try element.flag("indexed")
    relationship.inverse = element.nonEmptyText("inverseName")
    // The destination goes without saying.
    let inverseEntity = element.nonEmptyText("inverseEntity")
    relationship.inverseEntity = inverseEntity == relationship.destination ? nil : inverseEntity
    relationship.renamingIdentifier = element.nonEmptyText("elementID")
    relationship.versionHashModifier = element.nonEmptyText("versionHashModifier")
    if let text = element.nonEmptyText("deletionRule") {
      guard let rule = RelationshipDescription.DeleteRule(xcodeName: text) else {
        throw element.invalid("deletionRule", text, "Write Nullify, Cascade, Deny or No Action.")
      }
      relationship.deleteRule = rule
    }
    relationship.userInfo = try self.userInfo(of: element)
    relationship.fileAttributes = element.keptAttributes
    relationship.fileElements = element.unknownChildren(besides: ["userInfo"])
    return relationship
  }

  func fetchedProperty(_ element: XcodeElement) throws(ModelFileError) -> FetchedPropertyDescription {
    var element = element
    var fetched = FetchedPropertyDescription(try element.required("name"), nil)
    fetched.isOptional = try element.flag("optional")
    fetched.renamingIdentifier = element.nonEmptyText("elementID")
    fetched.versionHashModifier = element.nonEmptyText("versionHashModifier")
    fetched.userInfo = try self.userInfo(of: element)
    fetched.fileAttributes = element.keptAttributes
    if let child = element.child("fetchRequest") {
      var child = child
      let (request, format) = try self.request(&child)
      fetched.request = request
      fetched.predicateFormat = format
      child.keep("name", unless: XcodeModelReader.innerRequestName)
      for (name, text) in child.keptAttributes {
        fetched.fileAttributes[XcodeModelReader.innerAttributePrefix + name] = text
      }
    }
    fetched.fileElements = element.unknownChildren(besides: ["userInfo", "fetchRequest"])
    return fetched
  }
}
