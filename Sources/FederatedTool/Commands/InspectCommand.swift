import FederatedData
import Foundation

/// `federate inspect`: says what files are.
struct InspectCommand: ToolCommand {
  static let description = CommandDescription(
    name: "inspect",
    summary:
      "Says what each file is by its content: Core Data SQLite store, Core Data XML store, Xcode model,\n"
      + "compiled model, other SQLite, other XML or none of these; with identifier, entities and row counts,\n"
      + "and whether a store keeps a copy of its model.",
    operands: "FILE…",
    options: [
      .init(name: "--json", value: nil, help: "print one JSON array, an object for each file"),
      .init(
        name: "--suggest", value: nil,
        help: "propose a model and a federation file for files of other programs:\n"
          + "entities, keys, types, formats of values, and links between the files"),
      .init(name: "--output", value: "FOLDER", help: "write what --suggest proposes there"),
    ],
    notes: """
      Files are only read. A file that is none of these is no error; a file that is missing, unreadable or
      damaged is, and the others are still inspected.

      What --suggest proposes works as it stands: with --output the folder gets Model.xcdatamodeld and
      federation.json, and the proposal is printed in words; without it the federation file is printed, and the
      words go to standard error. Every file is read once; the same files give the same proposal.

      Examples:
        federate inspect backup.dat Shop.xcdatamodeld
        federate inspect --suggest customers.xml orders.sqlite --output shop
      """)

  let files: [URL]
  let asJSON: Bool
  let suggests: Bool
  let output: URL?

  init(_ arguments: ParsedArguments) throws {
    guard !arguments.operands.isEmpty else {
      throw ToolError.usage("FILE", "is missing; name at least one file")
    }
    self.files = arguments.operands.map { URL(filePath: $0) }
    self.asJSON = arguments.has("--json")
    self.suggests = arguments.has("--suggest")
    self.output = arguments.value("--output").map { URL(filePath: $0) }
    if self.suggests, self.asJSON {
      throw ToolError.usage(
        "--json", "tells what files are, and --suggest makes a federation file; keep one")
    }
    if self.output != nil, !self.suggests {
      throw ToolError.usage("--output", "is where --suggest writes to; add --suggest")
    }
  }

  func run(_ console: Console) throws {
    if self.suggests { return try self.suggest(console) }
    var isFirst = true
    for file in self.files {
      let found: FileInspection
      do { found = try FileInspection(of: file) } catch {
        console.report(ToolError(error))
        continue
      }
      try console.output.write(self.asJSON ? (isFirst ? "[\n" : ",\n") + Self.json(found) : Self.text(found))
      isFirst = false
    }
    if self.asJSON { try console.output.write(isFirst ? "[]\n" : "\n]\n") }
  }

  private func suggest(_ console: Console) throws {
    let suggestion = try FederationSuggestion(of: self.files)
    if let output = self.output {
      let federation = try suggestion.write(to: output)
      return try console.output.write("\(suggestion)\nwritten: \(federation.relativePath)\n")
    }
    try console.say("\(suggestion)\n")
    let here = URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory)
    try console.output.write(suggestion.federationFile(in: here))
  }

  private static func text(_ found: FileInspection) -> String {
    var lines = ["\(found.url.relativePath): \(found.kind.title)"]
    if let uuid = found.uuid { lines.append("  UUID \(uuid.uuidString)") }
    if let note = found.note { lines.append("  \(note)") }
    lines += found.problems.map { "  problem: \($0)" }
    let width = found.entities.map(\.name.count).max() ?? 0
    for entity in found.entities {
      lines.append("  " + (entity.rows.map { entity.name.padding(to: width) + "  \($0)" } ?? entity.name))
      lines += entity.columns.map { "    \($0.words)" }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func json(_ found: FileInspection) -> String {
    let entities = found.entities.map { entity in
      let columns = entity.columns.map(\.json).joined(separator: ", ")
      return "{\"name\": \(JSONText.quoted(entity.name)), \"rows\": \(entity.rows.map(String.init) ?? "null")"
        + (entity.columns.isEmpty ? "" : ", \"view\": \(entity.isView), \"columns\": [\(columns)]") + "}"
    }
    let members = [
      ("file", JSONText.quoted(found.url.relativePath)),
      ("kind", JSONText.quoted(found.kind.rawValue)),
      ("uuid", found.uuid.map { JSONText.quoted($0.uuidString) } ?? "null"),
      ("entities", "[\(entities.joined(separator: ", "))]"),
      ("note", found.note.map(JSONText.quoted) ?? "null"),
      ("problems", "[\(found.problems.map(JSONText.quoted).joined(separator: ", "))]"),
    ]
    return "{\(members.map { "\"\($0)\": \($1)" }.joined(separator: ", "))}"
  }
}

extension FileInspection.Column {
  /// The column in words: `ArtistId INTEGER, required, leads to Artist.ArtistId`.
  var words: String {
    var parts = [self.type.isEmpty ? self.name : "\(self.name) \(self.type)"]
    if let place = self.keyPlace { parts.append(place == 1 ? "key" : "key \(place)") }
    if self.isRequired { parts.append("required") }
    if self.isGenerated { parts.append("computed") }
    if let destination = self.destination {
      parts.append("leads to \(destination.table).\(destination.column)")
    }
    return parts.joined(separator: ", ")
  }

  var json: String {
    let destination = self.destination.map {
      "{\"table\": \(JSONText.quoted($0.table)), \"column\": \(JSONText.quoted($0.column))}"
    }
    return "{\"name\": \(JSONText.quoted(self.name)), \"type\": \(JSONText.quoted(self.type)), "
      + "\"key\": \(self.keyPlace.map(String.init) ?? "null"), \"required\": \(self.isRequired), "
      + "\"computed\": \(self.isGenerated), \"leadsTo\": \(destination ?? "null")}"
  }
}

extension FileInspection.Kind {
  /// The kind in words.
  var title: String {
    switch self {
    case .coreDataSQLite: "Core Data SQLite store"
    case .coreDataXML: "Core Data XML store"
    case .xcodeModel: "Xcode model"
    case .compiledModel: "compiled model"
    case .otherSQLite: "other SQLite"
    case .otherXML: "other XML"
    case .other: "none of these"
    }
  }
}
