import Foundation
import TestSupport
import Testing

@testable import FederatedTool

@Suite("federate inspect")
struct InspectTests {
  private let folder: TemporaryFolder
  init() throws { self.folder = try TemporaryFolder() }

  private static let store = """
    <?xml version="1.0" standalone="yes"?>
    <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">
    <database>
        <databaseInfo>
            <version>134481920</version>
            <UUID>343C8D7F-A000-42C4-8463-43FA1E5EF3FB</UUID>
            <nextObjectID>104</nextObjectID>
            <metadata><plist version="1.0"><dict>
              <key>NSStoreModelVersionHashes</key><dict><key>ToDo</key><data>AA==</data></dict>
              <key>Other</key><dict><key>tag</key><string>x</string></dict>
            </dict></plist></metadata>
        </databaseInfo>
        <object type="TODO" id="z102"></object>
        <object type="TODO" id="z103"></object>
        <object type="TAG" id="z104"></object>
    </database>
    """

  private func file(_ name: String, _ content: String) throws -> String {
    let url = self.folder.file(name)
    try Data(content.utf8).write(to: url)
    return url.path(percentEncoded: false)
  }

  @Test("an XML store is known by its content, whatever its name (BR-19)")
  func store() throws {
    let path = try self.file("renamed.dat", Self.store)
    let run = ToolRun("inspect", path)
    #expect(run.status == .done)
    #expect(
      run.output == """
        \(path): Core Data XML store
          UUID 343C8D7F-A000-42C4-8463-43FA1E5EF3FB
          TAG   1
          ToDo  2

        """)
    #expect(
      ToolRun("inspect", path, "--json").output == """
        [
        {"file": "\(path)", "kind": "core-data-xml", "uuid": "343C8D7F-A000-42C4-8463-43FA1E5EF3FB", \
        "entities": [{"name": "TAG", "rows": 1}, {"name": "ToDo", "rows": 2}], "note": null, "problems": []}
        ]

        """)
  }

  @Test(
    "what is no store and no model is said, and is no failure",
    arguments: [
      ("a.sqlite", "<x:gpx xmlns:x=\"urn:g\"/>", "other XML\n  root element gpx in namespace urn:g\n"),
      ("b.xml", "<database/>", "other XML\n  root element database\n"),
      ("c.xml", "", "none of these\n  the file is empty\n"),
      ("d.xml", "name,city\n", "none of these\n  the content is neither SQLite nor XML\n"),
      ("e.xml", "<a><b></a>", "none of these\n  the content begins like XML and is not well-formed: "),
    ])
  func others(name: String, content: String, said: String) throws {
    let path = try self.file(name, content)
    let run = ToolRun("inspect", path)
    #expect(run.status == .done)
    #expect(run.output.hasPrefix("\(path): \(said)"), "\(run.output)")
    #expect(run.messages == "")
  }

  @Test("a model folder is known by the root of its contents; a damaged one is an error with its place")
  func modelFolder() throws {
    let model = self.folder.file("Plain.xcdatamodel")
    try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
    let path = model.path(percentEncoded: false)
    let contents = try self.file("Plain.xcdatamodel/contents", #"<model><entity name="Tag"/></model>"#)
    let run = ToolRun("inspect", path)
    #expect(run.output == "\(path): Xcode model\n  Tag\n")
    try Data(#"<model><entity name="Tag"></model>"#.utf8).write(to: model.appending(path: "contents"))
    let damaged = ToolRun("inspect", path)
    #expect(damaged.status == .failed)
    #expect(damaged.output == "")
    #expect(damaged.messages.hasPrefix("error: \(contents):1:"), "\(damaged.messages)")
    try Data("no XML".utf8).write(to: model.appending(path: "contents"))
    #expect(ToolRun("inspect", path).output == "\(path): none of these\n  a folder that holds no model\n")
  }

  @Test("a model's links between unlike types and questions that cannot be asked are told (BR-57)")
  func problems() throws {
    let model = self.folder.file("Linked.xcdatamodel")
    try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
    _ = try self.file(
      "Linked.xcdatamodel/contents",
      """
      <model>
        <entity name="Item"><attribute name="number" optional="YES" attributeType="Integer 32"/></entity>
        <entity name="Source">
          <attribute name="code" optional="YES" attributeType="String"/>
          <fetchedProperty name="items" optional="YES">
            <fetchRequest name="r" entity="Item" predicateString="number == $FETCH_SOURCE.code"/>
          </fetchedProperty>
          <fetchedProperty name="lost" optional="YES">
            <fetchRequest name="r" entity="Item" predicateString="nmuber == 1"/>
          </fetchedProperty>
        </entity>
      </model>
      """)
    let path = model.path(percentEncoded: false)
    let lines = ToolRun("inspect", path).output.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("  problem: Source.lost: ") && $0.contains("nmuber") }, "\(lines)")
    #expect(
      lines.contains { $0.hasPrefix("  problem: Source.items: ") && $0.contains("never equal") }, "\(lines)")
    #expect(ToolRun("inspect", path, "--json").output.contains(#""problems": ["Source.lost: "#))
  }

  @Test("a missing or damaged file is an error with its place, and the others are still inspected")
  func failures() throws {
    let damaged = try self.file("damaged.xml", Self.store.replacing("</database>", with: ""))
    let whole = try self.file("whole.xml", Self.store)
    let missing = self.folder.file("missing").path(percentEncoded: false)
    let run = ToolRun("inspect", damaged, missing, whole)
    #expect(run.status == .failed)
    #expect(run.output.hasPrefix("\(whole): Core Data XML store\n"))
    let messages = run.messages.split(separator: "\n")
    #expect(messages.count == 2)
    #expect(messages[0].hasPrefix("error: \(damaged):15:"), "\(run.messages)")
    #expect(messages[1] == "error: \(missing): there is no such file; check the path")
  }

  @Test("no file is wrong usage")
  func usage() {
    let run = ToolRun("inspect")
    #expect(run.status == .wrongUsage)
    #expect(run.messages == "error: FILE: is missing; name at least one file\n")
  }
}

/// One run of the tool inside the test process.
struct ToolRun {
  let status: ToolStatus
  let output: String
  let messages: String

  init(_ words: String...) { self.init(words) }

  init(_ words: [String]) {
    let (output, messages) = (ResultOutput(descriptor: nil), ResultOutput(descriptor: nil))
    self.status = Tool.run(words, console: Console(output: output, messages: messages))
    self.output = String(decoding: output.collected, as: UTF8.self)
    self.messages = String(decoding: messages.collected, as: UTF8.self)
  }
}
