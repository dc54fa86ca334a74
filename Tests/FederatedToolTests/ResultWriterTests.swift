import FederatedData
import Foundation
import Testing

@testable import FederatedTool

@Suite("Result forms")
struct ResultWriterTests {
  private static let line = ResultRecord(
    entity: "Line", id: "x-coredata://S/Line/p7",
    fields: [.init(key: "text", content: .value(.string("Ink, \"black\""), .string))])

  private static let records = [
    ResultRecord(
      entity: "Customer", id: "x-coredata://S/Customer/p1",
      fields: [
        .init(key: "name", content: .value(.string("李 🦉"), .string)),
        .init(key: "note", content: .value(.null, .string)),
      ]),
    ResultRecord(
      entity: "Customer", id: "x-coredata://S/Customer/p12",
      fields: [
        .init(key: "name", content: .value(.string(""), .string)),
        .init(key: "note", content: .value(.string("a\nb,\"c\""), .string)),
      ]),
  ]

  private func printed(_ format: ResultFormat, _ records: [ResultRecord]) throws -> String {
    let output = ResultOutput(descriptor: nil)
    let writer = format.writer(to: output, columns: ["name", "note"])
    for record in records { try writer.write(record) }
    try writer.end()
    try output.flush()
    return String(decoding: output.collected, as: UTF8.self)
  }

  @Test("JSON is one array with ordered keys, an object on each line")
  func json() throws {
    let text = try self.printed(.json, Self.records)
    #expect(
      text == """
        [
        {"$entity": "Customer", "$id": "x-coredata://S/Customer/p1", "name": "李 🦉", "note": null},
        {"$entity": "Customer", "$id": "x-coredata://S/Customer/p12", "name": "", "note": "a\\nb,\\"c\\""}
        ]

        """)
    #expect(try JSONSerialization.jsonObject(with: Data(text.utf8)) is [[String: Any]])
    #expect(try self.printed(.json, []) == "[]\n")
  }

  @Test("JSON lines are the same objects without the array")
  func jsonLines() throws {
    let lines = try self.printed(.jsonl, Self.records).split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix("{\"$entity\"") && lines[1].hasSuffix("}"))
    #expect(try self.printed(.jsonl, []) == "")
  }

  @Test("a to-one is an object or null, a to-many an array of objects")
  func nested() throws {
    let record = ResultRecord(
      entity: "Invoice", id: "i",
      fields: [
        .init(key: "lines", content: .list([Self.line, Self.line])),
        .init(key: "none", content: .list([])),
        .init(key: "customer", content: .object(Self.line)),
        .init(key: "nobody", content: .object(nil)),
      ])
    let line = #"{"$entity": "Line", "$id": "x-coredata://S/Line/p7", "text": "Ink, \"black\""}"#
    #expect(
      try self.printed(.jsonl, [record])
        == "{\"$entity\": \"Invoice\", \"$id\": \"i\", \"lines\": [\(line), \(line)], \"none\": [], "
        + "\"customer\": \(line), \"nobody\": null}\n")
  }

  @Test("CSV quotes what needs it, and tells nil from the empty string")
  func csv() throws {
    #expect(
      try self.printed(.csv, Self.records) == """
        $entity,$id,name,note
        Customer,x-coredata://S/Customer/p1,李 🦉,
        Customer,x-coredata://S/Customer/p12,"","a
        b,""c""\"

        """)
    #expect(try self.printed(.csv, []) == "$entity,$id,name,note\n")
  }

  @Test("a table aligns columns by what a terminal shows, and shows controls as escapes")
  func table() throws {
    #expect(
      try self.printed(.table, Self.records) == """
        $id           name   note
        ------------  -----  --------
        Customer/p1   李 🦉
        Customer/p12         a\\nb,"c"

        """)
  }

  @Test("more rows than the sample keep the widths of the sample")
  func longTable() throws {
    let many = Array(repeating: Self.records[0], count: 1200)
    #expect(try self.printed(.table, many).split(separator: "\n").count == 1202)
  }
}
