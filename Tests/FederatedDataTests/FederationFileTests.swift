import Foundation
import TestSupport
import Testing

@testable import FederatedData

@Suite("Federation files")
struct FederationFileTests {
  private let folder: TemporaryFolder
  init() throws { self.folder = try TemporaryFolder() }

  private func read(_ text: String) throws -> FederationFile {
    let url = self.folder.file("shop.federation.json")
    try Data(text.utf8).write(to: url)
    return try FederationFile(at: url)
  }

  @Test("names, types, paths beside the file and defaults are read")
  func whole() throws {
    let file = try self.read(
      """
      {"model": "Shop.xcdatamodeld", "stores": [
        {"name": "crm", "type": "xml", "path": "in/customers.xml", "configuration": "CRM", "readOnly": true},
        {"path": "/elsewhere/ledger.sqlite"}]}
      """)
    let base = self.folder.url.path(percentEncoded: false)
    #expect(file.model.path(percentEncoded: false) == base + "Shop.xcdatamodeld")
    #expect(file.stores.map(\.name) == ["crm", nil])
    #expect(file.stores.map(\.type) == ["xml", "auto"])
    #expect(file.stores.map(\.isReadOnly) == [true, false])
    #expect(file.stores.map(\.configuration) == ["CRM", nil])
    #expect(file.stores[0].url.path(percentEncoded: false) == base + "in/customers.xml")
    #expect(file.stores[1].url.path(percentEncoded: false) == "/elsewhere/ledger.sqlite")
  }

  @Test(
    "a wrong file is refused with its place and what to do",
    arguments: [
      (
        "{\"model\": \"M\",\n \"storse\": []}", FederationFileError.Code.unknownKey,
        ": storse: the key is unknown (did you mean stores?); the keys here are model, stores, limits"
      ),
      (
        "{\"model\": \"M\", \"stores\": [\n  {\"path\": \"é\", \"readonly\": true}]}", .unknownKey,
        ": stores[0].readonly: the key is unknown (did you mean readOnly?); "
          + "the keys here are name, type, path, configuration, readOnly, mapping, limits, encoding"
      ),
      ("{\"stores\": []}", .missingKey, ": the key \"model\" is missing; add it"),
      ("{\"model\": \"M\", \"stores\": []}", .missingKey, ": stores: is empty; name at least one store"),
      (
        "{\"model\": 7, \"stores\": []}", .wrongKind,
        ": model: must be a string that is not empty, and is a number"
      ),
      (
        "{\"model\": \"M\", \"stores\": [{\"path\": \"a\", \"type\": \"sqlit\"}]}", .unknownStoreType,
        ": stores[0].type: 'sqlit' is no store type (did you mean sqlite?); use one of xml, sqlite, auto"
      ),
      (
        "{\"model\": \"M\", \"stores\": [{\"path\": \"a\", \"readOnly\": \"yes\"}]}", .wrongKind,
        ": stores[0].readOnly: must be true or false, and is a string"
      ),
      (
        "{\"model\": \"M\", \"stores\": [{\"path\": \"a\", \"name\": \"n\"}, {\"path\": \"b\", \"name\": \"n\"}]}",
        .duplicateStoreName, ": stores[1]: the store name 'n' stands twice; store names are unique"
      ),
      ("{\"model\":\n 'M'}", .invalidJSON, ":2:2: this is no JSON: invalid value; mend it here"),
      (
        "{\"model\": \"M\"", .invalidJSON,
        ":1:14: this is no JSON: unexpected end of file during JSON parse; mend it here"
      ),
      ("", .invalidJSON, ":1:1: this is no JSON: unexpected end of file during JSON parse; mend it here"),
    ])
  func refused(text: String, code: FederationFileError.Code, message: String) throws {
    let error = try #require(throws: FederationFileError.self) { try self.read(text) }
    #expect(error.code == code)
    #expect(error.description.hasSuffix("shop.federation.json" + message), "\(error)")
  }

  @Test("a file that is not there is named")
  func missing() throws {
    let url = self.folder.file("none.json")
    let error = try #require(throws: FederationFileError.self) { try FederationFile(at: url) }
    #expect(error.code == .unreadable)
    #expect(error.description.contains("none.json: there is no such file"))
  }
}
