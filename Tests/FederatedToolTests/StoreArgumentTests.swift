import Testing

@testable import FederatedTool

@Suite("--store")
struct StoreArgumentTests {
  @Test(
    "type, path and options are told apart, whatever the path holds",
    arguments: [
      ("xml=a.xml", "xml", "a.xml", nil),
      ("auto=/x/y.sqlite,readonly", "auto", "/x/y.sqlite", nil),
      ("sqlite=a.sqlite,configuration=Ledger", "sqlite", "a.sqlite", "Ledger"),
      ("sqlite=a,configuration=Ledger,readonly", "sqlite", "a", "Ledger"),
      ("sqlite=a,readonly,configuration=Ledger", "sqlite", "a", "Ledger"),
      ("xml=a,b=c.xml,readonly", "xml", "a,b=c.xml", nil),
    ] as [(String, String, String, String?)])
  func told(text: String, type: String, path: String, configuration: String?) throws {
    let argument = try StoreArgument(text)
    #expect(argument.type == type)
    #expect(argument.path == path)
    #expect(argument.configuration == configuration)
  }

  @Test("what is no store is wrong usage", arguments: ["", "a.xml", "=a", "xml=", "csv=a", "xml=,readonly"])
  func refused(text: String) throws {
    let error = try #require(throws: ToolError.self) { try StoreArgument(text) }
    #expect(error.status == .wrongUsage)
  }
}
