import FederatedModel
import FederatedStore
import FederatedXMLStore
import Foundation

/// Entities for the repeated elements of a document.
struct XMLSuggestion {
  private(set) var store: SuggestedStore
  private(set) var notes: [String] = []
  private var prefixes: [String: String] = [:]
  private let usesDefault: Bool

  typealias Element = XMLFileOutline.Element

  /// - Parameter names: the entities that there are already.
  init(_ url: URL, name: String, _ names: inout SuggestedNames) throws {
    let outline = try XMLFileOutline(of: url)
    self.store = SuggestedStore(name: name, url: url, type: "xml")
    guard let root = outline.root else {
      self.usesDefault = true
      return
    }
    // The empty prefix stands for the root's namespace, unless elements without one stand beside it.
    self.usesDefault = !Self.hasBareElement(root)
    if root.name == "plist" {
      self.notes.append(
        "\(url.lastPathComponent): is a property list; map its dictionaries by hand, as the documentation shows"
      )
      return
    }
    if outline.isCut {
      self.notes.append(
        "\(url.lastPathComponent): has too many kinds of elements; the first 2000 were looked at")
    }
    let path = "/" + self.qualified(root)
    for child in root.children { self.walk(child, path, around: nil, &names) }
    self.store.namespaces = Dictionary(uniqueKeysWithValues: self.prefixes.map { ($0.value, $0.key) })
    if self.store.entities.isEmpty {
      self.notes.append("\(url.lastPathComponent): no element is repeated, so there are no records")
    }
  }

  private static func hasBareElement(_ element: Element) -> Bool {
    element.namespace == nil || element.children.contains(where: self.hasBareElement)
  }

  private mutating func qualified(_ element: Element) -> String {
    guard let namespace = element.namespace else { return element.name }
    if self.prefixes[namespace] == nil {
      self.prefixes[namespace] =
        self.prefixes.isEmpty && self.usesDefault ? "" : "n\(self.prefixes.count + 1)"
    }
    let prefix = self.prefixes[namespace] ?? ""
    return prefix.isEmpty ? element.name : "\(prefix):\(element.name)"
  }

  /// Finds records at an element and below it.
  /// - Parameters:
  ///   - path: where the element around this one is: from the root, or from the record around it.
  ///   - owner: the entity of the record around it.
  private mutating func walk(
    _ element: Element, _ path: String, around owner: Int?, _ names: inout SuggestedNames
  ) {
    let own = path.isEmpty ? self.qualified(element) : "\(path)/\(self.qualified(element))"
    guard element.most > 1 else {
      for child in element.children { self.walk(child, own, around: owner, &names) }
      return
    }
    let place = self.store.entities.count
    let name = SuggestedNames.entity(element.name)
    let longName =
      owner.map { self.store.entities[$0].name + name } ?? SuggestedNames.entity(self.store.name) + name
    var entity = SuggestedEntity(
      name: names.take(name, longName), place: own, isNested: owner != nil, rows: element.count)
    var properties = SuggestedNames()
    self.addValues(of: element, to: &entity, &properties)
    if let key = Self.key(of: entity) { entity.key = [key.name] }
    self.store.entities.append(entity)
    if let owner { self.tie(place, to: owner, own) }
    for child in element.children { self.walk(child, "", around: place, &names) }
  }

  /// Ties records to the record that they stand in.
  private mutating func tie(_ place: Int, to owner: Int, _ path: String) {
    let (one, many) = (self.store.entities[owner].name, self.store.entities[place].name)
    var names = SuggestedNames(taken: self.store.entities[owner].names)
    let name = names.take(SuggestedNames.plural(many), SuggestedNames.plural(many) + "Inside")
    var others = SuggestedNames(taken: self.store.entities[place].names)
    let inverse = others.take(SuggestedNames.property(one), SuggestedNames.property(one) + "Around")
    self.store.entities[owner].relationships.append(
      SuggestedRelationship(
        name: name, destination: many, inverse: inverse, isToMany: true, isOptional: true,
        place: .records(path)))
    self.store.entities[place].relationships.append(
      SuggestedRelationship(
        name: inverse, destination: one, inverse: name, isToMany: false, isOptional: true, place: .inverse))
  }

  // MARK: Values

  private mutating func addValues(
    of record: Element, to entity: inout SuggestedEntity, _ names: inout SuggestedNames
  ) {
    var places: [(words: [String], path: String, values: ValueProfile, rows: Int)] = []
    self.collect(record, [], "", rows: record.count, into: &places)
    for place in places {
      let last = place.words.last ?? "text"
      let name = names.take(
        SuggestedNames.property(last), SuggestedNames.property(place.words.suffix(2).joined(separator: " ")),
        SuggestedNames.property(place.words.joined(separator: " ")))
      let proposal = place.values.proposal(name: last)
      let isText = proposal.type == .string
      let missing = record.count - place.values.count - (isText ? place.values.nulls : 0)
      entity.attributes.append(
        SuggestedAttribute(
          name: name, place: place.path, proposal: proposal,
          isOptional: missing > 0 || place.values.nulls > 0,
          readsUnfitAsNil: !isText && place.values.nulls > 0, values: place.values))
    }
  }

  /// The places of single values in a record: its attributes and text, and those of elements that stand in it once.
  private mutating func collect(
    _ element: Element, _ words: [String], _ path: String, rows: Int,
    into places: inout [(words: [String], path: String, values: ValueProfile, rows: Int)]
  ) {
    for attribute in element.attributes {
      let own = path.isEmpty ? "@\(attribute.name)" : "\(path)/@\(attribute.name)"
      places.append((words + [attribute.name], own, attribute.values, rows))
    }
    // A leaf without attributes has a text even where it is empty.
    if element.children.isEmpty, element.text.count > 0 || (!path.isEmpty && element.attributes.isEmpty) {
      places.append((path.isEmpty ? ["text"] : words, path.isEmpty ? "." : path, element.text, rows))
    }
    for child in element.children where child.most == 1 {
      let name = self.qualified(child)
      self.collect(
        child, words + [child.name], path.isEmpty ? name : "\(path)/\(name)", rows: rows, into: &places)
    }
  }

  /// What tells records apart: a value that is called so, or a name. Others may be all different by chance.
  private static func key(of entity: SuggestedEntity) -> SuggestedAttribute? {
    let able = entity.attributes.filter { $0.isKey && $0.canLink && $0.values.sample.distinct > 1 }
    return able.first { SuggestedNames.keyWords.contains(NameWords($0.name).words.last ?? "") }
      ?? able.first { NameWords($0.name).words == ["name"] }
  }
}
