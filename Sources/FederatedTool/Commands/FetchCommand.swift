import FederatedData
import Foundation

/// `federate fetch`: asks several stores one question, and prints what they answer.
struct FetchCommand: ToolCommand {
  /// As it is named; empty when a template names it.
  let entity: String
  let template: TemplateArgument?
  let source: FetchSource
  let predicate: FetchPredicate?
  let linked: [LinkedCondition]
  let order: [FetchSortDescriptor]
  let limit: Int?
  let offset: Int?
  let selected: [String]?
  let followed: [[String]]
  /// Columns and groups in place of objects; nil prints objects.
  let columns: ColumnOptions?
  let countsOnly: Bool
  /// Whether to print how the question is answered, in place of the objects.
  let explains: Bool
  let identifiersOnly: Bool
  let includesSubentities: Bool
  let format: ResultFormat
  /// Whether the format was asked for.
  let namesFormat: Bool

  init(_ arguments: ParsedArguments) throws {
    self.template = try TemplateArgument(arguments)
    guard arguments.operands.count == 1 || (arguments.operands.isEmpty && self.template != nil) else {
      throw ToolError.usage("ENTITY", "name exactly one entity; predicates of several words stand in quotes")
    }
    self.entity = arguments.operands.first ?? ""
    self.source = try FetchSource(arguments)
    self.predicate = try arguments.value("--where").map(Self.predicate)
    self.linked = try arguments.all("--linked").map(LinkedArgument.condition)
    let linkedOrder = try (arguments.list("--sort-linked") ?? []).map(LinkedArgument.sort)
    let ownOrder = try (arguments.list("--sort") ?? []).map { try SortArgument.descriptor($0) }
    self.order = linkedOrder + ownOrder
    self.limit = try arguments.count("--limit")
    self.offset = try arguments.count("--offset")
    self.selected = try arguments.list("--select")
    self.followed = try (arguments.list("--with") ?? []).map(Self.path)
    self.columns = try ColumnOptions(arguments)
    self.countsOnly = arguments.has("--count")
    self.explains = arguments.has("--explain")
    self.namesFormat = arguments.has("--format")
    self.identifiersOnly = arguments.has("--ids")
    self.includesSubentities = !arguments.has("--no-subentities")
    self.format = try arguments.value("--format").map(Self.format) ?? .json
    try self.checkTogether(arguments)
  }

  private static func predicate(_ text: String) throws -> FetchPredicate {
    try Self.predicate(text, of: "--where")
  }

  static func predicate(_ text: String, of option: String) throws -> FetchPredicate {
    do { return try FetchPredicate(format: text) } catch { throw ToolError.usage(option, "\(error)") }
  }

  private static func path(_ text: String) throws -> [String] {
    let keys = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard !keys.contains("") else { throw ToolError.usage("--with", "has an empty key in '\(text)'") }
    return keys
  }

  private static func format(_ text: String) throws -> ResultFormat {
    if let format = ResultFormat(rawValue: text) { return format }
    let names = ResultFormat.allCases.map(\.rawValue)
    let hint = NearestName.suggestion(for: text, among: names)
    throw ToolError.usage(
      "--format", "'\(text)' is no format\(hint); use one of \(names.joined(separator: ", "))")
  }

  private func checkTogether(_ arguments: ParsedArguments) throws {
    if self.explains { try self.checkExplained() }
    if !self.followed.isEmpty, !self.format.nests, !self.explains {
      throw ToolError.usage(
        "--with", "needs a format that holds objects inside objects; use --format json or --format jsonl")
    }
    if self.identifiersOnly {
      for option in ["--select", "--with", "--count", "--format"] where arguments.has(option) {
        throw ToolError.usage(option, "has no meaning beside --ids; leave out one of the two")
      }
    }
    guard self.countsOnly else { return }
    for option in ["--select", "--with", "--sort", "--sort-linked", "--format"] where arguments.has(option) {
      if self.explains, option == "--format" { continue }
      throw ToolError.usage(option, "has no meaning beside --count; leave out one of the two")
    }
  }
}

