import FederatedData
import Foundation
import TestSupport
import Testing

@testable import FederatedTool

/// The language and every form of a request, as words of the command line.
@Suite("federate fetch takes the whole language")
struct FetchLanguageTests {
  private let folder: TemporaryFolder
  private let words: [String]

  private static let contents = """
    <model>
      <entity name="Item">
        <attribute name="name" optional="YES" attributeType="String"/>
        <attribute name="n" optional="YES" attributeType="Integer 32"/>
        <attribute name="at" optional="YES" attributeType="Date"/>
        <relationship name="box" optional="YES" maxCount="1" destinationEntity="Box" inverseName="items" \
    inverseEntity="Box"/>
      </entity>
      <entity name="Special" parentEntity="Item"/>
      <entity name="Box">
        <attribute name="title" optional="YES" attributeType="String"/>
        <relationship name="items" optional="YES" toMany="YES" destinationEntity="Item" inverseName="box" \
    inverseEntity="Item"/>
      </entity>
      <fetchRequest name="above" entity="Item" predicateString="n &gt; $MIN" fetchLimit="2" federated.sort="-n,name"/>
      <fetchRequest name="named" entity="Item" predicateString="name == $NAME OR name IN $NAMES"/>
    </model>
    """

  init() throws {
    self.folder = try TemporaryFolder()
    let model = self.folder.file("Language.xcdatamodel")
    try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
    try Data(Self.contents.utf8).write(to: model.appending(path: "contents"))
    let file = self.folder.file("items.xml")
    let container = try PersistentContainer(
      model: try ModelFile.load(at: model), stores: [PersistentStoreDescription(.xml, at: file)])
    let context = container.makeContext()
    for (title, names) in [("Alpha", ["file10", "Émile"]), ("beta", ["file9"]), ("Émile", ["beta"])] {
      let box = try context.insert("Box")
      try box.set("title", to: title)
      for name in names {
        let item = try context.insert("Item")
        try item.set("name", to: name)
        try item.set("n", to: name.count)
        try item.set("box", to: box)
      }
    }
    try context.insert("Special").set("name", to: "special")
    try context.save()
    self.words = [
      "--model", model.path(percentEncoded: false), "--store", "xml=\(file.path(percentEncoded: false))",
    ]
  }

  private func names(_ words: [String]) -> [String] {
    let run = ToolRun(["fetch"] + words + ["--select", "name", "--format", "csv"] + self.words)
    #expect(run.status == .done, "\(words): \(run.messages)")
    return run.output.split(separator: "\n").dropFirst().map { line in
      String(line.split(separator: ",", omittingEmptySubsequences: false).last ?? "")
    }
  }

  @Test(
    "--where takes every construct of the language",
    arguments: [
      ("name LIKE[c] 'FILE*' AND name ENDSWITH '9'", 1), ("name MATCHES 'file\\\\d+'", 2),
      ("name ==[cd] 'emile'", 1), ("n BETWEEN {5, 6}", 3), ("n IN {4, 5}", 3), ("NOT n == 5 AND n != nil", 2),
      ("box.title BEGINSWITH 'A'", 2), ("box.items.@count == 2", 2), ("ANY box.items.name == 'beta'", 1),
      ("NONE box.items.name == 'beta'", 4), ("ALL box.items.n > 4", 4),
      ("SUBQUERY(box.items, $i, $i.n > 5).@count == 1", 2), ("TERNARY(n == nil, 'x', name) == 'x'", 1),
      ("CAST(n, 'NSString') == '4'", 1), ("n * 2 + 1 == 9 AND n ** 2 == 16", 1),
      ("(n & 1) == 1 AND ~n == -6", 2),
      ("FUNCTION(name, 'length') == 4", 1), ("uppercase(name) == 'BETA' OR length(name) == 7", 2),
      ("max(box.items.n) == 6", 2), ("({4, 5} INTERSECT {n}) == {4}", 1),
      ("n == nil && at == NULL || n = 0x4", 2),
      ("modulus:by:(n, 2) == 0 and n => 4", 2), ("TRUEPREDICATE", 5),
      ("name == $SELF.name OR name == SELF.name", -1),
    ] as [(String, Int)])
  func conditions(format: String, count: Int) {
    let run = ToolRun(["fetch", "Item", "--count", "--where", format] + self.words)
    if count < 0 {
      #expect(run.status == .failed && run.output == "" && run.messages.contains("$SELF"), "\(run.messages)")
    } else {
      #expect(run.output == "\(count)\n", "\(format): \(run.messages)")
    }
  }

