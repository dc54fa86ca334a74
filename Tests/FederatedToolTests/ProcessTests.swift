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
}
