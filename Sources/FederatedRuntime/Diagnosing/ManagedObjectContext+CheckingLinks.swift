internal import FederatedModel
internal import FederatedStore

extension ManagedObjectContext {
  /// Checks the links of fetched properties, and to-one relationships that lead to rows that do not exist.
  ///
  /// For each property the sources are read once and the destination once, whatever their number; what is held is one
  /// entry for each distinct key of the sources. Keys are stored values; unsaved changes of this context are seen as a
  /// read of the property sees them.
  ///
  /// ```swift
  /// let check = try context.checkLinks("Customer.recentInvoices")
  /// for finding in check.properties.flatMap(\.findings) { print(finding.kind, finding.count) }
  /// ```
  /// - Parameters:
  ///   - names: entities (`Customer`), or properties of them (`Customer.recentInvoices`); none checks the whole model.
  ///   - examples: how many of each finding are named.
  /// - Throws: ``ManagedObjectError`` for names that the model lacks; else what a store threw. A question that cannot be
  ///   asked is a finding, and no error.
  public func checkLinks(_ names: String..., examples: Int = 3) throws -> LinkCheck {
    try self.checkLinks(of: names, examples: examples)
  }

  /// Checks the links of fetched properties; see ``checkLinks(_:examples:)``.
  public func checkLinks(of names: [String], examples: Int = 3) throws -> LinkCheck {
    try self.throwKeptError()
    let wanted = try LinkCheckScope(names, in: self.model)
    return try self.withReadScope {
      var check = LinkCheck()
      for (source, property) in wanted.fetched {
        check.properties.append(try self.check(property, of: source, examples: examples))
      }
      for (source, relationship) in wanted.relationships {
        let found = try ReferenceCheck(relationship, of: source, in: self, examples: examples).run()
        if names.isEmpty ? !found.findings.isEmpty : true { check.relationships.append(found) }
      }
      let entities = wanted.entities
      check.diagnostics = self.coordinator.stores.flatMap(\.diagnostics).filter { diagnostic in
        diagnostic.entity.map(entities.contains) ?? true
      }
      return check
    }
  }

  private func check(
    _ property: FetchedProperty, of source: Entity, examples: Int
  ) throws -> LinkCheck.Property {
    let stored: FetchRequest
    do { stored = try self.storedRequest(of: property) } catch {
      // What keeps the question from being asked is what there is to say of the property.
      return Self.report(of: property, of: source, to: "?", .cannotBeAsked, "\(error)")
    }
    guard let destination = self.model.entity(named: stored.entityName) else {
      return Self.report(
        of: property, of: source, to: stored.entityName, .cannotBeAsked,
        "the model has no entity \(stored.entityName)")
    }
    let readers = self.coordinator.router.readers(
      of: destination.id, includingSubentities: stored.includesSubentities)
    if readers.isEmpty {
      return Self.report(
        of: property, of: source, to: destination.name, .noStore,
        "no attached store holds \(destination.name); add one whose configuration has it")
    }
    do {
      // Names of stores, terms and keys are refused here as a read refuses them.
      var request = stored
      request.predicate = nil
      _ = try ResolvedFetch(request, in: self)
      guard let plan = property.plan else {
        return try self.unplanned(property, of: source, to: destination, stored)
      }
      var check = try LinkPropertyCheck(
        property, plan, of: source, to: destination, stored, in: self, examples: examples)
      return try check.run()
    } catch let error as FetchPredicateError {
      return Self.report(of: property, of: source, to: destination.name, .cannotBeAsked, "\(error)")
    } catch let error as CoordinatorError {
      return Self.report(of: property, of: source, to: destination.name, .cannotBeAsked, "\(error)")
    }
  }

  private static func report(
    of property: FetchedProperty, of source: Entity, to destination: String, _ kind: LinkCheck.Finding.Kind,
    _ detail: String
  ) -> LinkCheck.Property {
    var report = LinkCheck.Property(
      entity: source.name, property: property.name, destination: destination)
    report.findings = [LinkCheck.Finding(kind, 1, detail)]
    return report
  }

  /// Without a key there is nothing to look up, and every read judges every row.
  private func unplanned(
    _ property: FetchedProperty, of source: Entity, to destination: Entity, _ stored: FetchRequest
  ) throws -> LinkCheck.Property {
    var report = LinkCheck.Property(
      entity: source.name, property: property.name, destination: destination.name)
    report.sources = try self.count(for: FetchRequest(source.name))
    var rows = FetchRequest(destination.name)
    rows.includesSubentities = stored.includesSubentities
    rows.affectedStores = stored.affectedStores
    rows.includesPendingChanges = stored.includesPendingChanges
    report.destinations = try self.count(for: rows)
    let judged = ExplanationText.count(report.destinations, "row")
    let reason = property.unplannedReason.map { " (\($0))" } ?? ""
    report.note = "no key to look up\(reason), \(judged) of \(destination.name) judged for each source"
    return report
  }
}

/// The properties that a check is about.
struct LinkCheckScope {
  private(set) var fetched: [(source: Entity, property: FetchedProperty)] = []
  private(set) var relationships: [(source: Entity, property: Relationship)] = []
  private(set) var entities: Set<String> = []

  /// - Parameter names: none means every property, once, with the entity that declares it.
  init(_ names: [String], in model: ManagedObjectModel) throws {
    if names.isEmpty {
      for entity in model.entities {
        self.entities.insert(entity.name)
        self.fetched += entity.fetchedProperties.filter { $0.declaringEntity == entity.id }.map {
          (entity, $0)
        }
        self.relationships += entity.relationships.filter {
          $0.declaringEntity == entity.id && $0.slot != nil
        }
        .map { (entity, $0) }
      }
      return
    }
    for name in names {
      let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard let entity = model.entity(named: parts[0]) else {
        throw ManagedObjectError.unknownEntity(parts[0], in: model)
      }
      self.entities.insert(entity.name)
      guard parts.count == 2 else {
        self.fetched += entity.fetchedProperties.map { (entity, $0) }
        self.relationships += entity.relationships.filter { $0.slot != nil }.map { (entity, $0) }
        continue
      }
      switch entity.property(named: parts[1]) {
      case .fetched(let property)?: self.fetched.append((entity, property))
      case .relationship(let relationship)? where relationship.slot != nil:
        self.relationships.append((entity, relationship))
      case nil: throw ManagedObjectError.unknownProperty(parts[1], of: entity)
      default:
        throw ManagedObjectError.wrongKind(
          parts[1], of: entity, isNo: "fetched property or stored to-one relationship")
      }
    }
  }
}
