public import FederatedModel
import Foundation
import Testing

/// What is stated about a compiled model, or the copy of one in a store.
public enum StatedCompiledModel {
  /// Checks every fact; a fact that nothing reads is an issue.
  /// - Parameter inherited: whether the facts repeat inherited properties, as copies in stores do.
  public static func check(_ model: ManagedObjectModel, _ facts: Fact, inherited: Bool) throws {
    var rest = facts.map
    let entities = rest.removeValue(forKey: "entities")?.map ?? [:]
    #expect(Set(model.entities.map(\.name)) == Set(entities.keys))
    for (name, fact) in entities {
      try self.check(try #require(model.entity(named: name)), fact, model, inherited: inherited)
    }
    let configurations = rest.removeValue(forKey: "configurations")?.map ?? [:]
    #expect(Set(model.configurations.map(\.name)) == Set(configurations.keys))
    for configuration in model.configurations {
      #expect(configuration.entities == configurations[configuration.name]?.list.compactMap(\.text).sorted())
    }
    #expect(rest.isEmpty, "nothing reads \(rest)")
  }

  private static func check(
    _ entity: Entity, _ facts: Fact, _ model: ManagedObjectModel, inherited: Bool
  ) throws {
    var rest = facts.map
    #expect(entity.isAbstract == rest.removeValue(forKey: "abstract")?.isTrue)
    #expect(entity.parent.map { model[$0].name } == rest.removeValue(forKey: "parent")?.text)
    #expect(entity.description.managedObjectClassName == rest.removeValue(forKey: "class")?.text)
    let attributes = entity.attributes.filter { inherited || $0.declaringEntity == entity.id }
    let stated = rest.removeValue(forKey: "attributes")?.map ?? [:]
    #expect(Set(attributes.map(\.name)) == Set(stated.keys), "\(entity.name)")
    for attribute in attributes {
      self.check(attribute.description, try #require(stated[attribute.name]), of: entity.name)
    }
    let relationships = entity.relationships.filter { inherited || $0.declaringEntity == entity.id }
    let links = rest.removeValue(forKey: "relationships")?.map ?? [:]
    #expect(Set(relationships.map(\.name)) == Set(links.keys), "\(entity.name)")
    for relationship in relationships {
      self.check(relationship, try #require(links[relationship.name]), model, of: entity.name)
    }
    let questions = entity.fetchedProperties.filter { inherited || $0.declaringEntity == entity.id }
    let fetched = rest.removeValue(forKey: "fetched")?.map ?? [:]
    #expect(Set(questions.map(\.name)) == Set(fetched.keys), "\(entity.name)")
    for question in questions { try self.check(question, try #require(fetched[question.name])) }
    #expect(rest.isEmpty, "nothing reads \(rest)")
  }

  private static func check(_ attribute: AttributeDescription, _ facts: Fact, of entity: String) {
    let place = Comment(rawValue: "\(entity).\(attribute.name)")
    var rest = facts.map
    let type =
      switch attribute.type {
      case .integer16: "Integer 16"
      case .integer32: "Integer 32"
      case .integer64: "Integer 64"
      case .uuid: "UUID"
      case .uri: "URI"
      case .transformable: "Transformable"
      default: "\(attribute.type)".capitalized
      }
    #expect(type == rest.removeValue(forKey: "type")?.text, place)
    #expect(attribute.isOptional == rest.removeValue(forKey: "optional")?.isTrue ?? false, place)
    #expect(attribute.isTransient == rest.removeValue(forKey: "transient")?.isTrue ?? false, place)
    let flags =
      (attribute.allowsExternalBinaryDataStorage ? 4 : 0)
      + (attribute.preservesValueInHistoryOnDeletion ? 16 : 0)
    #expect(flags == rest.removeValue(forKey: "flags")?.int ?? 0, place)
    let isDerived = rest.removeValue(forKey: "kind")?.text == "NSDerivedAttributeDescription"
    #expect((attribute.derivationExpression != nil) == isDerived, place)
    if let derivation = rest.removeValue(forKey: "derivation")?.text {
      // The facts print the function; the editor, and so a description, says it by a key.
      let keys = derivation.split { "(:)".contains($0) }.map(String.init)
      #expect(attribute.derivationExpression == "\(keys[1]).@\(keys[0])", place)
    }
    #expect(rest.isEmpty, "\(place): nothing reads \(rest)")
  }

  private static func check(
    _ relationship: Relationship, _ facts: Fact, _ model: ManagedObjectModel, of entity: String
  ) {
    let place = Comment(rawValue: "\(entity).\(relationship.name)")
    var rest = facts.map
    let description = relationship.description
    #expect(model[relationship.destination].name == rest.removeValue(forKey: "dest")?.text, place)
    let inverse = relationship.inverse.map { model.relationship($0).name }
    #expect(inverse == rest.removeValue(forKey: "inverse")?.text, place)
    #expect(description.minCount == rest.removeValue(forKey: "min")?.int, place)
    #expect(description.maxCount == max(0, rest.removeValue(forKey: "max")?.int ?? 0), place)
    #expect(description.isOrdered == rest.removeValue(forKey: "ordered")?.isTrue, place)
    #expect(description.isOptional == rest.removeValue(forKey: "optional")?.isTrue, place)
    #expect(description.isTransient == rest.removeValue(forKey: "transient")?.isTrue, place)
    let rules = RelationshipDescription.DeleteRule.allCases
    #expect(rules.firstIndex(of: description.deleteRule) == rest.removeValue(forKey: "rule")?.int, place)
    #expect(rest.isEmpty, "\(place): nothing reads \(rest)")
  }

  private static func check(_ fetched: FetchedProperty, _ facts: Fact) throws {
    var rest = facts.map
    let request = try #require(fetched.request, "\(fetched.problems)")
    #expect(request.entityName == rest.removeValue(forKey: "entity")?.text)
    let predicate = try rest.removeValue(forKey: "predicate")?.text.map { try FetchPredicate(format: $0) }
    #expect(request.predicate == predicate)
    let info = rest.removeValue(forKey: "userInfo")?.map.compactMapValues(\.text)
    #expect(fetched.description.userInfo == info)
    let order = rest.removeValue(forKey: "sort")?.list.map {
      FetchSortDescriptor($0.list[0].text ?? "", ascending: $0.list[1].isTrue)
    }
    #expect(request.sortDescriptors == order)
    #expect(rest.isEmpty, "nothing reads \(rest)")
  }
}
