/// One statement inside `ManagedObjectModel { … }`.
public enum ModelPart: Sendable {
  case entity(EntityDescription)
  case configuration(ModelConfiguration)
  case template(FetchRequestTemplate)
  case composite(CompositeDescription)
  case codec(TransformableCodec)
}

/// Gathers the statements of a model declaration.
@resultBuilder public enum ModelBuilder {
  public static func buildExpression(_ entity: EntityDescription) -> [ModelPart] { [.entity(entity)] }
  public static func buildExpression(_ configuration: ModelConfiguration) -> [ModelPart] {
    [.configuration(configuration)]
  }
  public static func buildExpression(_ template: FetchRequestTemplate) -> [ModelPart] {
    [.template(template)]
  }
  public static func buildExpression(_ composite: CompositeDescription) -> [ModelPart] {
    [.composite(composite)]
  }
  public static func buildExpression(_ codec: TransformableCodec) -> [ModelPart] { [.codec(codec)] }
  public static func buildBlock(_ parts: [ModelPart]...) -> [ModelPart] { parts.flatMap(\.self) }
  public static func buildOptional(_ parts: [ModelPart]?) -> [ModelPart] { parts ?? [] }
  public static func buildEither(first parts: [ModelPart]) -> [ModelPart] { parts }
  public static func buildEither(second parts: [ModelPart]) -> [ModelPart] { parts }
  public static func buildArray(_ parts: [[ModelPart]]) -> [ModelPart] { parts.flatMap(\.self) }
}

/// Gathers the properties of an entity declaration.
@resultBuilder public enum PropertyBuilder {
  public static func buildExpression(_ property: some PropertyDescription) -> [any PropertyDescription] {
    [property]
  }
  public static func buildBlock(_ parts: [any PropertyDescription]...) -> [any PropertyDescription] {
    parts.flatMap(\.self)
  }
  public static func buildOptional(_ part: [any PropertyDescription]?) -> [any PropertyDescription] {
    part ?? []
  }
  public static func buildEither(first part: [any PropertyDescription]) -> [any PropertyDescription] { part }
  public static func buildEither(second part: [any PropertyDescription]) -> [any PropertyDescription] { part }
  public static func buildArray(_ parts: [[any PropertyDescription]]) -> [any PropertyDescription] {
    parts.flatMap(\.self)
  }
}

extension ModelDraft {
  /// Declares a draft.
  public init(@ModelBuilder _ content: () -> [ModelPart]) {
    self.init()
    for part in content() {
      switch part {
      case .entity(let entity): self.entities.append(entity)
      case .configuration(let configuration): self.configurations.append(configuration)
      case .template(let template): self.templates.append(template)
      case .composite(let composite): self.composites.append(composite)
      case .codec(let codec): self.codecs.append(codec)
      }
    }
  }
}

extension ManagedObjectModel {
  /// Declares and freezes a model.
  ///
  /// ```swift
  /// let model = try ManagedObjectModel {
  ///   EntityDescription("Customer") {
  ///     AttributeDescription("number", .integer64)
  ///     FetchedPropertyDescription("invoices", of: "Invoice", where: "customer == $FETCH_SOURCE.number")
  ///   }
  ///   EntityDescription("Invoice") { AttributeDescription("customer", .integer64) }
  ///   ModelConfiguration("Contacts", entities: ["Customer"])
  /// }
  /// ```
  /// - Throws: one ``ModelError`` that lists every breach. Nothing inside the declaration throws.
  public convenience init(@ModelBuilder _ content: () -> [ModelPart]) throws(ModelError) {
    try self.init(ModelDraft(content))
  }
}

extension EntityDescription {
  /// Declares an entity.
  public init(
    _ name: String, parent: String? = nil, abstract: Bool = false,
    @PropertyBuilder _ properties: () -> [any PropertyDescription]
  ) {
    self.init(name, parent: parent, abstract: abstract, properties: properties())
  }

  /// The entity with one more uniqueness constraint: no two rows agree in all these attributes.
  ///
  /// SQLite, XML, in-memory and other whole-file stores refuse a save that would break it. A row with nil among the
  /// attributes collides with none.
  public func unique(on attributes: String...) -> EntityDescription {
    var entity = self
    entity.uniquenessConstraints.append(attributes)
    return entity
  }

  /// The entity with one more index over these attributes, ascending.
  public func indexed(_ name: String, on attributes: String...) -> EntityDescription {
    var entity = self
    entity.indexes.append(FetchIndexDescription(name, attributes.map { .init($0) }))
    return entity
  }
}
