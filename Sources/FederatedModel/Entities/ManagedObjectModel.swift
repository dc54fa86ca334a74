/// A frozen model: entities with every name resolved, configurations and templates.
///
/// Immutable and Sendable. To change a model, change the descriptions and freeze again.
public final class ManagedObjectModel: Sendable {
  /// All entities, depth first: roots in case-insensitive name order, each followed by its descendants.
  /// ``EntityID`` is the place here.
  public let entities: [Entity]
  public let configurations: [ModelConfiguration]
  public let templates: [FetchRequestTemplate]
  public let composites: [CompositeDescription]
  public let versionIdentifiers: [String]
  /// Breaches that a model read from a file may carry: a fetched property whose stored question cannot be
  /// used, a default that is no value here. Reading such a fetched property throws its breach. Empty for models built
  /// in Swift, which refuse instead.
  public let problems: [ModelError.Breach]
  /// Tells models of one process apart: typed keys remember which model their slot belongs to. 0 is no number.
  package let stamp = ModelStamp.next()
  /// What the model was frozen from, defaults normalised: the way to an edited copy.
  ///
  /// ```swift
  /// var draft = model.draft
  /// draft.entities[0].properties.append(AttributeDescription("note", .string, optional: true))
  /// let edited = try ManagedObjectModel(draft)
  /// ```
  public let draft: ModelDraft
  private let entityByName: [String: EntityID]
  let storedTemplates: [StoredTemplate]
  /// Whether the model was frozen as one that is read from a file.
  let defersQuestions: Bool

  init(resolution: ModelResolution, deferringQuestions: Bool) {
    self.defersQuestions = deferringQuestions
    self.entities = resolution.entities
    self.draft = resolution.draft
    self.configurations = resolution.draft.configurations
    self.storedTemplates = resolution.validated.templates
    self.templates = resolution.validated.templates.map(\.template)
    self.composites = resolution.draft.composites
    self.versionIdentifiers = resolution.draft.versionIdentifiers
    self.problems = resolution.validated.problems
    self.entityByName = Dictionary(uniqueKeysWithValues: resolution.entities.map { ($0.name, $0.id) })
  }

  /// Freezes descriptions.
  /// - Throws: one ``ModelError`` that lists every breach.
  public convenience init(
    entities: [EntityDescription], configurations: [ModelConfiguration] = [],
    templates: [FetchRequestTemplate] = [], codecs: [TransformableCodec] = []
  ) throws(ModelError) {
    var draft = ModelDraft(entities: entities, configurations: configurations, templates: templates)
    draft.codecs = codecs
    try self.init(draft)
  }

  /// Freezes a draft. With `deferringQuestions`, breaches in stored questions become ``problems``.
  public convenience init(_ draft: ModelDraft, deferringQuestions: Bool = false) throws(ModelError) {
    let resolution = try ModelResolution.resolve(draft, deferringQuestions: deferringQuestions)
    self.init(resolution: resolution, deferringQuestions: deferringQuestions)
  }

  public subscript(id: EntityID) -> Entity { self.entities[id.index] }

  public func entity(named name: String) -> Entity? {
    self.entityByName[name].map { self.entities[$0.index] }
  }

  /// The codec of a transformable attribute; nil for other attributes, and when none is registered: then
  /// the attribute is bytes.
  public func codec(for attribute: Attribute) -> TransformableCodec? {
    guard case .transformable(let name?) = attribute.type else { return nil }
    return self.draft.codecs.first { $0.name == name }
  }

  public func relationship(_ id: RelationshipID) -> Relationship {
    self.entities[id.entity.index].relationships[id.index]
  }

  /// The entities of a configuration; all of them for nil; nil for an unknown name.
  public func entities(forConfiguration name: String?) -> [Entity]? {
    guard let name else { return self.entities }
    guard let configuration = self.configurations.first(where: { $0.name == name }) else { return nil }
    return configuration.entities.compactMap { self.entity(named: $0) }
  }
}

/// Everything that a model is frozen from.
public struct ModelDraft: Sendable {
  public var entities: [EntityDescription]
  public var configurations: [ModelConfiguration]
  public var templates: [FetchRequestTemplate]
  public var composites: [CompositeDescription]
  public var versionIdentifiers: [String]
  /// Codecs of transformable attributes, by the name that the attributes give.
  public var codecs: [TransformableCodec] = []
  /// Attributes of the model element that have no meaning here, kept for a rewrite.
  public var fileAttributes: [String: String] = [:]
  /// Elements of the model file that have no meaning here, such as its diagram, kept for a rewrite.
  public var fileElements: [ModelFileElement] = []
  /// What a reader found in a file and could not carry over, such as a predicate of a kind that is not answered here.
  ///
  /// They become ``ManagedObjectModel/problems`` of a model that is read; freezing the draft otherwise refuses them.
  /// Whoever mends the descriptions empties the list.
  public var problems: [ModelError.Breach] = []

  public init(
    entities: [EntityDescription] = [], configurations: [ModelConfiguration] = [],
    templates: [FetchRequestTemplate] = [], composites: [CompositeDescription] = [],
    versionIdentifiers: [String] = []
  ) {
    self.entities = entities
    self.configurations = configurations
    self.templates = templates
    self.composites = composites
    self.versionIdentifiers = versionIdentifiers
  }
}
