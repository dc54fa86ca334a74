internal import FederatedModel
internal import FederatedStore
internal import XMLStream

/// Makes elements for paths that a document does not have yet.
struct XMLElementMaker {
  let naming: XMLNaming

  init(_ naming: XMLNaming) { self.naming = naming }

  /// The elements of the steps inside one another, with the text at the path's end.
  func element(
    _ steps: ArraySlice<XMLPath.Step>, _ value: XMLValuePlan, _ text: String, _ record: XMLRecordPlan
  ) throws(XMLPathRefusal) -> XMLNewElement {
    guard let first = steps.first else { throw XMLPathRefusal("there is no element for it") }
    let element = try self.element(first, value, record)
    try self.put(text, of: value, record, at: steps.dropFirst(), into: element)
    return element
  }

  /// Puts a text at the rest of a path inside a new element, joining what is there already.
  func put(
    _ text: String, of value: XMLValuePlan, _ record: XMLRecordPlan, at steps: ArraySlice<XMLPath.Step>,
    into element: XMLNewElement, isRepeated: Bool = false
  ) throws(XMLPathRefusal) {
    if let step = steps.first {
      let mayJoin = !(isRepeated && steps.count == 1)
      if mayJoin, let known = element.children.first(where: { $0.step == step }) {
        return try self.put(
          text, of: value, record, at: steps.dropFirst(), into: known, isRepeated: isRepeated)
      }
      let child = try self.element(step, value, record)
      element.children.append(child)
      return try self.put(text, of: value, record, at: steps.dropFirst(), into: child, isRepeated: isRepeated)
    }
    do throws(XMLError) {
      switch value.path.end {
      case .attribute(let name):
        let (raw, declaration) = self.naming.attribute(name)
        if let declaration { try self.declare(declaration, on: element) }
        element.attributes.append((raw, try XMLTextForm.attribute(text)))
      case .element, .ownText:
        // `true` and `false` of a property list are elements.
        if element.key != nil, element.name == XMLElementMaker.word {
          element.name = text
        } else {
          element.text = try XMLTextForm.content(text)
        }
      case .ownKey: element.key = try XMLTextForm.content(text)
      }
    } catch { throw XMLPathRefusal(error.message) }
  }

  /// An empty element that a step finds.
  func element(
    _ step: XMLPath.Step, _ value: XMLValuePlan?, _ record: XMLRecordPlan?
  ) throws(XMLPathRefusal) -> XMLNewElement {
    if step.isDescendant { throw XMLPathRefusal("a path with // names no one place for a new element") }
    do throws(XMLError) {
      switch step.test {
      case .any: throw XMLError(.content, "a path with * names no element for a new value")
      case .key(let key):
        let element = XMLNewElement(step, name: XMLElementMaker.propertyName(value, record))
        element.key = try XMLTextForm.content(key)
        return element
      case .name(let name):
        let (raw, declaration) = self.naming.element(name)
        let element = XMLNewElement(step, name: raw)
        if let declaration { try self.declare(declaration, on: element) }
        for filter in step.filters {
          let (raw, declaration) = self.naming.attribute(filter.name)
          if let declaration { try self.declare(declaration, on: element) }
          element.attributes.append((raw, try XMLTextForm.attribute(filter.value)))
        }
        return element
      }
    } catch { throw XMLPathRefusal(error.message) }
  }

  private func declare(_ declaration: (name: String, value: String), on element: XMLNewElement)
    throws(XMLError)
  {
    if element.attributes.contains(where: { $0.name == declaration.name }) { return }
    element.attributes.append((declaration.name, try XMLTextForm.attribute(declaration.value)))
  }

  /// Stands for the name of an element that is its value.
  private static let word = "boolean"

  /// The element of a property list for the type of an attribute.
  private static func propertyName(_ value: XMLValuePlan?, _ record: XMLRecordPlan?) -> String {
    guard let value, let type = record?.entity.attribute(named: value.name)?.type, value.path.end == .element
    else {
      return "string"
    }
    switch type {
    case .integer16, .integer32, .integer64: return "integer"
    case .double, .float, .decimal: return "real"
    case .date: return "date"
    case .binary, .transformable: return "data"
    case .boolean: return self.word
    default: return "string"
    }
  }
}

/// Why a path cannot be made.
struct XMLPathRefusal: Error {
  var reason: String
  init(_ reason: String) { self.reason = reason }
}