  @Test(
    "--sort takes comparisons and paths through to-ones",
    arguments: [
      ("name", ["beta", "file10", "file9", "special", "Émile"]),
      ("name:scalar", ["beta", "file10", "file9", "special", "Émile"]),
      ("name:localizedStandard", ["beta", "Émile", "file9", "file10", "special"]),
      ("-name:caseInsensitive", ["special", "file9", "file10", "Émile", "beta"]),
      ("box.title:localizedStandard,-name", ["special", "Émile", "file10", "file9", "beta"]),
      ("-box.title,+n", ["beta", "file9", "Émile", "file10", "special"]),
      (
        "-n,name",
        [
          "file10", "file9", "Émile", "beta", "special",
        ]
      ),
    ] as [(String, [String])])
  func orders(sort: String, expected: [String]) {
    #expect(self.names(["Item", "--sort", sort]) == expected)
    #expect(
      self.names(["Item", "--sort", sort, "--offset", "1", "--limit", "2"]) == Array(expected[1...2]))
  }

  @Test("--no-subentities leaves out objects of other entities, and --ids prints one URI a line")
  func shapes() throws {
    #expect(self.names(["Item", "--no-subentities"]).count == 4)
    #expect(ToolRun(["fetch", "Item", "--no-subentities", "--count"] + self.words).output == "4\n")
    let run = ToolRun(
      ["fetch", "Item", "--ids", "--where", "n == nil OR n == 4", "--sort", "n"] + self.words)
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 2 && run.messages == "")
    #expect(lines[0].hasPrefix("x-coredata://") && lines[0].contains("/Special/p"))
    #expect(lines[1].contains("/Item/p"))
    #expect(ToolRun(["fetch", "Item", "--ids", "--limit", "0"] + self.words).output == "")
  }

  @Test("a template brings its entity, condition, order and limit, and words take their place")
  func templates() {
    #expect(self.names(["--template", "above", "--set", "MIN=3"]) == ["file10", "file9"])
    #expect(self.names(["Item", "--template", "above", "--set", "$MIN=4", "--limit", "1"]) == ["file10"])
    #expect(
      self.names(["--template", "above", "--set", "MIN=3", "--where", "name != 'file10'", "--sort", "n,name"])
        == [
          "beta", "file9",
        ])
    #expect(
      Set(self.names(["--template", "named", "--set", "NAME=\"beta\"", "--set", "NAMES={'special', nil}"]))
        == [
          "beta", "special",
        ])
    #expect(
      ToolRun(["fetch", "--template", "above", "--set", "MIN=-1", "--count"] + self.words).output == "2\n")
  }

  @Test(
    "what is wrong is said with its place, by a caret where it is one in a text",
    arguments: [
      (
        ["Item", "--where", "n >> > 3"], 2,
        "error: --where: column 6: expected an operand, found \">\"\n  n >> > 3\n       ^\n"
      ),
      (
        ["Item", "--where", "foo(n) == 1"], 2,
        "error: --where: column 1: expected a known function, found \"foo\"\n  foo(n) == 1\n  ^\n"
      ),
      (["Item", "--sort", "name:natural"], 2, "error: --sort: 'natural' is no comparison"),
      (["Item", "--sort", "box"], 1, "error: Item: box: is an object, which has no order"),
      (["Item", "--set", "A=1"], 2, "error: --set: has no meaning without --template\n"),
      (
        ["--template", "abov"], 1,
        "error: --template abov: the model has no fetch request of that name (did you mean above?)\n"
      ),
      (["--template", "above"], 1, "error: --template above: needs values; add --set MIN=…\n"),
      (
        ["Box", "--template", "above", "--set", "MIN=1"], 1,
        "error: --template: asks for Item, not for Box; leave one out\n"
      ),
      (
        ["--template", "named", "--set", "NAME=beta"], 2,
        "error: --set NAME: 'beta' is no literal; text stands in quotes, as NAME='\"text\"'\n"
      ),
      (
        ["--template", "named", "--set", "NAME=1 +"], 2,
        "error: --set NAME: column 4: expected an operand, found the end\n  1 +\n     ^\n"
      ),
      (
        ["--template", "above", "--set", "MIN"], 2,
        "error: --set: needs a variable and a value, as MIN=20, and not 'MIN'\n"
      ),
      (
        ["Item", "--ids", "--count"], 2,
        "error: --count: has no meaning beside --ids; leave out one of the two\n"
      ),
      (["Item", "--where", "$x == 1"], 1, "error: Item: $x: "),
    ] as [([String], Int32, String)])
  func wrongWords(words: [String], status: Int32, message: String) {
    let run = ToolRun(["fetch"] + words + self.words)
    #expect(run.status.rawValue == status && run.output == "")
    #expect(run.messages.hasPrefix(message), "\(run.messages)")
  }
}
