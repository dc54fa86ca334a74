import FederatedData
import Foundation

/// `federate why`: says why a fetched property of one object is empty, or holds what it does.
struct WhyCommand: ToolCommand {
  static let description = CommandDescription(
    name: "why",
    summary: "Says why a fetched property of an object is empty, or finds what it finds.",
    operands: "ENTITY PROPERTY",
    options: CommandDescription.sourceOptions + [
      .init(name: "--id", value: "URI", help: "the object, by its URI"),
      .init(name: "--key", value: "NAME=VALUE", help: "the object, by the value of an attribute"),
      .init(name: "--where", value: "FORMAT", help: "the first object that the predicate accepts"),
      .init(name: "--limit", value: "N", help: "the first N objects, in place of one"),
      .init(name: "--json", value: nil, help: "print one JSON array, an object for each"),
    ],
    notes: """
      The question is asked as a read asks it, and every row of the destination is looked at once. Told are: the
      question with the object's values; for every store the rows, those with the object's key and those that
      match; keys that are nearly the same (apart by letter case, white space, Unicode normalisation, diacritics,
      a number against its text, a part of a minute, a time zone, the form of a UUID); a nil key; the terms that
      reject rows with the key; limit and offset; stores that are not asked.

      Examples:
        federate why Customer recentInvoices --key number=7 --federation shop.federation.json
        federate why Customer recentInvoices --id x-coredata://…/Customer/p3 --federation shop.federation.json
      """)

  let entity: String
  let property: String
  let source: FetchSource
  let choice: Choice
  let limit: Int
  let asJSON: Bool

  /// Which object is asked.
  enum Choice {
    case uri(String)
    case key(name: String, text: String)
    case predicate(FetchPredicate)
  }

  init(_ arguments: ParsedArguments) throws {
    guard arguments.operands.count == 2 else {
      throw ToolError.usage("ENTITY PROPERTY", "name one entity and one fetched property of it")
    }
    (self.entity, self.property) = (arguments.operands[0], arguments.operands[1])
    self.source = try FetchSource(arguments)
    let given = ["--id", "--key", "--where"].filter(arguments.has)
    guard given.count == 1 else {
      throw ToolError.usage(
        given.dropFirst().first ?? "--id",
        given.isEmpty
          ? "is missing; name the object by --id, --key or --where"
          : "names the object a second time; leave it out")
    }
    if let uri = arguments.value("--id") {
      self.choice = .uri(uri)
    } else if let key = arguments.value("--key") {
      guard let equal = key.firstIndex(of: "="), equal > key.startIndex else {
        throw ToolError.usage("--key \(key)", "is not NAME=VALUE")
      }
      self.choice = .key(name: String(key[..<equal]), text: String(key[key.index(after: equal)...]))
    } else {
      self.choice = .predicate(
        try FetchCommand.predicate(arguments.value("--where") ?? "", of: "--where"))
    }
    self.limit = try arguments.count("--limit") ?? 1
    guard self.limit > 0 else { throw ToolError.usage("--limit", "0 asks of no object; give another limit") }
    self.asJSON = arguments.has("--json")
  }
}

extension WhyCommand {
  func run(_ console: Console) throws {
    let container = try self.source.open(missingDestinations: .allow)
    let model = container.model
    guard let entity = model.entity(named: self.entity) else {
      let hint = NearestName.suggestion(for: self.entity, among: model.entities.map(\.name))
      throw ToolError.failed(self.entity, "the model has no entity of that name\(hint)")
    }
    guard entity.fetchedProperty(named: self.property) != nil else {
      let hint = NearestName.suggestion(for: self.property, among: entity.fetchedProperties.map(\.name))
      throw ToolError.failed(
        "\(entity.name).\(self.property)", "the entity has no fetched property of that name\(hint)")
    }
    guard container.holds(entity) else {
      throw ToolError.failed(self.entity, "no store that is given holds \(entity.name); add one that does")
    }
    let context = container.makeContext()
    let diagnoses = try context.withReadScope {
      try self.objects(of: entity, in: context).map { try $0.diagnose(self.property) }
    }
    if self.asJSON { return try console.output.write(JSONOutput.text(of: diagnoses) + "\n") }
    try console.output.write(diagnoses.map { "\($0)\n" }.joined(separator: "\n"))
  }

  private func objects(of entity: Entity, in context: ManagedObjectContext) throws -> [ManagedObject] {
    var request = FetchRequest(entity.name, limit: self.limit)
    let place: String
    switch self.choice {
    case .uri(let text):
      guard let id = context.coordinator.objectID(forURI: text) else {
        throw ToolError.failed("--id \(text)", "names no row of a store that is given")
      }
      guard context.model[id.entity].isKind(of: entity) else {
        throw ToolError.failed("--id \(text)", "is no \(entity.name)")
      }
      return [try context.existingObject(with: id)]
    case .key(let name, let text):
      request.predicate = try self.predicate(name, text, entity)
      place = "--key \(name)=\(text)"
    case .predicate(let predicate):
      request.predicate = predicate
      place = "--where"
    }
    let found = try context.fetch(request)
    if found.isEmpty {
      throw ToolError.failed(place, "no \(entity.name) is so; it is about the object that is asked")
    }
    return found
  }

  /// The value is read as the attribute's type writes it, so that nobody has to quote a text.
  private func predicate(_ name: String, _ text: String, _ entity: Entity) throws -> FetchPredicate {
    guard let attribute = entity.attribute(named: name) else {
      let hint = NearestName.suggestion(for: name, among: entity.attributes.map(\.name))
      throw ToolError.failed("--key \(name)", "\(entity.name) has no attribute of that name\(hint)")
    }
    guard let value = KeyArgument.value(text, attribute.type) else {
      throw ToolError.failed("--key \(name)=\(text)", "the value is none of the type \(attribute.type)")
    }
    return .comparison(.init(.keyPath([name]), .equal, .constant(value)))
  }
}

/// The value of a key on the command line.
enum KeyArgument {
  /// - Returns: nil for a text that the type cannot be written with.
  static func value(_ text: String, _ type: AttributeType) -> Value? {
    switch type {
    case .integer16, .integer32, .integer64: Int64(text).map { .int($0) }
    case .double, .float: Double(text).map { .double($0) }
    case .decimal: Decimal(string: text, locale: nil).map { .decimal($0) }
    case .boolean: ["true": .bool(true), "false": .bool(false), "1": .bool(true), "0": .bool(false)][text]
    case .uuid: UUID(uuidString: text).map { .uuid($0) }
    case .uri: .uri(text)
    case .string: .string(text)
    case .date, .binary, .transformable, .composite, .undefined: nil
    }
  }
}

extension CommandDescription {
  /// The options by which a command is told what to open (``FetchSource``).
  static let sourceOptions: [Option] = [
    .init(name: "--federation", value: "FILE", help: "JSON file that names the model and the stores"),
    .init(name: "--model", value: "MODEL", help: "Xcode model, in place of a federation file"),
    .init(
      name: "--store", value: "TYPE=PATH[,configuration=NAME][,readonly]",
      help: "a store of the model; TYPE is xml, sqlite or auto", repeats: true),
  ]
}

/// Values of the library as JSON.
enum JSONOutput {
  static func text(of value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}
