public import FederatedModel
import FederatedModelFiles
import FederatedStore
public import Foundation

/// A model and a federation file to begin with, made of what stands in files that nobody here designed: entities, keys,
/// types and formats of values, and links between the files.
///
/// ```swift
/// let suggestion = try FederationSuggestion(of: [URL(filePath: "customers.xml"), URL(filePath: "ledger.sqlite")])
/// print(suggestion)
/// try suggestion.write(to: URL(filePath: "shop"))
/// ```
/// What is proposed works as it stands. Every file is read once and only read; what is held of it is a sample of bounded
/// size for each column, and the same files give the same proposal.
public struct FederationSuggestion: Sendable {
  /// The model, not frozen yet.
  public let draft: ModelDraft
  /// Links between entities, as fetched properties of the model.
  public let links: [SuggestedLink]
  /// What was left out, and what is to be decided by hand.
  public let notes: [String]
  let stores: [SuggestedStore]

  /// Looks into files.
  /// - Throws: ``FileInspectionError`` for a file that is neither SQLite nor XML, and where no file has rows to begin
  ///   with; what reading a file throws.
  public init(of files: [URL]) throws {
    var stores: [SuggestedStore] = []
    var notes: [String] = []
    var draft = ModelDraft()
    var names = SuggestedNames()
    var storeNames = SuggestedNames()
    for file in files {
      let name = storeNames.take(SuggestedNames.property(file.deletingPathExtension().lastPathComponent))
      let found = try FileInspection(of: file)
      switch found.kind {
      case .otherSQLite:
        let suggestion = try SQLiteSuggestion(file, name: name, &names)
        if !suggestion.store.entities.isEmpty { stores.append(suggestion.store) }
        notes += suggestion.notes
      case .otherXML:
        let suggestion = try XMLSuggestion(file, name: name, &names)
        if !suggestion.store.entities.isEmpty { stores.append(suggestion.store) }
        notes += suggestion.notes
      case .coreDataSQLite:
        if let store = try Self.cached(file, name: name, &draft, &names) {
          stores.append(store)
          notes.append("\(file.lastPathComponent): is a Core Data store, and keeps the model that it has")
        } else {
          notes.append(
            "\(file.lastPathComponent): is a Core Data store without a copy of its model; add it by hand")
        }
      case .coreDataXML:
        notes.append(
          "\(file.lastPathComponent): is a Core Data store, whose model is elsewhere; add it by hand")
      case .xcodeModel, .compiledModel, .other:
        throw FileInspectionError(file: file, "is no file with rows; name SQLite and XML files")
      }
    }
    guard !stores.isEmpty else {
      throw FileInspectionError(
        file: files.first ?? URL(filePath: "."),
        "has nothing that a proposal could begin with: \(notes.isEmpty ? "no rows" : notes.joined(separator: "; "))"
      )
    }
    self.links = Self.add(LinkSearch(stores).links(), to: &stores)
    self.stores = stores
    self.notes = notes
    draft.entities += stores.flatMap { store in
      store.entities.map { $0.description }
    }
    draft.configurations += stores.map { store in
      ModelConfiguration(store.name, entities: store.ownEntities ?? store.entities.map(\.name))
    }
    self.draft = draft
  }

  /// The store's own model joins the draft.
  /// - Returns: nil where the store keeps no copy of its model.
  private static func cached(
    _ file: URL, name: String, _ draft: inout ModelDraft, _ names: inout SuggestedNames
  ) throws -> SuggestedStore? {
    let model: ManagedObjectModel
    do { model = try ModelFile.load(cachedIn: file) } catch let error as ModelFileError
      where error.code == .noModelCache || error.code == .foreignModelCache
    {
      return nil
    }
    for entity in model.entities where names.take(entity.name) != entity.name {
      throw FileInspectionError(
        file: file,
        "has an entity \(entity.name), as a file before it does; name the Core Data stores first, or "
          + "leave one of the two out")
    }
    draft.entities += model.draft.entities
    draft.codecs += model.draft.codecs
    draft.problems += model.draft.problems
    var store = SuggestedStore(name: name, url: file, type: "sqlite")
    store.ownEntities = model.entities.map(\.name)
    return store
  }

  /// Makes each link a fetched property of both sides.
  private static func add(_ links: [SuggestedLink], to stores: inout [SuggestedStore]) -> [SuggestedLink] {
    var named: [SuggestedLink] = []
    for var link in links {
      guard let source = self.place(of: link.entity, in: stores),
        let destination = self.place(of: link.destination, in: stores)
      else { continue }
      let subject = SuggestedNames.subject(link.attribute).joined(separator: " ")
      let single = SuggestedNames.property(link.destination)
      var own = SuggestedNames(taken: stores[source.store].entities[source.entity].names)
      link.property = own.take(
        subject.isEmpty ? single : SuggestedNames.property(subject), single,
        single + "By" + SuggestedNames.entity(link.attribute))
      stores[source.store].entities[source.entity].fetched.append(
        FetchedPropertyDescription(
          link.property, of: link.destination,
          where: "\(Self.key(link.key)) == $FETCH_SOURCE.\(Self.key(link.attribute))"))
      var other = SuggestedNames(taken: stores[destination.store].entities[destination.entity].names)
      let many = SuggestedNames.plural(link.entity)
      link.inverse = other.take(many, many + "By" + SuggestedNames.entity(link.attribute))
      stores[destination.store].entities[destination.entity].fetched.append(
        FetchedPropertyDescription(
          link.inverse, of: link.entity,
          where: "\(Self.key(link.attribute)) == $FETCH_SOURCE.\(Self.key(link.key))"))
      named.append(link)
    }
    return named
  }

  /// A key as a predicate writes it: names that are words of the language are escaped.
  private static func key(_ name: String) -> String { "\(FetchExpression.keyPath([name]))" }

  private static func place(
    of entity: String, in stores: [SuggestedStore]
  ) -> (store: Int, entity: Int)? {
    for (store, suggested) in stores.enumerated() {
      if let place = suggested.entities.firstIndex(where: { $0.name == entity }) { return (store, place) }
    }
    return nil
  }
}

extension SuggestedEntity {
  fileprivate var description: EntityDescription {
    var entity = EntityDescription(self.name)
    entity.properties += self.attributes.map { attribute -> any PropertyDescription in
      AttributeDescription(attribute.name, attribute.proposal.type, optional: attribute.isOptional)
    }
    entity.properties += self.relationships.map { relationship -> any PropertyDescription in
      RelationshipDescription(
        relationship.name, to: relationship.destination, relationship.isToMany ? .many : .one,
        inverse: relationship.inverse, optional: relationship.isOptional)
    }
    entity.properties += self.fetched.map { $0 as any PropertyDescription }
    return entity
  }
}
