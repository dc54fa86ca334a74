import FederatedData
import Foundation
import TestSupport
import Testing

@testable import FederatedTool

@Suite("federate model")
struct ModelTests {
  private let folder: TemporaryFolder
  init() throws { self.folder = try TemporaryFolder() }

  private static func fixture(_ path: String) -> String {
    TestFiles.package.appending(path: "Fixtures/\(path)").path(percentEncoded: false)
  }

  private static let shop = Self.fixture("Shop/Shop.xcdatamodeld")
  private static let federation = Self.fixture("Shop/shop.federation.json")
  private static let everything = Self.fixture("Models/Everything.xcdatamodeld")
  private static let standalone = Self.fixture("Models/Standalone.xcdatamodel")

  private func path(_ name: String) -> String { self.folder.file(name).path(percentEncoded: false) }

  // MARK: show

  @Test("show prints an entity in columns, with what departs from the usual")
  func show() {
    let run = ToolRun("model", "show", Self.shop, "Invoice", "Line")
    #expect(run.status == .done)
    #expect(
      run.output == """
        entity Invoice
          class Invoice
          attributes
            code            string
            customerNumber  integer 64  optional
            date            date
            isPaid          boolean     default false
            note            string      optional
            total           decimal     default 0
          relationships
            lines  Line  to-many, optional, inverse invoice, deleteRule cascade
          fetched properties
            customer  Customer  predicate number == $FETCH_SOURCE.customerNumber

        entity Line
          class Line
          attributes
            price     decimal     default 0
            quantity  integer 32  default 1
            text      string
          relationships
            invoice  Invoice  to-one, optional, inverse lines, deleteRule nullify

        """)
  }

  @Test(
    "show prints everything that a model says: validation, indexes, constraints, requests, composites, user info"
  )
  func showEverything() throws {
    let lines = ToolRun("model", "show", Self.everything).output.split(separator: "\n").map {
      String($0.replacing(/\ +/, with: " "))
    }
    for line in [
      " versionIdentifiers 2", "entity Base", " abstract", " versionHashModifier b", " parent Base",
      " renamingIdentifier OldThing", " unique code; count, whole", " compoundIndexes code, count",
      " index hollow of nothing", " index byCode code descending, seen",
      " index byFolded uppercase:(code) where count > 0",
      " userInfo kind thing", " flag boolean default true",
      " whole integer 64 default 5, minimum -3, maximum 7.5, indexed",
      " born date optional, default 2000-12-31T23:59:59.500Z, minimum 1977-12-31T14:00:00.000Z, "
        + "maximum 2023-02-06T11:07:00.250Z",
      #" code string renamingIdentifier oldCode, versionHashModifier 2, default "A\"\né", minimum 2, maximum 8, "#
        + "pattern [A-Z&<]+",
      " colour transformable Colour optional, class Colour",
      " folded string optional, derivation canonical:(code)",
      " parts Thing to-many ordered, optional, maxCount 9, inverse whole1, deleteRule cascade",
      " alike Tag predicate name == $FETCH_SOURCE.code AND weight > 3 AND name CONTAINS[c] "
        + "$FETCHED_PROPERTY.userInfo.search, sort -weight; name:caseInsensitive, limit 10, offset 1, userInfo search great",
      "configurations", " Main entities Base; Thing; Tag", "fetch request templates", "composite Place",
      " region composite Region optional",
    ] { #expect(lines.contains(line), "\(line)") }
    let template = try #require(lines.first { $0.hasPrefix(" heavy Tag predicate weight > $MIN") })
    for part in ["limit 5", "batchSize 20", "resultType identifiers", "includesSubentities false"] {
      #expect(template.contains(part))
    }
  }

  @Test("show prints the model of a federation, version hashes on request, and JSON with every fact")
  func showJSON() throws {
    let run = ToolRun("model", "show", "--federation", Self.federation, "--json", "--hashes")
    let json = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let entities = try #require(json["entities"] as? [[String: Any]])
    #expect(entities.map { $0["name"] as? String } == ["Customer", "Invoice", "Line"])
    let model = try ModelFile.load(at: URL(filePath: Self.shop))
    #expect(
      entities[0]["versionHash"] as? String == model.entities[0].versionHash.base64EncodedString())
    let fetched = try #require(entities[0]["fetchedProperties"] as? [[String: Any]])
    #expect(fetched[1]["limit"] as? Int == 10)
    #expect(fetched[1]["sort"] as? [String] == ["-date"])
    #expect(fetched[1]["includesSubentities"] as? Bool == true)
    let attributes = try #require(entities[0]["attributes"] as? [[String: Any]])
    #expect(attributes[0]["type"] as? String == "string")
    #expect(attributes[0]["optional"] as? Bool == true)
    #expect((json["configurations"] as? [[String: Any]])?.map { $0["name"] as? String } == ["CRM", "Ledger"])
    let text = ToolRun("model", "show", Self.shop, "--hashes", "Line").output
    #expect(text.contains("\n  version hash \(model.entities[2].versionHash.base64EncodedString())\n"))
    let info = ToolRun("model", "show", Self.everything, "Thing", "--json").output
    #expect(info.contains(#""userInfo": {"kind": "thing"}"#))
  }

  @Test("a version inside a package is named behind #, and a name that there is none of is an error")
  func versions() {
    #expect(ToolRun("model", "show", Self.everything + "#Everything").output.contains("versionIdentifiers 1"))
    let unknown = ToolRun("model", "show", Self.everything + "#Nothing")
    #expect(unknown.status == .failed)
    #expect(
      unknown.messages.contains(#"There is no version "Nothing". There are "Everything 2", "Everything"."#))
    let entity = ToolRun("model", "show", Self.shop, "Custmer")
    #expect(
      entity.messages == "error: Custmer: the model has no entity of that name (did you mean Customer?)\n")
  }

  @Test("a compiled model, and the copy that a store keeps, are models like any other")
  func compiled() throws {
    let model = try ModelFile.load(at: URL(filePath: Self.shop))
    let compiled = self.path("Shop.mom")
    try CompiledModel.data(of: model.draft).write(to: URL(filePath: compiled))
    #expect(
      ToolRun("model", "show", compiled, "Invoice").output
        == ToolRun("model", "show", Self.shop, "Invoice").output)
    let difference = ToolRun("model", "diff", Self.shop, compiled)
    #expect(difference.output == "version hashes are equal: stores of the one open under the other\n")
    #expect(ToolRun("model", "lint", compiled).status == .done)
    #expect(ToolRun("model", "diagram", compiled).output == ToolRun("model", "diagram", Self.shop).output)
    #expect(ToolRun("model", "write", compiled, self.path("Out.xcdatamodeld")).status == .done)
    #expect(ToolRun("model", "diff", Self.shop, self.path("Out.xcdatamodeld")).status == .done)
    // The store of the fixture keeps no copy.
    for words in [
      ["--store", "sqlite=" + Self.fixture("Shop/ledger.sqlite")], [Self.fixture("Shop/ledger.sqlite")],
    ] {
      let run = ToolRun(["model", "show"] + words)
      #expect(run.status == .failed)
      #expect(run.messages.contains("keeps no copy of its model"), "\(run.messages)")
    }
  }

  // MARK: lint

  @Test("lint says problems with their place and rule and exits with 3, 0 for a clean model")
  func lint() throws {
    let clean = ToolRun("model", "lint", Self.shop)
    #expect(clean.status == .done)
    #expect(clean.output == "no problems\n")
    let found = ToolRun("model", "lint", Self.standalone)
    #expect(found.status == .found)
    let lines = found.output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix("problem: Note.misspelt: ") && lines[0].contains("alias"), "\(found.output)")
    #expect(lines[0].hasSuffix(" [unknownKeyPath]"))
    #expect(lines[1].hasPrefix("problem: Note.unasked: ") && lines[1].hasSuffix(" [invalidFetchedProperty]"))
    let json = try #require(
      try JSONSerialization.jsonObject(
        with: Data(ToolRun("model", "lint", Self.standalone, "--json").output.utf8))
        as? [String: [[String: Any]]])
    #expect(json["problems"]?.map { $0["property"] as? String } == ["misspelt", "unasked"])
    #expect(json["warnings"]?.isEmpty == true)
  }

  @Test("lint lists the rules that a readable file breaks, and fails for a file that is no model")
  func lintInvalid() {
    let broken = ToolRun("model", "lint", Self.fixture("Invalid/rules.xcdatamodel"))
    #expect(broken.status == .found)
    #expect(broken.output.hasPrefix("problem: "), "\(broken.output)")
    #expect(broken.messages == "")
    let malformed = ToolRun("model", "lint", Self.fixture("Invalid/malformed.xcdatamodel"))
    #expect(malformed.status == .failed)
    #expect(malformed.output == "" && malformed.messages.contains("malformed.xcdatamodel/contents:"))
  }

  @Test("a warning alone is told, and decides the exit status when it is asked to")
  func lintWarning() throws {
    let url = self.folder.file("Unlike.xcdatamodeld")
    try ModelFile.save(
      ModelDraft {
        EntityDescription("Item") { AttributeDescription("number", .integer32) }
        EntityDescription("Source") {
          AttributeDescription("code", .string)
          FetchedPropertyDescription("items", of: "Item", where: "number == $FETCH_SOURCE.code")
        }
      }, at: url)
    let run = ToolRun("model", "lint", self.path("Unlike.xcdatamodeld"))
    #expect(run.status == .done)
    #expect(run.output.hasPrefix("warning: Source.items: ") && run.output.hasSuffix(" [unlikeLinkTypes]\n"))
    #expect(ToolRun("model", "lint", self.path("Unlike.xcdatamodeld"), "--strict").status == .found)
  }

  // MARK: diagram

  @Test("diagram draws the stores of a federation as frames, fetched properties across them")
  func diagram() {
    let run = ToolRun("model", "diagram", "--federation", Self.federation)
    #expect(run.status == .done)
    let lines = run.output.split(separator: "\n")
    #expect(lines[0] == "classDiagram" && lines[1] == "  namespace crm {")
    #expect(lines.contains(#"  Customer ..> "0..10" Invoice : recentInvoices"#))
    #expect(lines.contains(#"  Invoice "0..1" <--> "0..*" Line : lines / invoice"#))
    let dot = ToolRun("model", "diagram", Self.shop, "--format", "dot")
    #expect(dot.output.contains("label=\"CRM\";") && dot.output.contains("style=dashed"))
    let wrong = ToolRun("model", "diagram", Self.shop, "--format", "mermiad")
    #expect(wrong.status == .wrongUsage)
    #expect(
      wrong.messages
        == "error: --format: 'mermiad' is no form of a drawing (did you mean mermaid?); use one of mermaid, dot\n"
    )
  }

  // MARK: diff

  @Test("diff says that a model does not differ from itself, with status 0")
  func same() {
    let run = ToolRun("model", "diff", Self.shop, Self.shop + "/Shop.xcdatamodel")
    #expect(run.status == .done)
    #expect(run.output == "version hashes are equal: stores of the one open under the other\n")
  }

  @Test("diff compares two versions of a package line by line, with status 3")
  func diff() throws {
    let url = self.folder.file("Shop.xcdatamodeld")
    var draft = try ModelFile.load(at: URL(filePath: Self.shop)).draft
    try ModelFile.save(draft, at: url)
    draft.entities[0].properties.removeAll { $0.name == "logo" }
    draft.entities[0].properties.append(AttributeDescription("score", .double, optional: true, default: 0.5))
    draft.entities[1].renamingIdentifier = "Invoice"
    try ModelFile.save(draft, at: url, version: "Shop 2")
    let words = ["model", "diff", self.path("Shop.xcdatamodeld#Shop"), self.path("Shop.xcdatamodeld")]
    let run = ToolRun(words)
    #expect(run.status == .found)
    #expect(
      run.output == """
        + attribute Customer.score: double, optional, default 0.5
        - attribute Customer.logo: binary, optional
        ~ entity Invoice: renamingIdentifier none -> Invoice
        version hashes differ: Customer

        """)
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(ToolRun(words + ["--json"]).output.utf8)) as? [String: Any])
    #expect(json["versionHashesAreEqual"] as? Bool == false)
    #expect(json["entitiesWithOtherHashes"] as? [String] == ["Customer"])
    let changes = try #require(json["changes"] as? [[String: Any]])
    #expect(changes.map { $0["change"] as? String } == ["added", "removed", "changed"])
    #expect(changes[1]["old"] as? String == "binary, optional" && changes[1]["new"] is NSNull)
    #expect(ToolRun("model", "diff", Self.shop).status == .wrongUsage)
  }

  // MARK: write

  @Test("write makes an Xcode model that reads back equal, and replaces none without being told to")
  func write() throws {
    let output = self.path("Out.xcdatamodeld")
    #expect(ToolRun("model", "write", "--federation", Self.federation, output).status == .done)
    #expect(ToolRun("model", "diff", Self.shop, output).status == .done)
    let again = ToolRun("model", "write", Self.everything, output)
    #expect(again.status == .failed)
    #expect(again.messages.hasSuffix("is there already; name another, or give --force to replace it\n"))
    #expect(ToolRun("model", "diff", Self.shop, output).status == .done)
    #expect(ToolRun("model", "write", Self.everything, output + "#Second").status == .done)
    #expect(try ModelFile.versions(at: URL(filePath: output)).map(\.name) == ["Out", "Second"])
    #expect(ToolRun("model", "diff", Self.everything, output).status == .done)
    #expect(ToolRun("model", "write", Self.everything, output, "--force").status == .done)
    #expect(ToolRun("model", "diff", Self.everything, output + "#Out").status == .done)
  }

  @Test(
    "what is no name of a model is wrong usage",
    arguments: [
      (["write", "m"], "OUT: is missing; name the .xcdatamodeld to write"),
      (
        ["write", "m", "out.json"],
        "out.json: is no name of an Xcode model; end it with .xcdatamodeld or .xcdatamodel"
      ),
      (
        ["write", "m", "o.xcdatamodeld#a/b"],
        "o.xcdatamodeld#a/b: has no name of a version behind #; write OUT.xcdatamodeld#NAME"
      ),
      (["lint"], "MODEL: is missing; name a model, or a federation with --federation"),
      (["diagram", "m", "n"], "n: is one operand too many; name one model"),
      ([], "model: needs one more word: model show, model lint, model diagram, model diff, model write"),
      (
        ["shwo"],
        "model shwo: is no command (did you mean model show?); the commands are model show, model lint, model diagram, "
          + "model diff, model write"
      ),
    ])
  func usage(words: [String], message: String) {
    let run = ToolRun(["model"] + words)
    #expect(run.status == .wrongUsage)
    #expect(run.messages == "error: \(message)\n")
  }

  @Test("the help of the group lists its commands, that of a command its options")
  func help() {
    for words in [["help", "model"], ["model", "--help"]] {
      let run = ToolRun(words)
      #expect(run.output.contains("  model diff ") && !run.output.contains("  fetch "))
    }
    #expect(ToolRun("model", "diff", "--help").output.hasPrefix("Usage: federate model diff MODEL MODEL "))
    #expect(ToolRun("help", "model", "lint").output.hasPrefix("Usage: federate model lint MODEL "))
  }
}
