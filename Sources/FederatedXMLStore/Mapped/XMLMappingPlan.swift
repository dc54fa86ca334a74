internal import FederatedModel
internal import FederatedStore

/// A mapping checked against a model and made ready for reading: names are numbers, paths a graph of small nodes.
///
/// A node stands for a place in paths, an edge for a step to the next. Everything that reading touches for each element
/// is a plain number, so that nothing is counted or looked up by name on the way.
final class XMLMappingPlan: Sendable {
  let model: ManagedObjectModel
  let mapping: XMLMapping
  /// Local names of elements and attributes; no name has 0.
  let names: [String: Int32]
  /// Namespaces; 0 is one that the mapping does not know, 1 is none.
  let namespaces: [String: Int32]
  /// Keys of property-list dictionaries; no key has 0.
  let keys: [String: Int32]
  let nodes: [Node]
  let edges: [Edge]
  let attributes: [AttributePlace]
  let captures: [Capture]
  let filters: [Filter]
  let records: [XMLRecordPlan]
  /// Of each record the node at which its values begin.
  let bodies: [Int32]
  /// Whether any step goes to any depth.
  let descends: Bool
  /// Whether any path asks for keys of a property list.
  let usesKeys: Bool
  /// By the number of the entity; nil for one without records.
  let recordByEntity: [Int?]

  /// The place before the root element.
  static let start: Int32 = 0
  /// The namespace of `xsi:nil`.
  static let schemaInstance = "http://www.w3.org/2001/XMLSchema-instance"

  struct Node: Sendable {
    var edges: Range<Int32> = 0..<0
    var attributes: Range<Int32> = 0..<0
    var captures: Range<Int32> = 0..<0
    /// Whether an edge leads to any depth.
    var descends = false
    /// Whether keys of a property list matter for what stands inside.
    var usesKeys = false
    /// The record that an element here is; -1 for none.
    var record: Int32 = -1
    /// The link of the record around it that leads to the record here; -1 for none.
    var link: Int32 = -1
  }

  struct Edge: Sendable {
    var name: Int32
    var namespace: Int32
    /// The key before the element; 0 for any element.
    var key: Int32
    var filters: Range<Int32>
    var descends: Bool
    var target: Int32

    /// The name of a step that every element fits.
    static let anyName: Int32 = -1
  }

  struct AttributePlace: Sendable {
    var name: Int32
    var namespace: Int32
    var value: Int32
  }

  struct Capture: Sendable {
    var value: Int32
    var text: Text
    /// All text inside the element, its own alone, or the key before it.
    enum Text { case all, own, key }
  }

  struct Filter: Sendable {
    var name: Int32
    var namespace: Int32
    var value: [UInt8]
  }

  /// - Throws: ``MappingError`` with every fault.
  convenience init(
    _ mapping: XMLMapping, _ model: ManagedObjectModel, configuration: String?
  ) throws(MappingError) {
    var check = XMLMappingCheck(mapping, model, configuration: configuration)
    let checked = check.run()
    guard check.faults.isEmpty else { throw MappingError(check.faults) }
    self.init(mapping, model, checked)
  }

  /// The plan of the same mapping for records of which less is read.
  convenience init(_ plan: XMLMappingPlan, _ records: [XMLRecordPlan]) {
    self.init(plan.mapping, plan.model, records)
  }

  private init(_ mapping: XMLMapping, _ model: ManagedObjectModel, _ checked: [XMLRecordPlan]) {
    var graph = XMLPathGraph(mapping.namespaces)
    var records = checked
    var byEntity = [Int?](repeating: nil, count: model.entities.count)
    for (number, record) in checked.enumerated() { byEntity[record.entity.id.index] = number }
    for number in records.indices { records[number].body = graph.newNode() }
    for (number, record) in checked.enumerated() {
      for path in record.paths {
        graph.addRecords(path, from: XMLMappingPlan.start, record: number, link: -1)
      }
      let body = records[number].body
      for (value, plan) in record.values.enumerated() { graph.addValue(plan.path, from: body, value: value) }
      for (place, link) in record.links.enumerated() {
        guard let target = byEntity[link.relationship.destination.index] else { continue }
        graph.addRecords(link.path, from: body, record: target, link: place)
      }
    }
    graph.addNil()
    self.model = model
    self.mapping = mapping
    self.bodies = records.map(\.body)
    self.records = records
    self.recordByEntity = byEntity
    let flat = graph.flattened()
    (self.names, self.namespaces, self.keys) = (graph.names, graph.namespaceNumbers, graph.keys)
    (self.nodes, self.edges, self.attributes) = (flat.nodes, flat.edges, flat.attributes)
    (self.captures, self.filters) = (flat.captures, flat.filters)
    self.descends = flat.nodes.contains { $0.descends }
    self.usesKeys = flat.nodes.contains { $0.usesKeys }
  }
}
