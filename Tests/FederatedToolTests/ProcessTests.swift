import Foundation
import TestSupport
import Testing

@Suite("The process")
struct ProcessTests {
  /// The built command, beside the bundle that runs the tests.
  private static let tool = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(
    path: "federate")

  private func run(_ script: String) throws -> (status: Int32, output: String, messages: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", "set -o pipefail; " + script]
    process.currentDirectoryURL = TestFiles.package
    process.environment = ["PATH": "/usr/bin:/bin", "FEDERATE": Self.tool.path(percentEncoded: false)]
    let (output, messages) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = messages
    try process.run()
    let (text, errors) = (
      output.fileHandleForReading.readDataToEndOfFile(), messages.fileHandleForReading.readDataToEndOfFile()
    )
    process.waitUntilExit()
    return (
      process.terminationStatus, String(decoding: text, as: UTF8.self),
      String(decoding: errors, as: UTF8.self)
    )
  }

  private static let fetch = #""$FEDERATE" fetch Customer --federation Fixtures/Shop/shop.federation.json"#

  @Test("results go to standard output, errors to standard error, and the exit status tells")
  func streams() throws {
    let good = try self.run("\(Self.fetch) --count")
    #expect(good == (0, "40\n", ""))
    let failed = try self.run("\(Self.fetch) --select nothing")
    #expect(
      failed.status == 1 && failed.output == "" && failed.messages.hasPrefix("error: --select nothing: "))
    let wrong = try self.run("\(Self.fetch) --nothing")
    #expect(wrong.status == 2 && wrong.output == "" && wrong.messages.hasPrefix("error: --nothing: "))
  }

  @Test("a reader that goes away ends the output quietly")
  func brokenPipe() throws {
    let run = try self.run(
      "\(Self.fetch) --with recentInvoices.lines.invoice.lines.invoice.lines | head -n 2")
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("[\n{\"$entity\": \"Customer\""))
    #expect(run.messages == "")
  }

  @Test(
    "dates of XML and SQLite, in output, columns and conditions, are the same instants in every time zone (BR-71)",
    arguments: ["Asia/Jerusalem", "UTC", "Pacific/Apia"])
  func timeZones(zone: String) throws {
    let fetch = { (words: String) in
      let run = try self.run(
        "TZ=\(zone) \"$FEDERATE\" fetch \(words) --federation Fixtures/Shop/shop.federation.json --format csv"
      )
      #expect(run.messages == "")
      return run.output
    }
    #expect(try self.run("TZ=\(zone) date -d @0 +%Z%z").output.hasSuffix("+0000\n") == (zone == "UTC"))
    #expect(
      try fetch("Customer --where 'since == CAST(-1416249585, \"NSDate\")' --select number,since").hasSuffix(
        ",1,1956-02-15T05:20:15Z\n"))
    #expect(
      try fetch("Invoice --where 'date < CAST(0, \"NSDate\")' --sort date --columns code,date")
        == "code,date\nX-2,1968-01-01T23:59:59.75Z\nX-1,1969-12-31T23:59:59.75Z\n")
    #expect(
      try fetch(
        "Invoice --where 'code == \"X-1\"' --columns 'at=date,number=CAST(date, \"NSNumber\"),"
          + "text=CAST(date, \"NSString\")'")
        == "at,number,text\n1969-12-31T23:59:59.75Z,-978307200.25,1969-12-31T23:59:59Z\n")
  }
}