extension FetchCommand {
  func run(_ console: Console) throws {
    let container = try self.source.open()
    let request = try self.request(in: container)
    let context = container.makeContext()
    if let columns = self.columns, !self.countsOnly, !self.explains {
      return try self.print(columns, of: request, in: container.model, from: context, to: console.output)
    }
    if self.explains {
      return try self.explain(
        request, by: try self.plan(of: request.entityName, in: container), from: context, to: console.output)
    }
    if self.countsOnly { return try console.output.write("\(self.count(request, in: context))\n") }
    if self.identifiersOnly { return try self.printIdentifiers(request, from: context, to: console.output) }
    let plan = try self.plan(of: request.entityName, in: container)
    try context.withReadScope { try self.print(request, by: plan, from: context, to: console.output) }
  }

  private func request(in container: PersistentContainer) throws -> FetchRequest {
    let model = container.model
    var request = try self.template?.request(in: model) ?? FetchRequest(self.entity)
    if !self.entity.isEmpty, self.entity != request.entityName {
      throw ToolError.failed(
        "--template", "asks for \(request.entityName), not for \(self.entity); leave one out")
    }
    guard let entity = model.entity(named: request.entityName) else {
      let hint = NearestName.suggestion(for: self.entity, among: model.entities.map(\.name))
      throw ToolError.failed(self.entity, "the model has no entity of that name\(hint)")
    }
    // A coordinator answers nothing; somebody who asks by name believes that there are no rows.
    guard container.holds(entity) else {
      throw ToolError.failed(self.entity, "no store that is given holds \(entity.name); add one that does")
    }
    request.linkedConditions = self.linked
    for (option, property) in self.links {
      // A name that is no fetched property is refused by the fetch.
      guard let destination = entity.fetchedProperty(named: property)?.destination else { continue }
      let found = model[destination]
      guard !container.holds(found) else { continue }
      throw ToolError.failed(
        "\(option) \(property)", "no store that is given holds \(found.name); add one that does")
    }
    if let predicate = self.predicate {
      request.predicate = request.predicate.map { .and([$0, predicate]) } ?? predicate
    }
    if !self.order.isEmpty { request.sortDescriptors = self.order }
    if let limit = self.limit { request.fetchLimit = limit }
    if let offset = self.offset { request.fetchOffset = offset }
    if !self.includesSubentities { request.includesSubentities = false }
    // What is printed is decided here, whatever form a template asks for.
    request.resultType = .objects
    self.columns?.apply(to: &request)
    return request
  }

  /// The fetched properties that the request leads through, with the options that name them.
  private var links: [(option: String, property: String)] {
    self.linked.map { ("--linked", $0.property) }
      + self.order.compactMap { sort in sort.link.map { ("--sort-linked", $0) } }
  }

  private func count(_ request: FetchRequest, in context: ManagedObjectContext) throws -> Int {
    // In a request, a limit of 0 is no limit.
    self.limit == 0 ? 0 : try context.count(for: request)
  }

  /// A URI on each line.
  private func printIdentifiers(
    _ request: FetchRequest, from context: ManagedObjectContext, to output: ResultOutput
  ) throws {
    for identifier in self.limit == 0 ? [] : try context.identifiers(for: request) where output.isOpen {
      try output.write(context.coordinator.uriString(for: identifier) + "\n")
    }
  }

  private func plan(of name: String, in container: PersistentContainer) throws -> RecordPlan {
    guard let entity = container.model.entity(named: name) else {
      throw ToolError.failed(name, "the model has no entity of that name")
    }
    let plan = try RecordPlan(entity, select: self.selected, with: self.followed, in: container.model)
    for (property, destination) in plan.followedQuestions where !container.holds(destination) {
      throw ToolError.failed(
        "--with \(property.name)", "no store that is given holds \(destination.name); add one that does")
    }
    return plan
  }

  private func print(
    _ request: FetchRequest, by plan: RecordPlan, from context: ManagedObjectContext, to output: ResultOutput
  ) throws {
    let writer = self.format.writer(to: output, columns: plan.columns)
    do {
      // A limit of 0 asks for nothing; in a request it is no limit.
      if self.limit != 0 {
        try context.forEachBatch(of: request, size: Self.batch) { batch in
          try plan.prefetch(for: batch, in: context)
          for object in batch {
            try writer.write(plan.record(of: object, in: context, widened: self.format.nests))
          }
          // What is printed need not be kept until the last object is.
          for object in batch { context.refresh(object, mergeChanges: false) }
          if !output.isOpen { throw ReaderGone() }
        }
      }
    } catch is ReaderGone { return }
    try writer.end()
  }

  /// Nobody reads what is printed any more.
  private struct ReaderGone: Error {}

  /// As many owners as one set-wise read asks a store for.
  private static let batch = 500
}
