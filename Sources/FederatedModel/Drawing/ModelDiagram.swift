/// A drawing of a model: entities as boxes with their attributes, stores as frames around them, relationships as lines,
/// fetched properties as dashed arrows that may cross the frames.
///
/// ```swift
/// print(ModelDiagram(of: model).text(.mermaid))
/// ```
public struct ModelDiagram: Sendable {
  /// The forms that a drawing is written in.
  public enum Format: String, Sendable, CaseIterable {
    /// A Mermaid class diagram, as many sites show it inside Markdown.
    case mermaid
    /// The language of Graphviz.
    case dot
  }

  /// A frame: a store or configuration, and the entities that it holds.
  public struct Cluster: Hashable, Sendable {
    public var name: String
    public var entities: [String]

    public init(_ name: String, entities: [String]) {
      self.name = name
      self.entities = entities
    }
  }

  /// Frames in order, each with its boxes; boxes that no frame holds stand in a last one without a name.
  let frames: [Frame]
  let lines: [Line]

  struct Frame: Sendable {
    let name: String?
    var boxes: [Box]
  }

  struct Box: Sendable {
    let name: String
    let isAbstract: Bool
    let attributes: [BoxLine]
  }

  /// An attribute, printed `city: string?`; a question mark means optional.
  struct BoxLine: Sendable {
    let name: String
    let type: String
    let isOptional: Bool

    func text(_ escaped: (String) -> String) -> String {
      "\(escaped(self.name)): \(escaped(self.type))\(self.isOptional ? "?" : "")"
    }
  }

  /// Draws a model.
  /// - Parameter clusters: the frames; nil takes the model's configurations. An entity of several clusters stands in a
  ///   frame of its own that is named after all of them. Names that the model has no entity of are passed over.
  public init(of model: ManagedObjectModel, clusters: [Cluster]? = nil) {
    let clusters = clusters ?? model.configurations.map { Cluster($0.name, entities: $0.entities) }
    var frames: [Frame] = []
    for entity in model.entities {
      let names = clusters.filter { $0.entities.contains(entity.name) }.map(\.name)
      let frame = names.isEmpty ? nil : names.joined(separator: " + ")
      if let place = frames.firstIndex(where: { $0.name == frame }) {
        frames[place].boxes.append(Box(entity))
      } else {
        frames.append(Frame(name: frame, boxes: [Box(entity)]))
      }
    }
    self.frames = frames.filter { $0.name != nil } + frames.filter { $0.name == nil }
    self.lines = Line.all(in: model)
  }

  /// The drawing as text that ends with a line feed. Equal models give equal texts.
  public func text(_ format: Format) -> String {
    switch format {
    case .mermaid: MermaidText(self).text
    case .dot: DOTText(self).text
    }
  }
}

extension ModelDiagram.Box {
  init(_ entity: Entity) {
    self.name = entity.name
    self.isAbstract = entity.isAbstract
    self.attributes = entity.description.properties.compactMap { property in
      guard let attribute = property as? AttributeDescription else { return nil }
      return ModelDiagram.BoxLine(
        name: attribute.name, type: attribute.type.words, isOptional: attribute.isOptional)
    }
  }
}
