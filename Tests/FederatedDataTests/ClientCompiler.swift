import Foundation
import TestSupport

/// Compiles a file that uses the library, in the language mode that its users have.
enum ClientCompiler {
  /// The errors that the compiler finds.
  static func complaints(about body: String) throws -> [String] {
    let folder = try TemporaryFolder()
    let file = folder.file("client.swift")
    try Data("\(body)\n".utf8).write(to: file)
    let built = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    let sources = TestFiles.package.appending(path: "Sources")
    let compiler = Process()
    compiler.executableURL = URL(filePath: "/usr/bin/env")
    compiler.arguments =
      [
        "swiftc", "-emit-sil", "-o", "/dev/null", "-swift-version", "6", "-I",
        built.appending(path: "Modules").path(),
      ]
      + ["CSQLite", "CXML2"].flatMap { ["-I", sources.appending(path: $0).path()] }
      + ["-I", "/usr/include/libxml2", "-module-cache-path", folder.file("cache").path(), file.path()]
    let messages = Pipe()
    compiler.standardError = messages
    try compiler.run()
    let text = String(decoding: messages.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    compiler.waitUntilExit()
    return text.split(separator: "\n").filter { $0.contains("error:") }.map(String.init)
  }
}
