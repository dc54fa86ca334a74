/// The paths of a mapping as they are put together: steps that are the same are one.
struct XMLPathGraph {
  private(set) var names: [String: Int32] = [:]
  private(set) var namespaceNumbers: [String: Int32] = [:]
  private(set) var keys: [String: Int32] = [:]
  private let prefixes: [String: String]
  private var nodes: [Node] = [Node()]

  private struct Node {
    var plan = XMLMappingPlan.Node()
    var edges: [(step: XMLPath.Step, target: Int32)] = []
    var attributes: [XMLMappingPlan.AttributePlace] = []
    var captures: [XMLMappingPlan.Capture] = []
  }

  init(_ prefixes: [String: String]) { self.prefixes = prefixes }

  mutating func newNode() -> Int32 {
    self.nodes.append(Node())
    return Int32(self.nodes.count - 1)
  }

  // MARK: Adding

  mutating func addRecords(_ path: XMLPath, from node: Int32, record: Int, link: Int) {
    // A record's node is its own: an element that is a value too stands at another one beside it.
    let parent = self.follow(path.steps.dropLast(), from: node)
    guard let last = path.steps.last else { return }
    let target = self.newNode()
    self.nodes[Int(target)].plan.record = Int32(record)
    self.nodes[Int(target)].plan.link = Int32(link)
    self.connect(parent, last, target)
  }

  mutating func addValue(_ path: XMLPath, from node: Int32, value: Int) {
    let place = Int(self.follow(path.steps[...], from: node))
    switch path.end {
    case .attribute(let name):
      self.nodes[place].attributes.append(
        XMLMappingPlan.AttributePlace(
          name: self.number(name.local), namespace: self.namespace(name, isElement: false),
          value: Int32(value)))
    case .element: self.nodes[place].captures.append(XMLMappingPlan.Capture(value: Int32(value), text: .all))
    case .ownText: self.nodes[place].captures.append(XMLMappingPlan.Capture(value: Int32(value), text: .own))
    case .ownKey: self.nodes[place].captures.append(XMLMappingPlan.Capture(value: Int32(value), text: .key))
    }
  }

  private mutating func follow(_ steps: ArraySlice<XMLPath.Step>, from node: Int32) -> Int32 {
    var node = node
    for step in steps {
      let known = self.nodes[Int(node)].edges.first { edge in
        edge.step.isSame(as: step) && self.nodes[Int(edge.target)].plan.record < 0
      }
      if let known {
        node = known.target
      } else {
        let target = self.newNode()
        self.connect(node, step, target)
        node = target
      }
    }
    return node
  }

  private mutating func connect(_ node: Int32, _ step: XMLPath.Step, _ target: Int32) {
    self.nodes[Int(node)].edges.append((step, target))
    if step.isDescendant { self.nodes[Int(node)].plan.descends = true }
    if case .key = step.test { self.nodes[Int(node)].plan.usesKeys = true }
  }

  /// Numbers for the attribute by which an element says that it stands for nil.
  mutating func addNil() {
    _ = self.number("nil")
    if self.namespaceNumbers[XMLMappingPlan.schemaInstance] == nil {
      self.namespaceNumbers[XMLMappingPlan.schemaInstance] = Int32(self.namespaceNumbers.count + 2)
    }
  }

  // MARK: Numbers

  private mutating func number(_ name: String) -> Int32 {
    if let known = self.names[name] { return known }
    self.names[name] = Int32(self.names.count + 1)
    return Int32(self.names.count)
  }

  private mutating func number(key: String) -> Int32 {
    if let known = self.keys[key] { return known }
    self.keys[key] = Int32(self.keys.count + 1)
    return Int32(self.keys.count)
  }

  /// An attribute without a prefix is in no namespace, whatever the default one is.
  private mutating func namespace(_ name: XMLPathName, isElement: Bool) -> Int32 {
    guard isElement || !name.prefix.isEmpty, let uri = self.prefixes[name.prefix] else { return 1 }
    if let known = self.namespaceNumbers[uri] { return known }
    self.namespaceNumbers[uri] = Int32(self.namespaceNumbers.count + 2)
    return Int32(self.namespaceNumbers.count + 1)
  }

  // MARK: Flattening

  struct Flat {
    var nodes: [XMLMappingPlan.Node] = []
    var edges: [XMLMappingPlan.Edge] = []
    var attributes: [XMLMappingPlan.AttributePlace] = []
    var captures: [XMLMappingPlan.Capture] = []
    var filters: [XMLMappingPlan.Filter] = []
  }

  mutating func flattened() -> Flat {
    var flat = Flat()
    // The key before a record is wanted where a record that asks for it may stand.
    let wanted = Set(self.nodes.indices.filter { self.nodes[$0].captures.contains { $0.text == .key } })
    for index in self.nodes.indices {
      let node = self.nodes[index]
      var plan = node.plan
      if !wanted.isEmpty, node.edges.contains(where: { self.nodes[Int($0.target)].plan.record >= 0 }) {
        plan.usesKeys = true
      }
      let start = Int32(flat.edges.count)
      for (step, target) in node.edges { flat.edges.append(self.edge(step, target, &flat.filters)) }
      plan.edges = start..<Int32(flat.edges.count)
      plan.attributes = flat.attributes.append(node.attributes)
      plan.captures = flat.captures.append(node.captures)
      flat.nodes.append(plan)
    }
    return flat
  }

  private mutating func edge(
    _ step: XMLPath.Step, _ target: Int32, _ filters: inout [XMLMappingPlan.Filter]
  ) -> XMLMappingPlan.Edge {
    let range = filters.append(
      step.filters.map { filter in
        XMLMappingPlan.Filter(
          name: self.number(filter.name.local), namespace: self.namespace(filter.name, isElement: false),
          value: Array(filter.value.utf8))
      })
    var edge = XMLMappingPlan.Edge(
      name: XMLMappingPlan.Edge.anyName, namespace: 0, key: 0, filters: range, descends: step.isDescendant,
      target: target)
    switch step.test {
    case .any: break
    case .key(let key): edge.key = self.number(key: key)
    case .name(let name):
      edge.name = self.number(name.local)
      edge.namespace = self.namespace(name, isElement: true)
    }
    return edge
  }
}

extension XMLPath.Step {
  /// Whether two steps find the same elements; where their names stand in their paths does not count.
  fileprivate func isSame(as other: XMLPath.Step) -> Bool {
    guard self.isDescendant == other.isDescendant,
      self.filters.map(\.value) == other.filters.map(\.value),
      self.filters.map(\.name.text) == other.filters.map(\.name.text)
    else { return false }
    switch (self.test, other.test) {
    case (.any, .any): return true
    case (.key(let mine), .key(let others)): return mine == others
    case (.name(let mine), .name(let others)): return mine.text == others.text
    default: return false
    }
  }
}

extension Array {
  /// Appends elements and answers where they are.
  fileprivate mutating func append(_ elements: [Element]) -> Range<Int32> {
    let start = Int32(self.count)
    self.append(contentsOf: elements)
    return start..<Int32(self.count)
  }
}
